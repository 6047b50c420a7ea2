//! What takes an upload: posts, and profiles as their picture. What nothing takes within a day is swept.

use platform::{App, Result, error::Error, table::Write};

use super::{
    row::{Upload, key, of_key},
    status::UploadStatus,
};
use crate::ids::{PostId, UploadId, UserId};

/// The most posts that wait for one upload.
const WAITING_MAX: usize = 20;

/// Returns the write that has a post take an upload; none where nothing changes by it. It is stale when the upload
/// changed after it was read. Costs 2 WRU, 3 for the first.
///
/// # Errors
/// [`Error::Invalid`] when the upload is refused, or too many posts wait for it.
pub(crate) fn use_write(before: &Upload, post: PostId) -> Result<Option<Write>> {
    if before.status == UploadStatus::Refused {
        return Err(Error::invalid("media", "must be uploads that were not refused"));
    }
    if before.is_shown_as_it_is() || (before.uses > 0 && before.status.is_final()) {
        return Ok(None);
    }
    let mut after = Upload { uses: before.uses + 1, ..before.clone() };
    if !before.status.is_final() {
        after.posts.push(post);
    }
    if after.posts.len() > WAITING_MAX {
        return Err(Error::invalid("media", "is in 20 posts already and not ready: try again when it is"));
    }
    Ok(Some(before.change_write(&after)))
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
    if upload.owner != owner || upload.uses > 0 || upload.is_shown_as_it_is() || refused {
        return Ok(());
    }
    let after = Upload { uses: 1, ..upload.clone() };
    app.table.write(upload.change_write(&after)).await
}

fn of_address(address: &str) -> Option<UploadId> {
    let (_, below) = address.split_once("/uploads/")?;
    of_key(&format!("uploads/{below}"))
}
