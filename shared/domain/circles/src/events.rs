//! The events about circles on the bus.

use base::ids::{CircleId, CprId, PostId, UserId};
use platform::time::Time;

use super::Stage;

platform::bus_events! {
    /// A circle's owner changed what it is called, or what it is about.
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
        /// The user who is invited.
        user_id: UserId,
        /// The member who invited them.
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

    /// A user left a circle, or was removed from it.
    CircleLeft {
        /// The circle.
        circle_id: CircleId,
        /// The user who is no longer in it.
        user_id: UserId,
    }

    /// A post in a circle was commented on by somebody else.
    CircleCommented {
        /// The comment.
        comment_id: PostId,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A circle came to a worse stage, for the first time within a day.
    StageReached {
        /// The circle.
        circle_id: CircleId,
        /// Its stage now.
        stage: Stage,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A circle's stage or level changed.
    EnergyChanged {
        /// The circle.
        circle_id: CircleId,
        /// Its stage before.
        previous_stage: Stage,
        /// Its stage now.
        stage: Stage,
        /// Its level before.
        previous_level: u8,
        /// Its level now.
        level: u8,
        /// Its HP now.
        current: i64,
        /// The most HP it can have now.
        max: i64,
        /// RFC 3339 time of the event.
        created_at: Time,
    }

    /// A CPR began.
    CprStarted {
        /// The circle.
        circle_id: CircleId,
        /// The CPR.
        session_id: CprId,
        /// The post whose comments count.
        post_id: PostId,
        /// The number of comments that it takes.
        target_comments: i64,
        /// RFC 3339 time until which comments count.
        expires_at: Time,
    }

    /// A CPR ended.
    CprResolved {
        /// The circle.
        circle_id: CircleId,
        /// The CPR.
        session_id: CprId,
        /// Whether it saved the circle.
        success: bool,
        /// RFC 3339 time of the event.
        created_at: Time,
    }
}
