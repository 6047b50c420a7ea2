//! Moderation decisions about users and their posts, as the affected user sees them: the user, or the author of the
//! post. A decision has an action, a reason and a decider.
//!
//! May use `appeals`, `decider` and `reports`.

mod row;
mod store;
mod view;

pub use row::{AppealNote, ShownAction};
pub(crate) use row::{AuthorDecision, Grounds, Subject, find};
pub(crate) use store::{NewDecision, new_writes, notice_writes, restored_writes};
pub use view::{AuthorDecisionView, list};
pub(crate) use view::{has_strike, list_after, newest};
