//! Posts and comments in circles, and their grades.
//!
//! `row` is the stored row. `write`, `list` and `by_id` serve requests. `judging` is the worker. The worker gets a
//! grade from `checks` or `verdicts`, or `waiting` waits for an external judge. One transaction applies the grade to
//! the post, the circle's energy, its CPR and the author's quests: see `effects`. `rejudging` applies the grade of an
//! edited post. `reward` prevents a second reward for the same text.
//!
//! This module may use the parent module, and everything that the parent module may use.

mod bands;
pub mod by_id;
mod checks;
mod effects;
mod erase;
mod job;
mod judging;
mod list;
mod post_rate;
mod preview;
mod rejudging;
mod resend;
mod reward;
mod row;
mod uncount;
mod verdicts;
mod view;
pub mod waiting;
mod write;

pub(super) use erase::erase_author_page;
pub use job::JudgeJob;
pub use judging::{Applied, ExternalVerdict, judge, receive};
pub use list::{CirclePostQuery, CirclePostSort, list};
pub(super) use list::{best, page_to_purge};
pub use preview::show_preview;
pub(super) use resend::{resend_unjudged, unjudged};
pub use row::{CirclePost, CirclePostKind, key};
use row::{Judged, Thread};
pub use uncount::{recount_write, uncount_write};
pub use view::{CirclePostView, JudgeStanding, JudgeStatus, judge_standing};
pub use write::{CirclePostDraft, create};

use base::PostId;
use platform::{App, Error, Result};

const NO_POST: Error = Error::NotFound("post");

/// Returns a post or comment in a circle.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or was deleted.
pub async fn find(app: &App, id: PostId) -> Result<CirclePost> {
    find_any(app, id).await?.filter(|post| !post.is_deleted()).ok_or(NO_POST)
}

/// Returns a post or comment in a circle, even if it was deleted.
pub(super) async fn find_any(app: &App, id: PostId) -> Result<Option<CirclePost>> {
    app.table.get(&key(id)).await
}
