//! The uploads that posts show: taken when a post is written, shown when they are ready, let go when it is deleted.

use base::{
    ids::{PostId, UploadId, UserId},
    jobs::MediaJob,
};
use platform::{App, Result, error::Error, outbox::outbox_record_write, retry_on_conflict, table::Write};
use uploads::Upload;

use crate::{Alt, Media, MediaDraft, MediaDrafts, MediaList, Post, key};

/// The uploads that a draft names, in its order.
pub(crate) struct Attachments(Vec<(Upload, Option<Alt>)>);

/// Finds the uploads that a draft names.
///
/// # Errors
/// [`Error::Invalid`] for what is no upload of the author.
pub(crate) async fn find(app: &App, author: UserId, drafts: Option<&MediaDrafts>) -> Result<Attachments> {
    let files = drafts.map_or(&[][..], MediaDrafts::files);
    if files.is_empty() {
        return Ok(Attachments(Vec::new()));
    }
    let ids: Vec<_> = files.iter().map(|it| it.id).collect();
    let own = uploads::find_all_own(app, author, &ids).await?;
    let attach = |(position, file)| attach(&own, position, file);
    files.iter().enumerate().map(attach).collect::<Result<_>>().map(Attachments)
}

fn attach(own: &[Upload], position: usize, file: &MediaDraft) -> Result<(Upload, Option<Alt>)> {
    let refused = |field: &str, why: &str| Error::invalid(&format!("media[{position}].{field}"), why);
    let upload = own.iter().find(|upload| upload.id == file.id);
    let upload = upload.ok_or_else(|| refused("id", "must be an upload of yours"))?;
    if file.key.as_ref().is_some_and(|key| *key != upload.key) {
        return Err(refused("key", "must be the upload's own"));
    }
    Ok((upload.clone(), file.alt.clone()))
}

impl Attachments {
    /// Returns the files as the post shows them.
    ///
    /// # Errors
    /// Fails when the function has no bucket.
    pub(crate) fn media(&self, app: &App) -> Result<MediaList> {
        let media = self.0.iter().map(|(upload, alt)| {
            let url = uploads::address(app, &upload.key)?;
            Ok(Media::new(upload, url, alt.clone()))
        });
        media.collect::<Result<Vec<_>>>().map(MediaList::from)
    }

    /// Returns the writes that have a post take the uploads. They are stale when one changed after it was read.
    ///
    /// # Errors
    /// [`Error::Invalid`] when one is refused, or too many posts wait for it.
    pub(crate) fn use_writes(&self, post: PostId) -> Result<Vec<Write>> {
        self.0.iter().filter_map(|(upload, _)| uploads::use_write(upload, post).transpose()).collect()
    }
}

/// Has the posts that wait for an upload show it as it is now.
///
/// # Errors
/// Fails when the table does.
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
    // Another upload of the post may be ready at the same time.
    app.table.write(Write::update(key(post.id)).equals("media", &post.media).set("media", media)).await
}

/// Returns the letter that has a post, or a draft, let go of uploads that it does not show any more; none for none.
pub(crate) fn release_write(
    app: &App,
    post: PostId,
    uploads: impl Iterator<Item = UploadId>,
) -> Option<Write> {
    let jobs = uploads.map(|upload| MediaJob::Release { upload, post });
    let letter =
        |letter: Option<Write>, job| Some(letter.unwrap_or_else(|| outbox_record_write(app)).then(&job));
    jobs.fold(None, letter)
}
