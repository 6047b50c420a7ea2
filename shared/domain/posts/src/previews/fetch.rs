//! Fetches the page of a link.

use std::{sync::Arc, time::Duration};

use anyhow::anyhow;
use base::{OutboundJob, UserId};
use http::header::CONTENT_TYPE;
use moka::sync::Cache;
use platform::{
    App, Error, Result, Write,
    fetches::{self, FAILURES_MAX, Fetched},
    guarded::{Answer, Limits},
    outbox_record_write,
};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use super::{
    charset::decode,
    markup::{Markup, has_whole_head},
    page::summary,
    row::{CachedPage, PageSummary, key},
};

/// Limits of a fetch. Only the head of a page is needed, but a head with inline styles and scripts can be large.
const LIMITS: Limits =
    Limits { wait: Duration::from_secs(6), body_max_bytes: 1024 * 1024, is_enough: Some(has_whole_head) };
const LOCKS_MAX: u64 = 1_000;
/// Content types to ask for, and the name of the client.
const REQUEST: (&str, &str) = ("text/html, application/xhtml+xml", "SocialPlatform/1.0 (link previews)");

/// The result of [`page`].
pub(super) enum Page {
    /// The metadata of the page.
    Found(PageSummary),
    /// The page does not exist or has no metadata, its address is forbidden, or three fetches failed.
    Nothing,
    /// A limit or the circuit breaker allows the fetch after this number of seconds.
    Later(i64),
}

impl From<Option<PageSummary>> for Page {
    fn from(summary: Option<PageSummary>) -> Self {
        summary.map_or(Self::Nothing, Self::Found)
    }
}

/// Locks for the pages that this instance is fetching. With the locks, posts with the same link cause only one fetch.
struct FetchLocks(Cache<String, Arc<Mutex<()>>>);

/// Returns the metadata of a page, from the cache or from the page itself.
///
/// Several instances may fetch a new link concurrently. Fails with an internal error if the fetch failed for the first
/// or second time within an hour.
pub(super) async fn page(app: &App, author: UserId, link: &str) -> Result<Page> {
    let Some(url) = app.guarded.link(link) else { return Ok(Page::Nothing) };
    let hash = hex::encode(Sha256::digest(url.as_str()));
    let locks = app.memory.get_or_init(|| FetchLocks(Cache::new(LOCKS_MAX)));
    let lock = locks.0.get_with(hash.clone(), Arc::default);
    let _guard = lock.lock().await;
    let cached = app.table.get::<CachedPage>(&key(&hash)).await?.filter(|page| app.now() < page.expires);
    let failures = match cached {
        Some(CachedPage { summary: None, failures: failures @ 1..FAILURES_MAX, .. }) => failures,
        Some(cached) => return Ok(cached.summary.into()),
        None => 0,
    };
    if let Some(seconds) = fetches::seconds_to_wait(app, Some(("preview", &author.to_string())), &url).await?
    {
        return Ok(Page::Later(seconds));
    }
    let (summary, failures) = match fetches::fetch(app, url, REQUEST, LIMITS).await? {
        Fetched::Answer(answer) => (summary_of(&answer), 0),
        Fetched::Nothing => (None, 0),
        Fetched::Failure => (None, failures + 1),
        Fetched::Later(seconds) => return Ok(Page::Later(seconds)),
    };
    let cached = store(app, CachedPage::new(hash, summary, failures, app.now())).await?;
    match failures {
        1..FAILURES_MAX => Err(Error::internal(anyhow!("failed to fetch a page"))),
        _ => Ok(cached.summary.into()),
    }
}

/// Stores a page. If the page has an image, also creates the upload and the job that copy the image.
async fn store(app: &App, mut page: CachedPage) -> Result<CachedPage> {
    let mut writes = Vec::new();
    if let Some(summary) = &mut page.summary
        && let Some(image) = &summary.image
    {
        let copy = uploads::new_page_copy(app, image);
        summary.copy = Some(copy.id);
        let job = outbox_record_write(app).then(&OutboundJob::CopyPicture { upload: copy.id });
        writes = vec![Write::create(&copy), job];
    }
    writes.push(Write::put(&page));
    app.table.write_all(writes).await?;
    Ok(page)
}

fn summary_of(answer: &Answer) -> Option<PageSummary> {
    let content_type = answer.headers.get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let markup = Markup::of(content_type)?;
    summary(&decode(&answer.body, content_type), markup, &answer.url)
}
