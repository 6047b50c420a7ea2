//! FOR_YOU by weight: what those whom the viewer follows write and like, the heaviest first.
//!
//! All of it is computed when it is read, from a bounded number of candidates, which are ranked by their ids alone: the time
//! is in the id, and the weight is who of the followed wrote or likes the post. So a page reads no more posts than it shows.
//! The first page fixes the order: its cursor carries what follows.

use base::ids::{PostId, UserId};
use people::relationships::ViewContext;
use platform::{
    App,
    error::Result,
    page::{Cursor, Page},
};
use posts::{Post, PostView, Reader, listed, views, visible_to};

use super::{FeedAfter, Viewer, after, candidates, for_you::for_you};

/// Posts of a reading beyond those that are missing: of some the viewer sees nothing.
const SPARE_POSTS: usize = 3;
const READINGS_MAX: usize = 5;

/// Returns public posts that those whom the viewer follows wrote or like, the heaviest first; the newest ones of anyone
/// for somebody who follows nobody that did, or whom they may not see. See [`candidates::ranked`] for the weight.
///
/// # Errors
/// [`platform::Error::Invalid`] for a cursor that is not the viewer's.
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
    Ok(Page { rows: views(app, Some(viewer.user), rows).await?, after })
}

/// Returns the first `wanted` of these posts that the viewer sees, and those of them behind what was looked at.
async fn shown<'a>(
    app: &App,
    viewer: UserId,
    ids: &'a [PostId],
    wanted: usize,
) -> Result<(Vec<Post>, &'a [PostId])> {
    let reader = Reader::new(Some(viewer), ViewContext::Following);
    let (mut rows, mut rest) = (Vec::with_capacity(wanted), ids);
    for _ in 0..READINGS_MAX {
        let (next, behind) = rest.split_at(rest.len().min(wanted - rows.len() + SPARE_POSTS));
        let mut found = listed(app, &reader, next).await?;
        found.retain(|post| post.is_in_feed() && post.author != viewer);
        rows.extend(visible_to(app, &reader, found).await?);
        rest = behind;
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
