//! Uploads attached to posts.
//!
//! A new post reserves its uploads, so that they are not deleted. A worker updates the post when an upload is ready. A
//! deleted post releases its uploads.

use base::{MediaJob, PostId, UploadId, UserId};
use platform::{App, Error, Result, Write, outbox::outbox_jobs_write, retry_on_conflict};
use uploads::Upload;

use crate::{Alt, Media, MediaDraft, MediaDrafts, MediaList, Post, key};

/// The uploads of a new post with their alternative texts, in display order.
pub(crate) struct Attachments(Vec<(Upload, Option<Alt>)>);

/// Returns the uploads for the files of a new post. Fails with [`Error::Invalid`] if a file is not an upload of the
/// author.
pub(crate) async fn find(app: &App, author: UserId, drafts: Option<&MediaDrafts>) -> Result<Attachments> {
    let files = drafts.map_or(&[][..], MediaDrafts::files);
    if files.is_empty() {
        return Ok(Attachments(Vec::new()));
    }
    let ids: Vec<_> = files.iter().map(|file| file.id).collect();
    let own = uploads::find_all_own(app, author, &ids).await?;
    let attach = |(position, file)| attach(&own, position, file);
    files.iter().enumerate().map(attach).collect::<Result<_>>().map(Attachments)
}

fn attach(own: &[Upload], position: usize, file: &MediaDraft) -> Result<(Upload, Option<Alt>)> {
    let invalid = |field: &str, why: &str| Error::invalid(&format!("media[{position}].{field}"), why);
    let upload = own.iter().find(|upload| upload.id == file.id);
    let upload = upload.ok_or_else(|| invalid("id", "must be an upload of yours"))?;
    if file.key.as_ref().is_some_and(|key| *key != upload.key) {
        return Err(invalid("key", "must match the upload"));
    }
    Ok((upload.clone(), file.alt.clone()))
}

impl Attachments {
    /// Returns the files as stored with the post. Fails if no bucket is configured.
    pub(crate) fn media(&self, app: &App) -> Result<MediaList> {
        let media = self.0.iter().map(|(upload, alt)| {
            let url = uploads::address(app, &upload.key)?;
            Ok(Media::new(upload, url, alt.clone()))
        });
        media.collect::<Result<Vec<_>>>().map(MediaList::from)
    }

    /// Returns the writes that reserve the uploads for a post. The writes fail with a conflict if an upload changed
    /// after it was read. Fails with [`Error::Invalid`] if an upload was refused, or if too many posts use the upload.
    pub(crate) fn use_writes(&self, post: PostId) -> Result<Vec<Write>> {
        self.0.iter().filter_map(|(upload, _)| uploads::use_write(upload, post).transpose()).collect()
    }
}

/// Updates the file of `upload` in all posts that use the upload.
///
/// # Errors
/// Fails if a read or write of the table fails.
pub async fn show(app: &App, upload: &Upload) -> Result<()> {
    for post in &upload.posts {
        retry_on_conflict(async || show_in(app, *post, upload).await).await?;
    }
    Ok(())
}

async fn show_in(app: &App, post: PostId, upload: &Upload) -> Result<()> {
    let Some(post) = app.table.get::<Post>(&key(post)).await? else { return Ok(()) };
    let media = post.media.with(upload);
    if media == post.media {
        return Ok(());
    }
    // A concurrent job may update the post for a different upload.
    app.table.write(Write::update(key(post.id)).equals("media", &post.media).set("media", media)).await
}

/// Returns the outbox record that releases uploads of a post or draft, or `None` if `uploads` is empty.
pub(crate) fn release_write(
    app: &App,
    post: PostId,
    uploads: impl Iterator<Item = UploadId>,
) -> Option<Write> {
    outbox_jobs_write(app, uploads.map(|upload| MediaJob::Release { upload, post }))
}

/// Returns the outbox record that hides or shows the public files after moderators deleted or restored the post.
/// Returns `None` if the post has no files.
pub fn place_write(app: &App, post: &Post) -> Option<Write> {
    outbox_jobs_write(app, post.media.uploads().map(|upload| MediaJob::Place { upload, post: post.id }))
}
