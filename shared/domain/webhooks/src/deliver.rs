//! Telling webhooks what happened: once, and again for a day where they do not take it.

use std::time::Duration;

use base::{
    announcements::Announcement,
    ids::{AnnouncementId, WebhookId},
};
use futures::future::try_join_all;
use http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE};
use ledger::audit::{self, AuditAction};
use platform::{
    App,
    error::{Error, Result},
    guarded::{Failure, Limits},
    table::{Row, Write},
    webhook_keys::WebhookKeys,
};
use serde_json::json;

use super::row::{self, Waiting, Webhook, waiting_key};

/// How much of an answer is waited for: its status.
const LIMITS: Limits = Limits { wait: Duration::from_secs(8), body_max_bytes: 0 };
/// A webhook's successes are noted once in so many seconds: each is a write to a row in one partition with all webhooks.
const NOTED_SECONDS: i64 = 60;

/// Why a message was not taken.
struct Refusal {
    why: String,
    /// Whether the service says that nobody is there any more.
    is_gone: bool,
}

/// Tells each webhook of something that wants to know of it.
pub async fn announce(app: &App, announcement: &Announcement) -> Result<()> {
    let webhooks = row::all(app).await?;
    let wanting = webhooks.iter().filter(|it| announcement.event.is_some_and(|event| it.wants(event)));
    let first = |it: &Webhook| Waiting::new(it.id, announcement.clone());
    try_join_all(wanting.map(|it| tell(app, it, first(it)))).await.map(drop)
}

/// Tells one webhook of its test.
pub async fn test_now(app: &App, webhook: WebhookId, announcement: Announcement) -> Result<()> {
    match row::find_on(app, webhook).await? {
        Some(found) => tell(app, &found, Waiting::new(webhook, announcement)).await,
        None => Ok(()),
    }
}

/// Tells a webhook again of what it did not take, when that is due and the webhook is still there.
pub async fn retry_delivery(app: &App, webhook: WebhookId, announcement: AnnouncementId) -> Result<()> {
    let key = waiting_key(webhook, announcement);
    let waiting: Option<Waiting> = app.table.get(&key).await?;
    let Some(waiting) = waiting.filter(|it| it.due_at <= app.now()) else { return Ok(()) };
    match row::find_on(app, webhook).await? {
        Some(found) => tell(app, &found, waiting).await,
        None => app.table.write(Write::delete(key)).await,
    }
}

async fn tell(app: &App, webhook: &Webhook, waiting: Waiting) -> Result<()> {
    match post(app, webhook, &waiting.announcement).await? {
        None => note_success(app, webhook, &waiting).await,
        Some(refusal) => note_failure(app, webhook, &waiting, refusal).await,
    }
}

/// Sends the message, and returns why it was not taken.
async fn post(app: &App, webhook: &Webhook, announcement: &Announcement) -> Result<Option<Refusal>> {
    let refusal = |why: String| Ok(Some(Refusal { why, is_gone: false }));
    let url = match app.guarded.parse("url", &webhook.url) {
        Ok(url) => url,
        Err(error) => return refusal(error.to_string()),
    };
    let body = body(announcement);
    let headers = headers(app, webhook, announcement, &body).await?;
    match app.guarded.post(url, headers, body.into_bytes(), LIMITS).await {
        Ok(answer) if answer.status.is_success() => Ok(None),
        Ok(answer) => {
            let why = format!("it answered {}", answer.status.as_u16());
            Ok(Some(Refusal { why, is_gone: answer.status == StatusCode::GONE }))
        }
        Err(failure) => refusal(failure_text(&failure)),
    }
}

fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Refused(_) => failure.to_string(),
        Failure::Unanswered(_) => format!("it did not answer in {} seconds", LIMITS.wait.as_secs()),
    }
}

/// Returns what a service is told: nothing but ids, which it may ask for.
fn body(announcement: &Announcement) -> String {
    let kind = announcement.event.map_or(json!("webhook.test"), |it| json!(it));
    let data = json!({ "id": announcement.subject });
    json!({ "type": kind, "timestamp": announcement.at, "data": data }).to_string()
}

async fn headers(app: &App, webhook: &Webhook, announcement: &Announcement, body: &str) -> Result<HeaderMap> {
    let (id, seconds) = (announcement.id.to_string(), app.now().seconds());
    let signatures = WebhookKeys::of(app, &webhook.id.to_string()).await?.signatures(&id, seconds, body);
    let value = |text: String| HeaderValue::from_str(&text).map_err(Error::internal);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert("webhook-id", value(id)?);
    headers.insert("webhook-timestamp", value(seconds.to_string())?);
    headers.insert("webhook-signature", value(signatures)?);
    Ok(headers)
}

async fn note_success(app: &App, webhook: &Webhook, waiting: &Waiting) -> Result<()> {
    if waiting.attempts > 0 {
        app.table.write(Write::delete(waiting.key())).await?;
    }
    let now = app.now();
    if webhook.last_success_at.is_some_and(|it| now < it.plus_seconds(NOTED_SECONDS)) {
        return Ok(());
    }
    // Refused: it was deleted.
    app.table.try_write(webhook.update_write().set("lastSuccessAt", now)).await.map(drop)
}

/// Has the message wait for its next attempt. After the last one the webhook is switched off, unless it took another message
/// meanwhile; one that is gone (410) is switched off at once.
async fn note_failure(app: &App, webhook: &Webhook, waiting: &Waiting, refusal: Refusal) -> Result<()> {
    let next = waiting.after_failure(app.now()).filter(|_| !refusal.is_gone);
    let took_another = webhook.last_success_at.is_some_and(|it| it >= waiting.announcement.at);
    let kept = match next {
        Some(next) => waiting.replace_write(&next),
        None if took_another && !refusal.is_gone => Write::delete(waiting.key()).into(),
        None => return switch_off(app, webhook, waiting, refusal.why).await,
    };
    // Refused: another attempt at the same message was faster; then the webhook was deleted.
    app.table.try_write(kept).await?;
    app.table.try_write(failure_write(app, webhook, &refusal.why)).await.map(drop)
}

fn failure_write(app: &App, webhook: &Webhook, why: &str) -> Write {
    webhook.update_write().set("lastFailureAt", app.now()).set("lastError", why)
}

/// Switches a webhook off, which the administrators' log says.
async fn switch_off(app: &App, webhook: &Webhook, waiting: &Waiting, why: String) -> Result<()> {
    tracing::warn!(webhook = %webhook.id, "a webhook was switched off: {why}");
    let write = failure_write(app, webhook, &why).set("disabledAt", app.now()).lacks("disabledAt");
    let record = audit::record_write(app, None, AuditAction::DisableWebhook, webhook.id, Some(why));
    let delete = Write::delete(waiting.key()).into();
    // Refused: it was deleted, or switched off for another message.
    app.table.try_transact(vec![write, record, delete]).await.map(drop)
}
