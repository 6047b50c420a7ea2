//! Adds previews to posts.

use base::{OutboundJob, PostId, UserId};
use platform::{App, Key, Result, Row, Time, Write, fetches, outcomes, retry_on_conflict};
use serde::{Deserialize, Serialize};
use uploads::{Picture, Upload, UploadStatus};

use super::{
    IMAGE_MIN_PIXELS, Preview,
    fetch::{self, Page},
};
use crate::{Post, key};

/// A preview that a post does not have yet.
pub struct NewPreview {
    /// The preview.
    pub preview: Preview,
    /// The write that adds the post to the posts that wait for the copy of the page's image. `None` if no copy is
    /// pending.
    pub wait_write: Option<Write>,
}

/// Adds the preview of a post's first link to the post. Has no effect if the post was deleted or already has the
/// preview.
///
/// # Errors
/// Fails with an internal error if the fetch failed. The job is then retried. After three failed fetches, the job
/// succeeds without a preview.
pub async fn show(app: &App, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(post) = app.table.get::<Post>(&key(id)).await? else {
            return outcomes::end("the post is gone");
        };
        let link = post.first_link().filter(|_| !post.is_deleted);
        let (job, of) = (OutboundJob::Preview { post: id }, (post.id, post.author));
        let again = (&job, post.updated_at);
        let missing = missing_preview(app, of, link, post.preview.as_ref(), again).await?;
        let Some(NewPreview { preview, wait_write }) = missing else {
            return outcomes::end("no new preview");
        };
        let still = Write::update(key(id)).equals("edits", post.edits).equals("isDeleted", false);
        let write = still.set("preview", preview);
        app.table.write_all([write].into_iter().chain(wait_write).collect()).await
    })
    .await
}

/// The key and the preview of a post or of a circle post.
#[derive(Serialize, Deserialize)]
struct Shown {
    pk: String,
    sk: String,
    preview: Option<Preview>,
}

impl Row for Shown {
    fn key(&self) -> Key {
        Key::new(self.pk.clone(), self.sk.clone())
    }
}

/// Shows the finished copy of a page's image in posts. `posts` has at most 100 keys of posts or circle posts. Omits
/// posts that do not exist or have another preview. Reads all posts at once.
///
/// # Errors
/// Fails if a read or write of the table fails.
pub async fn show_image(app: &App, posts: &[Key], copy: &Upload) -> Result<()> {
    retry_on_conflict(async || {
        for post in app.table.batch_get::<Shown>(posts).await? {
            let with_image = |before| with_image(app, before, copy).transpose();
            let Some(preview) = post.preview.as_ref().and_then(with_image).transpose()? else { continue };
            let write = Write::update(post.key()).equals("preview", &post.preview);
            app.table.write(write.set("preview", preview)).await?;
        }
        Ok(())
    })
    .await
}

/// Returns the preview of a link in the post. Returns `None` if the post already has this preview (`shown`), or if the
/// page has no metadata. Also returns `None` while a limit or the circuit breaker prevents the fetch. In this
/// case, sends the job `again` to its queue with a delay, until it has waited for 6 hours after `since`.
///
/// # Errors
/// Fails with an internal error if the fetch failed for the first or second time within an hour.
pub async fn missing_preview(
    app: &App,
    (post, author): (PostId, UserId),
    link: Option<&str>,
    shown: Option<&Preview>,
    (again, since): (&OutboundJob, Time),
) -> Result<Option<NewPreview>> {
    let Some(link) = link.filter(|link| shown.is_none_or(|preview| preview.url != *link)) else {
        return Ok(None);
    };
    let page = match fetch::page(app, author, link).await? {
        Page::Found(page) => page,
        Page::Nothing => return Ok(None),
        Page::Later(seconds) => {
            return fetches::wait(app, again, since, seconds).await.map(|_| None);
        }
    };
    let preview = page.preview(link);
    let copy = match preview.copy {
        Some(copy) => uploads::find(app, copy).await?,
        None => None,
    };
    let Some(copy) = copy else { return Ok(Some(NewPreview { preview, wait_write: None })) };
    let wait_write = if copy.status == UploadStatus::Pending { copy.wait_write(post) } else { None };
    let preview = with_image(app, &preview, &copy)?.unwrap_or(preview);
    Ok(Some(NewPreview { preview, wait_write }))
}

/// Returns the preview with the image of a finished copy. Returns `None` if `before` has another copy or already has
/// the image, or if the copy is not finished or too small.
fn with_image(app: &App, before: &Preview, copy: &Upload) -> Result<Option<Preview>> {
    let is_large = |picture: &Picture| picture.width.min(picture.height) >= IMAGE_MIN_PIXELS;
    if before.copy != Some(copy.id) || before.image.is_some() || !copy.picture.as_ref().is_some_and(is_large)
    {
        return Ok(None);
    }
    let image = copy.medium(app)?;
    Ok(image.map(|image| Preview { image: Some(image), ..before.clone() }))
}
