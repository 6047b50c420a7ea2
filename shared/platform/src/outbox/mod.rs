//! The outbox: what follows from a write lies on its row, in the same write, and the relay delivers it.
//!
//! [`crate::table::Write`] lays it there.

mod record;
mod relay;

pub use crate::table::outbox::{ATTRIBUTE, Counter, Outbox, again, laid_at};
pub use record::outbox_record_write;
pub use relay::{Undelivered, deliver};
