//! One attempt to settle likes, in one transaction.

use base::ids::PostId;
use futures::{future::try_join_all, try_join};
use platform::{
    App,
    error::{Error, Result},
};

use super::{
    batch::{PostLikes, UnsettledPost},
    row::vacate_row,
    settle_writes::{muted, settle_writes},
};
use crate::tallies::try_add_up;

/// Makes the engagements and their posts' counts agree, and notifies authors of new likes. Returns the posts whose tallies
/// do so once they are added up.
///
/// # Errors
/// [`Error::Stale`] when a user changed their mind, or another worker settled one of them meanwhile.
pub(super) async fn try_settle(app: &App, batch: &[PostLikes]) -> Result<Vec<(PostId, i64)>> {
    let keys: Vec<_> = batch.iter().flat_map(PostLikes::keys).collect();
    let mut rows = app.table.get_together(&keys).await?;
    let mut unsettled = Vec::new();
    for likes in batch {
        unsettled.extend(likes.take_unsettled(app, &mut rows)?);
    }
    add_up_first(app, &unsettled).await?;
    unsettled.retain(UnsettledPost::has_unsettled);
    if unsettled.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<_> = unsettled.iter().filter_map(|it| it.listing.row.clone()).collect();
    let closed = unsettled.iter().filter_map(|it| it.listing.closed.as_ref());
    let closed = try_join_all(closed.map(|it| app.table.try_write(it.grow_write())));
    let again = unsettled.iter().flat_map(UnsettledPost::likes_again);
    let vacated = try_join_all(again.map(|it| vacate_row(app, it)));
    let (muted, ..) = try_join!(muted(app, &unsettled), app.table.batch_write(&rows, &[]), closed, vacated)?;
    app.table.transact(unsettled.iter().flat_map(|it| settle_writes(app, it, &muted)).collect()).await?;
    Ok(unsettled.iter().filter_map(UnsettledPost::tallied).collect())
}

/// Adds up what lies in tallies of these people's likes: the worker that settled them may have ended before it did.
///
/// # Errors
/// [`Error::Stale`] when there was something: what was read is not true any more.
async fn add_up_first(app: &App, unsettled: &[UnsettledPost]) -> Result<()> {
    let mut is_stale = false;
    for (post, seq) in unsettled.iter().filter_map(UnsettledPost::to_add_up) {
        is_stale |= try_add_up(app, post, seq).await?;
    }
    if is_stale { Err(Error::Stale) } else { Ok(()) }
}
