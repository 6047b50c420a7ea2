//! What takes an upload: posts, and profiles as their picture. What nothing takes within a day is swept, and what the last
//! post lets go of goes at once.

use platform::{App, Result, error::Error, table::Write};

use super::{
    row::{Upload, key, of_key},
    status::{Reason, UploadStatus},
};
use crate::ids::{PostId, UploadId, UserId};

/// The most posts that show one upload.
const POSTS_MAX: usize = 20;

/// Returns the write that has a post take an upload; none where nothing changes by it. It is stale when the upload
/// changed after it was read. Costs 3 WRU, 4 for the first.
///
/// # Errors
/// [`Error::Invalid`] when the upload is refused, or is in too many posts.
pub(crate) fn use_write(before: &Upload, post: PostId) -> Result<Option<Write>> {
    if before.status == UploadStatus::Refused {
        return Err(Error::invalid("media", "must be uploads that were not refused"));
    }
    if before.is_shown_as_it_is() || before.posts.contains(&post) {
        return Ok(None);
    }
    let mut after = Upload { uses: before.uses + 1, ..before.clone() };
    after.posts.push(post);
    if after.posts.len() > POSTS_MAX {
        return Err(Error::invalid("media", "is in 20 posts already: upload it again"));
    }
    Ok(Some(before.change_write(&after)))
}

/// Returns an upload as it is when a post has let go of it: refused where nothing else takes it. None where the post does
/// not take it.
pub(in crate::media) fn without_post(before: &Upload, post: PostId) -> Option<Upload> {
    let mut after = Upload { uses: before.uses - 1, ..before.clone() };
    after.posts.retain(|it| *it != post);
    if after.uses == 0 {
        (after.status, after.reason) = (UploadStatus::Refused, Some(Reason::Unused));
    }
    before.posts.contains(&post).then_some(after)
}

/// Has a profile take an upload as its picture, where the address is that of an own upload. Costs no call for another
/// address; else 1 call and 1 RRU, and 1 call and 2 WRU for the first use.
///
/// # Errors
/// [`Error::Stale`] when the upload changed in between.
pub(crate) async fn avatar_use(app: &App, owner: UserId, address: &str) -> Result<()> {
    let Some(id) = of_address(address) else { return Ok(()) };
    let Some(upload) = app.table.get::<Upload>(&key(id)).await? else { return Ok(()) };
    let refused = upload.status == UploadStatus::Refused;
    if upload.owner != owner || upload.is_avatar || upload.is_shown_as_it_is() || refused {
        return Ok(());
    }
    let after = Upload { uses: upload.uses + 1, is_avatar: true, ..upload.clone() };
    app.table.write(upload.change_write(&after)).await
}

fn of_address(address: &str) -> Option<UploadId> {
    let (_, below) = address.split_once("/uploads/")?;
    of_key(&format!("uploads/{below}"))
}
