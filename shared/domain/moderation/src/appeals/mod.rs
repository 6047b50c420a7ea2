//! Appeals: the author of a hidden post asks once for another decision.
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
