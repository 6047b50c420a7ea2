//! What takes an upload: posts, and profiles and crowds as their picture. What nothing takes within a day is swept, so also
//! a picture that gave way to another; what the last post lets go of goes at once.

use base::ids::{PostId, UploadId, UserId};
use futures::try_join;
use platform::{App, Result, error::Error, table::Write};
use ulid::Ulid;

use super::{
    row::{Upload, key, of_key},
    status::{Reason, UploadStatus},
};

/// The most posts that show one upload.
const POSTS_MAX: usize = 20;
/// The most profiles and crowds of which one upload is the picture.
const PICTURES_MAX: usize = 20;

/// Returns the write that has a post take an upload; none where nothing changes by it. It is stale when the upload
/// changed after it was read.
///
/// # Errors
/// [`Error::Invalid`] when the upload is refused, or is in too many posts.
pub fn use_write(before: &Upload, post: PostId) -> Result<Option<Write>> {
    if before.status == UploadStatus::Refused {
        return Err(Error::invalid("media", "must be uploads that were not refused"));
    }
    if before.posts.contains(&post) {
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
pub fn without_post(before: &Upload, post: PostId) -> Option<Upload> {
    let mut after = Upload { uses: before.uses - 1, ..before.clone() };
    after.posts.retain(|it| *it != post);
    if after.uses == 0 {
        (after.status, after.reason) = (UploadStatus::Refused, Some(Reason::Unused));
    }
    before.posts.contains(&post).then_some(after)
}

/// Returns the writes by which a profile or a crowd lets go of the upload that was its picture, and takes another where
/// the address is that of an own upload; none where nothing changes by it. They are stale when an upload changed in
/// between.
///
/// # Errors
/// [`Error::Invalid`] when the upload is the picture of too many already.
pub async fn picture_writes(
    app: &App,
    (owner, of): (UserId, Ulid),
    before: Option<String>,
    after: Option<String>,
) -> Result<Vec<Write>> {
    let [before, after] = [before, after].map(|it| it.as_deref().and_then(of_address));
    if before == after {
        return Ok(Vec::new());
    }
    let (before, after) = try_join!(find(app, before), find(app, after))?;
    let released = before.and_then(|it| Some(it.change_write(&without_picture(&it, of)?)));
    let taken = after.filter(|it| it.owner == owner).map(|it| take_write(&it, of)).transpose()?;
    Ok(released.into_iter().chain(taken.flatten()).collect())
}

async fn find(app: &App, id: Option<UploadId>) -> Result<Option<Upload>> {
    match id {
        Some(id) => app.table.get(&key(id)).await,
        None => Ok(None),
    }
}

/// Returns an upload as it is when a profile or a crowd has let go of it. None where it does not take it.
fn without_picture(before: &Upload, of: Ulid) -> Option<Upload> {
    let mut after = Upload { uses: before.uses - 1, ..before.clone() };
    after.picture_of.retain(|it| *it != of);
    before.picture_of.contains(&of).then_some(after)
}

fn take_write(before: &Upload, of: Ulid) -> Result<Option<Write>> {
    if before.status == UploadStatus::Refused || before.picture_of.contains(&of) {
        return Ok(None);
    }
    let mut after = Upload { uses: before.uses + 1, ..before.clone() };
    after.picture_of.push(of);
    if after.picture_of.len() > PICTURES_MAX {
        return Err(Error::invalid("avatar", "is the picture of 20 crowds already: upload it again"));
    }
    Ok(Some(before.change_write(&after)))
}

fn of_address(address: &str) -> Option<UploadId> {
    let (_, below) = address.split_once("/uploads/")?;
    of_key(&format!("uploads/{below}"))
}
