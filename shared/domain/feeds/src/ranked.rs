//! The ranked FOR_YOU feed. The feed shows posts that followed users wrote or like, sorted by score.
//!
//! A request for the first page computes the ranking from a bounded number of candidates. The computation needs only
//! the IDs of posts, because an ID contains the time of writing. So a request reads only a few more posts than the page
//! shows. The first page fixes the order, and its cursor contains the remaining posts.

use base::{PostId, UserId};
use people::ViewContext;
use platform::{App, Cursor, Page, Result};
use posts::{Post, PostView, Reader, listed, view_page, visible_to};

use super::{FeedAfter, Viewer, after, candidates, for_you::for_you};

/// Number of extra posts in each read, because some posts are hidden from the viewer.
const SPARE_POSTS: usize = 3;
const READS_MAX: usize = 5;

/// Returns a page of public posts that followed users wrote or like, highest score first. If the viewer may see none of
/// the candidates, the first page has the newest public posts instead. A page can be short or empty, because it makes at
/// most 5 reads. [`candidates::ranked`] explains the score. Fails with [`platform::Error::Invalid`] if the cursor was not
/// issued to the viewer.
pub(super) async fn ranked(app: &App, viewer: Viewer, cursor: Cursor<FeedAfter>) -> Result<Page<PostView>> {
    let Cursor { take, after } = cursor;
    let is_first = after.is_none();
    let ids = match after {
        Some(FeedAfter::Post(post)) => {
            return for_you(app, Some(viewer), Cursor { take, after: Some(post) }).await;
        }
        Some(FeedAfter::Ranked(rest)) => after::open(app, viewer.user, &rest).await?,
        None => candidates::ranked(app, viewer.user).await?,
    };
    let (rows, rest) = shown(app, viewer.user, &ids, take.rows()).await?;
    if is_first && rows.is_empty() && rest.is_empty() {
        return for_you(app, Some(viewer), Cursor { take, after: None }).await;
    }
    let after = after::seal(app, viewer.user, rest).await?;
    view_page(app, Some(viewer.user), Page { rows, after }).await
}

/// Returns the first `wanted` posts in `ids` that the viewer may see. Also returns the IDs after these posts.
async fn shown<'a>(
    app: &App,
    viewer: UserId,
    ids: &'a [PostId],
    wanted: usize,
) -> Result<(Vec<Post>, &'a [PostId])> {
    let reader = Reader::new(Some(viewer), ViewContext::Following);
    let (mut rows, mut rest) = (Vec::with_capacity(wanted), ids);
    for _ in 0..READS_MAX {
        let (next, remaining) = rest.split_at(rest.len().min(wanted - rows.len() + SPARE_POSTS));
        let mut found = listed(app, &reader, next).await?;
        found.retain(|post| post.is_in_feed() && post.author != viewer);
        rows.extend(visible_to(app, &reader, found).await?);
        rest = remaining;
        if rows.len() >= wanted || rest.is_empty() {
            break;
        }
    }
    if rows.len() > wanted {
        rows.truncate(wanted);
        let last = rows.last().and_then(|last| ids.iter().position(|id| *id == last.id));
        rest = last.map_or(rest, |last| &ids[last + 1..]);
    }
    Ok((rows, rest))
}
