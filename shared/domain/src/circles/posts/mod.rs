//! What members write in a circle, and what the judge makes of it.

mod checks;
mod judging;
mod list;
mod pace;
mod row;
mod verdicts;
mod view;
mod write;

pub use judging::{Applied, ExternalVerdict, JudgeJob, judge, receive};
pub use list::{CirclePostQuery, CirclePostSort, list};
pub(super) use list::{best, page_to_purge};
pub use row::{CirclePost, CirclePostKind, Judged, Thread, key};
pub use view::{CirclePostView, JudgeStanding, JudgeStatus, judge_standing};
pub use write::{CirclePostDraft, create};

use platform::{
    App,
    error::{Error, Result},
};

use crate::ids::PostId;

/// The refusal for a post of a circle that is not there, or not any more.
pub const NO_POST: Error = Error::NotFound("post");

/// A post of a circle. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
pub async fn find(app: &App, id: PostId) -> Result<CirclePost> {
    app.table.get(&key(id)).await?.ok_or(NO_POST)
}
