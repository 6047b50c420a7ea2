//! Fetches the page of a link.

use std::{sync::Arc, time::Duration};

use anyhow::anyhow;
use base::ids::UserId;
use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, USER_AGENT},
};
use moka::sync::Cache;
use platform::{
    App, Result,
    breaker::{self, Purpose},
    error::Error,
    fetches::may_fetch,
    guarded::{Answer, Failure, Limits},
    table::Write,
};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use url::Url;

use super::{
    charset::decode,
    markup::{Markup, has_whole_head},
    page::summary,
    row::{CachedPage, PageSummary, key},
};

/// Limits of a fetch. Only the head of a page is needed, but a head with inline styles and scripts can be large.
const LIMITS: Limits =
    Limits { wait: Duration::from_secs(6), body_max_bytes: 1024 * 1024, is_enough: Some(has_whole_head) };
/// Number of failed fetches after which a page is not fetched again for an hour.
const FAILURES_MAX: u32 = 3;
const LOCKS_MAX: u64 = 1_000;
const AGENT: &str = "SocialPlatform/1.0 (link previews)";

enum Fetched {
    Summary(PageSummary),
    /// The page does not exist or has no metadata.
    Nothing,
    /// A temporary failure.
    Failure,
}

/// Locks for the pages that this instance is fetching. With the locks, posts with the same link cause only one fetch.
struct FetchLocks(Cache<String, Arc<Mutex<()>>>);

/// Returns the metadata of a page, from the cache or from the page itself.
///
/// Returns `None` if the page does not exist or has no metadata, if its address is forbidden, or after three failed
/// fetches. Also returns `None` if the author or the host reached a limit on fetches. Several instances may fetch a new
/// link concurrently. Fails with an internal error if the fetch failed for the first or second time within an hour.
pub(super) async fn page(app: &App, author: UserId, link: &str) -> Result<Option<PageSummary>> {
    let Some(url) = app.guarded.link(link) else { return Ok(None) };
    let hash = hex::encode(Sha256::digest(url.as_str()));
    let locks = app.memory.get_or_init(|| FetchLocks(Cache::new(LOCKS_MAX)));
    let lock = locks.0.get_with(hash.clone(), Arc::default);
    let _guard = lock.lock().await;
    let cached = app.table.get::<CachedPage>(&key(&hash)).await?.filter(|page| app.now() < page.expires);
    let failures = match cached {
        Some(CachedPage { summary: None, failures: failures @ 1..FAILURES_MAX, .. }) => failures,
        Some(cached) => return Ok(cached.summary),
        None => 0,
    };
    if !may_fetch(app, &author.to_string(), &url).await? {
        return Ok(None);
    }
    let (summary, failures) = match fetch(app, url).await? {
        Fetched::Summary(summary) => (Some(summary), 0),
        Fetched::Nothing => (None, 0),
        Fetched::Failure => (None, failures + 1),
    };
    let cached = CachedPage::new(hash, summary, failures, app.now());
    app.table.write(Write::put(&cached)).await?;
    match failures {
        1..FAILURES_MAX => Err(Error::internal(anyhow!("failed to fetch a page"))),
        _ => Ok(cached.summary),
    }
}

async fn fetch(app: &App, url: Url) -> Result<Fetched> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/html, application/xhtml+xml"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    let request = app.guarded.get(url.clone(), headers, LIMITS);
    Ok(match breaker::ask(app, Purpose::Fetch, &url, request).await? {
        Ok(answer) => fetched(&answer),
        Err(Failure::Refused(_)) => Fetched::Nothing,
        Err(Failure::Unanswered(_)) => Fetched::Failure,
    })
}

fn fetched(answer: &Answer) -> Fetched {
    let status = answer.status;
    if status.is_server_error() || status.as_u16() == 429 {
        return Fetched::Failure;
    }
    let content_type =
        answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let markup = Markup::of(content_type).filter(|_| status.is_success());
    let summary = markup.and_then(|markup| summary(&decode(&answer.body, content_type), markup, &answer.url));
    summary.map_or(Fetched::Nothing, Fetched::Summary)
}
