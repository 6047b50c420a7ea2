//! The outbox: the jobs, events and counters that follow from a write. The relay delivers them.
//!
//! [`crate::table::Write`] stores the outbox on the written row, as part of the write.

mod record;
mod relay;

pub use crate::table::outbox::{ATTRIBUTE, Counter, Outbox, for_redelivery, written_at};
pub use record::{outbox_jobs_write, outbox_record_write};
pub use relay::{Undelivered, deliver};
