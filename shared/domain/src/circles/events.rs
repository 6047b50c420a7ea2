//! What the bus is published of circles.

use platform::time::Time;

use super::Stage;
use crate::ids::{CircleId, CprId, PostId};

platform::bus_events! {
    /// A circle's energy changed so far that its stage or its level is another.
    EnergyChanged {
        /// Which circle.
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
        /// When.
        created_at: Time,
    }

    /// Members of a circle began to save it.
    CprStarted {
        /// Which circle.
        circle_id: CircleId,
        /// Which attempt.
        session_id: CprId,
        /// The post whose comments count.
        post_id: PostId,
        /// How many of them it takes.
        target_comments: i64,
        /// Until when.
        expires_at: Time,
    }

    /// An attempt to save a circle is over.
    CprResolved {
        /// Which circle.
        circle_id: CircleId,
        /// Which attempt.
        session_id: CprId,
        /// Whether it is saved.
        success: bool,
        /// When.
        created_at: Time,
    }
}
