//! Bus events about circles.

use base::ids::{CircleId, CprId, PostId, UserId};
use platform::time::Time;

use super::Stage;

platform::bus_events! {
    /// The owner changed a circle's name or description.
    #[derive(utoipa::ToSchema)]
    CircleUpdated {
        /// The circle.
        circle_id: CircleId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A user was invited to a circle.
    CircleInvited {
        /// The circle.
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
        /// The circle.
        circle_id: CircleId,
        /// The user who joined.
        user_id: UserId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A user left a circle, or was removed from the circle.
    CircleLeft {
        /// The circle.
        circle_id: CircleId,
        /// The user who left or was removed.
        user_id: UserId,
    }

    /// A user became the owner of a circle, because its owner left, deleted their account, or was banned permanently.
    CircleInherited {
        /// The circle.
        circle_id: CircleId,
        /// The new owner.
        user_id: UserId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A user commented on another user's post in a circle.
    CircleCommented {
        /// The comment.
        comment_id: PostId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A circle dropped to a worse stage. Published at most once a day for each stage.
    StageReached {
        /// The circle.
        circle_id: CircleId,
        /// The new stage.
        stage: Stage,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A circle's stage or level changed.
    #[derive(utoipa::ToSchema)]
    EnergyChanged {
        /// The circle.
        circle_id: CircleId,
        /// The previous stage.
        previous_stage: Stage,
        /// The new stage.
        stage: Stage,
        /// The previous level.
        previous_level: u8,
        /// The new level.
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
        /// The circle.
        circle_id: CircleId,
        /// The CPR.
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
        /// The circle.
        circle_id: CircleId,
        /// The CPR.
        session_id: CprId,
        /// Whether the CPR saved the circle.
        success: bool,
        /// RFC 3339 time of the event.
        created_at: Time,
    }
}
