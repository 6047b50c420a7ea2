//! Uses of an upload: in posts, and as the picture of profiles and message groups. An unused upload is deleted after a
//! day. When the deletion of a post ends the last use, the upload is deleted immediately.

use base::{PostId, UploadId, UserId};
use futures::{future::try_join_all, try_join};
use platform::{App, Error, Result, Write};
use ulid::Ulid;

use super::{Reason, Upload, UploadStatus, key, of_key};

/// Maximum number of posts that use one upload.
const POSTS_MAX: usize = 20;
/// Maximum number of profiles and message groups that have the same upload as their picture.
const PICTURES_MAX: usize = 20;

/// Returns the write that adds a post to an upload, or `None` if the post already uses the upload. The write fails with
/// a conflict if the upload changed after it was read.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the upload was refused, or is already used in 20 posts.
pub fn use_write(before: &Upload, post: PostId) -> Result<Option<Write>> {
    if before.status == UploadStatus::Refused || before.is_hidden {
        return Err(Error::invalid("media", "must be uploads that were not refused"));
    }
    if before.posts.contains(&post) {
        return Ok(None);
    }
    let mut after = Upload { uses: before.uses + 1, ..before.clone() };
    after.posts.push(post);
    if after.posts.len() > POSTS_MAX {
        return Err(Error::invalid("media", "an upload can be in at most 20 posts. Upload the file again."));
    }
    Ok(Some(before.change_write(&after)))
}

impl Upload {
    /// Returns the write that makes a post wait for the upload. A waiting post is updated when the upload is ready.
    /// Returns `None` if the post already waits, or if 20 posts already wait.
    pub fn wait_write(&self, post: PostId) -> Option<Write> {
        use_write(self, post).ok().flatten()
    }
}

/// Returns the upload without its use in `post`, or `None` if the post does not use the upload. If no other use
/// remains, the returned upload has the status `Refused`.
pub fn without_post(before: &Upload, post: PostId) -> Option<Upload> {
    let mut after = Upload { uses: before.uses - 1, ..before.clone() };
    after.posts.retain(|other| *other != post);
    if after.uses == 0 {
        (after.status, after.reason) = (UploadStatus::Refused, Some(Reason::Unused));
    }
    before.posts.contains(&post).then_some(after)
}

/// Returns the writes for changed pictures of a user or a message group. Uploads that are only in `before` lose this
/// use. Uploads of `owner` that are only in `after` get it. `read` is an upload in `after` that the caller has already
/// read. The writes fail with a conflict if an upload changed after it was read.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the upload was refused, or is already the picture of 20 profiles and message groups.
pub(super) async fn picture_writes(
    app: &App,
    (owner, of): (UserId, Ulid),
    before: &[UploadId],
    after: &[UploadId],
    read: Option<Upload>,
) -> Result<Vec<Write>> {
    let unread: Vec<_> =
        after.iter().copied().filter(|id| read.as_ref().is_none_or(|upload| upload.id != *id)).collect();
    let (released, mut taken) = try_join!(find_new(app, before, after), find_new(app, &unread, before))?;
    taken.extend(read.filter(|upload| !before.contains(&upload.id)));
    let released =
        released.iter().filter_map(|upload| Some(Ok(upload.change_write(&without_picture(upload, of)?))));
    let taken = taken.iter().filter(|upload| upload.owner == Some(owner));
    let taken = taken.filter_map(|upload| add_picture_write(upload, of).transpose());
    released.chain(taken).collect()
}

/// Returns the writes that release the uploads of the picture of a deleted message group.
///
/// # Errors
/// Fails if the table fails.
pub async fn release_picture_writes(app: &App, of: Ulid, picture: &[UploadId]) -> Result<Vec<Write>> {
    let used = find_new(app, picture, &[]).await?;
    Ok(used.iter().filter_map(|upload| Some(upload.change_write(&without_picture(upload, of)?))).collect())
}

/// Returns the uploads in `ids` that are not in `other`.
async fn find_new(app: &App, ids: &[UploadId], other: &[UploadId]) -> Result<Vec<Upload>> {
    let new = ids.iter().filter(|id| !other.contains(id));
    let uploads = try_join_all(new.map(async |id| app.table.get(&key(*id)).await)).await?;
    Ok(uploads.into_iter().flatten().collect())
}

/// Returns the upload without its use as the picture of `of`, which is a user or message group. Returns `None` if the
/// upload is not that picture.
fn without_picture(before: &Upload, of: Ulid) -> Option<Upload> {
    let mut after = Upload { uses: before.uses - 1, ..before.clone() };
    after.picture_of.retain(|other| *other != of);
    before.picture_of.contains(&of).then_some(after)
}

fn add_picture_write(before: &Upload, of: Ulid) -> Result<Option<Write>> {
    if before.status == UploadStatus::Refused || before.is_hidden {
        return Err(Error::invalid("avatar", "must not be an upload that was refused"));
    }
    if before.picture_of.contains(&of) {
        return Ok(None);
    }
    let mut after = Upload { uses: before.uses + 1, ..before.clone() };
    after.picture_of.push(of);
    if after.picture_of.len() > PICTURES_MAX {
        return Err(Error::invalid(
            "avatar",
            "an upload can be the picture of at most 20 profiles and groups. Upload the file again.",
        ));
    }
    Ok(Some(before.change_write(&after)))
}

/// Returns the ID of the upload to which a URL belongs, or `None` for other URLs.
pub fn of_url(url: &impl ToString) -> Option<UploadId> {
    let url = url.to_string();
    let (_, path) = url.split_once("/uploads/")?;
    of_key(&format!("uploads/{path}"))
}
