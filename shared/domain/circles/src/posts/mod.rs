//! The posts and comments of a circle, and how the judge grades them.
//!
//! `row` is what is stored, `write`, `list` and `by_id` answer requests. `judging` is the worker: it takes a grade
//! from `checks` or `verdicts`, and applies it to the post, the circle's energy, its CPR and the author's quests in
//! one transaction. `reward` keeps a text from being rewarded twice.
//!
//! May use what its parent may, and `circles` itself.

pub mod by_id;
mod checks;
mod judging;
mod list;
mod post_rate;
mod preview;
mod resend;
mod reward;
mod row;
mod verdicts;
mod view;
mod withdraw;
mod write;

pub use judging::{Applied, ExternalVerdict, JudgeJob, judge, receive};
pub use list::{CirclePostQuery, CirclePostSort, list};
pub(super) use list::{best, page_to_purge};
pub use preview::show_preview;
pub(super) use resend::{resend_unjudged, unjudged};
pub use row::{CirclePost, CirclePostKind, Judged, Thread, key};
pub use view::{CirclePostView, JudgeStanding, JudgeStatus, judge_standing};
pub(super) use withdraw::{erase_author_page, find_any};
pub use write::{CirclePostDraft, create};

use base::ids::PostId;
use platform::{
    App,
    error::{Error, Result},
};

/// The refusal for a circle's post that does not exist.
pub const NO_POST: Error = Error::NotFound("post");

/// Returns a circle's post, unless it was deleted.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post.
pub async fn find(app: &App, id: PostId) -> Result<CirclePost> {
    let found: Option<CirclePost> = app.table.get(&key(id)).await?;
    found.filter(|it| !it.is_deleted()).ok_or(NO_POST)
}
