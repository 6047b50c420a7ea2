//! Appeals: somebody asks once that what was hidden of theirs is looked at again.
//!
//! May use what its parent may, and `enforcement`.

mod decide;
mod erase;
mod make;
mod row;

pub use decide::{AppealAction, AppealDecision, decide};
pub use erase::erase_appellant;
pub use make::{AppealDraft, Appealed, appeal};
pub use row::{Appeal, AppealStatus, key, list};
