//! Delivers events to webhooks, and retries failed deliveries for a day.

use std::time::Duration;

use base::{Announcement, AnnouncementId, WebhookId};
use futures::future::try_join_all;
use http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE};
use ledger::audit::{self, AuditAction};
use platform::{
    App, Error, Result, Row, Write,
    breaker::{self, Purpose},
    guarded::{Failure, Limits},
    outcomes,
    webhook_keys::WebhookKeys,
};
use serde_json::json;

use super::row::{self, Delivery, Webhook, delivery_key};

/// Limits of a request to a webhook. The body of the response is not read.
const LIMITS: Limits = Limits { wait: Duration::from_secs(8), body_max_bytes: 0, is_enough: None };
/// Minimum number of seconds between updates of a webhook's time of last success. Limits the number of writes.
const SUCCESS_UPDATE_SECONDS: i64 = 60;

/// The reason why a delivery failed.
struct Refusal {
    reason: String,
    /// Whether the webhook responded with 410 (Gone).
    is_gone: bool,
}

/// Delivers an event to each webhook that subscribes to this kind of event.
pub async fn announce(app: &App, announcement: &Announcement) -> Result<()> {
    let webhooks = row::all(app).await?;
    let subscribed = webhooks
        .iter()
        .filter(|webhook| announcement.event.is_some_and(|event| webhook.subscribes_to(event)));
    let first = |webhook: &Webhook| Delivery::new(webhook.id, announcement.clone());
    try_join_all(subscribed.map(|webhook| deliver(app, webhook, first(webhook)))).await.map(drop)
}

/// Delivers a test message to a webhook.
pub async fn test_now(app: &App, webhook: WebhookId, announcement: Announcement) -> Result<()> {
    match row::find_on(app, webhook).await? {
        Some(found) => deliver(app, &found, Delivery::new(webhook, announcement)).await,
        None => outcomes::end("the webhook is gone or off"),
    }
}

/// Retries a failed delivery if it is due, and if the webhook exists and is on.
pub async fn retry_delivery(app: &App, webhook: WebhookId, announcement: AnnouncementId) -> Result<()> {
    let key = delivery_key(webhook, announcement);
    let delivery: Option<Delivery> = app.table.get(&key).await?;
    let Some(delivery) = delivery.filter(|delivery| delivery.due_at <= app.now()) else {
        return outcomes::end("not due");
    };
    match row::find_on(app, webhook).await? {
        Some(found) => deliver(app, &found, delivery).await,
        None => {
            outcomes::note("the webhook is gone or off");
            app.table.write(Write::delete(key)).await
        }
    }
}

async fn deliver(app: &App, webhook: &Webhook, delivery: Delivery) -> Result<()> {
    match post(app, webhook, &delivery.announcement).await? {
        None => record_success(app, webhook, &delivery).await,
        Some(refusal) => record_failure(app, webhook, &delivery, refusal).await,
    }
}

/// Sends an event to a webhook. Returns the reason if the delivery fails.
async fn post(app: &App, webhook: &Webhook, announcement: &Announcement) -> Result<Option<Refusal>> {
    let refusal = |reason: String| Ok(Some(Refusal { reason, is_gone: false }));
    let url = match app.guarded.parse("url", &webhook.url) {
        Ok(url) => url,
        Err(error) => return refusal(error.to_string()),
    };
    let body = body(announcement);
    let headers = headers(app, webhook, announcement, &body).await?;
    let request = app.guarded.post(url.clone(), headers, body.into_bytes(), LIMITS);
    match breaker::ask(app, Purpose::Webhook, &url, request).await? {
        Ok(response) if response.status.is_success() => Ok(None),
        Ok(response) => {
            let reason = format!("responded with status {}", response.status.as_u16());
            Ok(Some(Refusal { reason, is_gone: response.status == StatusCode::GONE }))
        }
        Err(failure) => refusal(failure_text(&failure)),
    }
}

fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Refused(_) => failure.to_string(),
        Failure::Unanswered(_) | Failure::Paused { .. } => {
            format!("did not respond within {} seconds", LIMITS.wait.as_secs())
        }
    }
}

/// Returns the body of a message. The body contains only the ID of the event's subject, which the receiver can look up.
fn body(announcement: &Announcement) -> String {
    let kind = announcement.event.map_or(json!("webhook.test"), |event| json!(event));
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

async fn record_success(app: &App, webhook: &Webhook, delivery: &Delivery) -> Result<()> {
    if delivery.attempts > 0 {
        app.table.write(Write::delete(delivery.key())).await?;
    }
    let now = app.now();
    if webhook.last_success_at.is_some_and(|last| now < last.plus_seconds(SUCCESS_UPDATE_SECONDS)) {
        return Ok(());
    }
    // The write is refused if the webhook was deleted. A refusal is ignored.
    app.table.try_write(webhook.update_write().set("lastSuccessAt", now)).await.map(drop)
}

/// Schedules the next attempt. After the last attempt, switches the webhook off, unless the webhook has accepted
/// another message since the event. A response with 410 (Gone) always switches the webhook off.
async fn record_failure(app: &App, webhook: &Webhook, delivery: &Delivery, refusal: Refusal) -> Result<()> {
    outcomes::note("the delivery failed");
    let next = delivery.after_failure(app.now()).filter(|_| !refusal.is_gone);
    let accepted_another = webhook.last_success_at.is_some_and(|last| last >= delivery.announcement.at);
    let write = match next {
        Some(next) => delivery.replace_write(&next),
        None if accepted_another && !refusal.is_gone => {
            outcomes::note("the delivery ended");
            Write::delete(delivery.key()).into()
        }
        None => return switch_off(app, webhook, delivery, refusal.reason).await,
    };
    // The write is refused if a concurrent attempt for the same delivery was recorded first. A refusal is ignored.
    app.table.try_write(write).await?;
    // The write is refused if the webhook was deleted.
    app.table.try_write(failure_write(app, webhook, &refusal.reason)).await.map(drop)
}

fn failure_write(app: &App, webhook: &Webhook, reason: &str) -> Write {
    webhook.update_write().set("lastFailureAt", app.now()).set("lastError", reason)
}

/// Switches a webhook off, and adds an entry to the audit log.
async fn switch_off(app: &App, webhook: &Webhook, delivery: &Delivery, reason: String) -> Result<()> {
    outcomes::note("the webhook was switched off");
    tracing::warn!(webhook = %webhook.id, "switched off a webhook: {reason}");
    let write = failure_write(app, webhook, &reason).set("disabledAt", app.now()).lacks("disabledAt");
    let record = audit::record_write(app, None, AuditAction::DisableWebhook, webhook.id, Some(reason));
    let delete = Write::delete(delivery.key()).into();
    // The transaction is refused if the webhook was deleted, or was already switched off because of a different
    // delivery.
    app.table.try_transact(vec![write, record, delete]).await.map(drop)
}
