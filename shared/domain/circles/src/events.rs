//! Bus events about circles.

use base::{CircleId, CprId, PostId, UserId};
use platform::Time;

use super::Stage;

platform::bus_events! {
    /// The owner changed a circle's name or description.
    #[derive(utoipa::ToSchema)]
    CircleUpdated {
        /// The changed circle.
        circle_id: CircleId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A user was invited to a circle.
    CircleInvited {
        /// The circle to which the user was invited.
        circle_id: CircleId,
        /// The invited user.
        user_id: UserId,
        /// The member who sent the invitation.
        invited_by_id: UserId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A user joined a circle.
    CircleJoined {
        /// The circle that the user joined.
        circle_id: CircleId,
        /// The user who joined.
        user_id: UserId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A user left a circle, or was removed from the circle.
    CircleLeft {
        /// The former circle of the user.
        circle_id: CircleId,
        /// The user who left or was removed.
        user_id: UserId,
    }

    /// A user became the owner of a circle, because its owner left, deleted their account, or was banned permanently.
    CircleInherited {
        /// The circle with the new owner.
        circle_id: CircleId,
        /// The new owner.
        user_id: UserId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A user commented on another user's post in a circle.
    CircleCommented {
        /// The new comment.
        comment_id: PostId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A circle dropped to a worse stage. Published at most once a day for each stage.
    StageReached {
        /// The circle that reached the stage.
        circle_id: CircleId,
        /// The new stage.
        stage: Stage,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A circle's stage or level changed.
    #[derive(utoipa::ToSchema)]
    EnergyChanged {
        /// The circle whose stage or level changed.
        circle_id: CircleId,
        /// The stage before the change.
        previous_stage: Stage,
        /// The stage after the change.
        stage: Stage,
        /// The level before the change.
        previous_level: u8,
        /// The level after the change.
        level: u8,
        /// HP after the change.
        current: i64,
        /// Maximum HP after the change.
        max: i64,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A CPR started.
    #[derive(utoipa::ToSchema)]
    CprStarted {
        /// The circle that the CPR can save.
        circle_id: CircleId,
        /// The started CPR.
        session_id: CprId,
        /// The post whose comments count for the CPR.
        post_id: PostId,
        /// The number of good comments that the CPR needs.
        target_comments: i64,
        /// RFC 3339 time until which comments count.
        expires_at: Time,
    }

    /// A CPR ended.
    #[derive(utoipa::ToSchema)]
    CprResolved {
        /// The circle of the CPR.
        circle_id: CircleId,
        /// The ended CPR.
        session_id: CprId,
        /// Whether the CPR saved the circle.
        success: bool,
        /// RFC 3339 time of the event.
        created_at: Time,
    }
}
