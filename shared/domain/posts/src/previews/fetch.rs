//! Asks for the page of a link.

use std::{sync::Arc, time::Duration};

use anyhow::anyhow;
use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT, CONTENT_TYPE, USER_AGENT},
};
use moka::sync::Cache;
use platform::{
    App, Result,
    error::Error,
    guarded::{Answer, Failure, Limits},
    table::Write,
};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use url::Url;

use super::{
    page::summary,
    row::{KeptPage, PageSummary, key},
};

/// What a page says of itself stands at its beginning.
const LIMITS: Limits = Limits { wait: Duration::from_secs(6), body_max_bytes: 256 * 1024 };
/// The asks after which a page that does not answer is given up for an hour. Its queue brings a message 5 times.
const FAILURES_MAX: u32 = 3;
const LINKS_AT_ONCE: u64 = 1_000;
const AGENT: &str = "SocialPlatform/1.0 (link previews)";

/// What an address answered.
enum Found {
    Summary(PageSummary),
    /// A page that says nothing of itself, or no page.
    Nothing,
    /// It may answer later.
    Failure,
}

/// The pages that this instance asks for at this moment: each is asked for once, however many posts of a batch link to
/// it.
struct Asking(Cache<String, Arc<Mutex<()>>>);

impl Default for Asking {
    fn default() -> Self {
        Self(Cache::new(LINKS_AT_ONCE))
    }
}

/// Returns what the page of a link says of itself: as it is kept, or as it answers now; none for what is no page, says
/// nothing, must not be asked, or did not answer three times. Instances that meet a new link at the same moment may all
/// ask.
///
/// # Errors
/// Internal, when the page did not answer, twice within an hour at most.
pub(super) async fn page(app: &App, link: &str) -> Result<Option<PageSummary>> {
    let Some(url) = address(app, link) else { return Ok(None) };
    let hash = hex::encode(Sha256::digest(url.as_str()));
    let asking = app.memory.of::<Asking>().0.get_with(hash.clone(), Arc::default);
    let _one_at_a_time = asking.lock().await;
    let kept = app.table.get::<KeptPage>(&key(&hash)).await?.filter(|page| app.now() < page.expires);
    let failures = match kept {
        Some(KeptPage { summary: None, failures: failures @ 1..FAILURES_MAX, .. }) => failures,
        Some(kept) => return Ok(kept.summary),
        None => 0,
    };
    let (summary, failures) = match ask(app, url).await {
        Found::Summary(summary) => (Some(summary), 0),
        Found::Nothing => (None, 0),
        Found::Failure => (None, failures + 1),
    };
    let kept = KeptPage::new(hash, summary, failures, app.now());
    app.table.write(Write::put(&kept)).await?;
    match failures {
        1..FAILURES_MAX => Err(Error::internal(anyhow!("a page did not answer"))),
        _ => Ok(kept.summary),
    }
}

/// Returns where the page of a link is; none where nobody may ask. A link of http is asked by https.
fn address(app: &App, link: &str) -> Option<Url> {
    let mut url = Url::parse(link).ok()?;
    url.set_fragment(None);
    let guarded = |url: &Url| app.guarded.parse("content", url.as_str()).ok();
    guarded(&url).or_else(|| {
        url.set_scheme("https").ok()?;
        guarded(&url)
    })
}

async fn ask(app: &App, url: Url) -> Found {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/html"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    match app.guarded.get(url, headers, LIMITS).await {
        Ok(answer) => found(&answer),
        Err(Failure::Refused(_)) => Found::Nothing,
        Err(Failure::Unanswered(_)) => Found::Failure,
    }
}

fn found(answer: &Answer) -> Found {
    let status = answer.status;
    if status.is_server_error() || status.as_u16() == 429 {
        return Found::Failure;
    }
    let summary =
        if status.is_success() && is_html(answer) { summary(&answer.body, &answer.url) } else { None };
    summary.map_or(Found::Nothing, Found::Summary)
}

fn is_html(answer: &Answer) -> bool {
    let kind = answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
}
