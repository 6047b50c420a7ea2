//! Appeals. The author of a hidden post, or a banned user, can appeal once against the decision.
//!
//! May use `author_decision`, and everything that the parent module may use.

mod decide;
mod erase;
mod list;
mod make;
mod row;
mod view;

pub use decide::{AppealAction, AppealDecision, decide};
pub use erase::erase_appellant;
pub use list::list;
pub use make::{AppealDraft, Appealed, appeal};
pub(crate) use row::close_write;
pub use row::{Appeal, AppealStatus, key};
pub use view::AppealView;
