//! Creates, lists, switches, tests and deletes webhooks.

use base::{AnnouncedEvent, Announcement, AnnouncementId, OutboundJob, UserId, WebhookId};
use ledger::audit::{self, AuditAction};
use platform::{
    App, Error, Once, Page, Result, Row, Time, Write, retry_on_conflict, webhook_keys::WebhookKeys,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::row::{self, WEBHOOKS_MAX, Webhook};

/// The kinds of events that a webhook receives. There is at least one kind, and there are no duplicates.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "Vec<AnnouncedEvent>")]
#[schema(as = WebhookEvents, value_type = Vec<AnnouncedEvent>, min_items = 1)]
pub struct AnnouncedEvents(Vec<AnnouncedEvent>);

impl TryFrom<Vec<AnnouncedEvent>> for AnnouncedEvents {
    type Error = &'static str;

    fn try_from(mut events: Vec<AnnouncedEvent>) -> Result<Self, &'static str> {
        events.sort_unstable();
        events.dedup();
        if events.is_empty() { Err("must have at least one event") } else { Ok(Self(events)) }
    }
}

/// A new webhook.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct WebhookDraft {
    /// The URL. Must be a public https URL.
    #[schema(max_length = 2048, example = "https://service.example/hook")]
    pub url: String,
    /// The kinds of events that the webhook receives.
    pub events: AnnouncedEvents,
}

/// A change of a webhook.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct WebhookChange {
    /// Whether the webhook receives messages.
    pub enabled: bool,
}

/// A webhook, as shown to administrators.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook)]
pub struct WebhookView {
    /// The webhook's ID.
    pub id: WebhookId,
    /// The URL to which messages are sent.
    pub url: String,
    /// The kinds of events that the webhook receives.
    pub events: Vec<AnnouncedEvent>,
    /// Whether the webhook receives messages.
    pub enabled: bool,
    /// The time of creation.
    pub created_at: Time,
    /// The time of the last successful delivery, accurate to a minute. Null if no delivery succeeded.
    pub last_success_at: Option<Time>,
    /// The time of the last failed delivery. Null if no delivery failed.
    pub last_failure_at: Option<Time>,
    /// The reason for the last failed delivery.
    #[schema(example = "responded with status 503")]
    pub last_error: Option<String>,
    /// The time at which the webhook was switched off. The service switches a webhook off if the webhook fails for a
    /// day or responds with 410. Null if the webhook is on.
    pub disabled_at: Option<Time>,
}

/// A webhook with its secret.
#[derive(Clone, Serialize, ToSchema)]
pub struct NewWebhook {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: WebhookView,
    /// The secret for verifying the signatures of messages. The secret is shown only once.
    #[schema(example = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")]
    pub secret: String,
}

/// The test message of a webhook.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTest {
    /// The message's id, sent in the header `webhook-id`.
    pub message_id: AnnouncementId,
}

/// Creates a webhook.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the URL is not allowed, or if 10 webhooks already exist.
pub async fn create(app: &App, admin: UserId, draft: WebhookDraft, once: &Once) -> Result<NewWebhook> {
    app.guarded.parse("url", &draft.url)?;
    let created = once.run(app, admin, async || writes(app, admin, draft.clone()).await).await?;
    let secret = WebhookKeys::of(app, &created.id.to_string()).await?.secret();
    Ok(NewWebhook { webhook: created.into(), secret })
}

async fn writes(app: &App, admin: UserId, draft: WebhookDraft) -> Result<(Vec<Write>, Webhook)> {
    let taken = row::all(app).await?;
    let free = (0..WEBHOOKS_MAX).find(|slot| taken.iter().all(|webhook| webhook.slot != *slot));
    let slot = free.ok_or_else(|| {
        Error::invalid("url", "the limit of 10 webhooks is reached. Delete a webhook first.")
    })?;
    let WebhookDraft { url, events: AnnouncedEvents(events) } = draft;
    let created_at = app.now();
    let id = app.ids.next(created_at);
    let webhook = Webhook {
        slot,
        id,
        url,
        events,
        created_at,
        last_success_at: None,
        last_failure_at: None,
        last_error: None,
        disabled_at: None,
    };
    let record = audit::record_write(app, admin, AuditAction::CreateWebhook, id, None);
    Ok((vec![Write::create(&webhook), record], webhook))
}

/// Returns all webhooks, oldest first.
pub async fn list(app: &App) -> Result<Page<WebhookView>> {
    let mut webhooks = row::all(app).await?;
    webhooks.sort_unstable_by_key(|webhook| webhook.id);
    Ok(Page { rows: webhooks.into_iter().map(WebhookView::from).collect(), after: None })
}

/// Switches a webhook on or off. Has no effect if the webhook is already in that state. While a webhook is off, pending
/// retries are dropped when they are due.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the webhook does not exist.
pub async fn change(app: &App, admin: UserId, id: WebhookId, change: WebhookChange) -> Result<WebhookView> {
    retry_on_conflict(async || {
        let before = row::find(app, id).await?;
        if before.is_on() == change.enabled {
            return Ok(before.into());
        }
        let (disabled_at, action) = match change.enabled {
            true => (None, AuditAction::EnableWebhook),
            false => (Some(app.now()), AuditAction::DisableWebhook),
        };
        let unchanged = before.update_write().is_still("disabledAt", before.disabled_at);
        let record = audit::record_write(app, admin, action, id, None);
        app.table.transact(vec![unchanged.set_or_remove("disabledAt", disabled_at), record]).await?;
        Ok(Webhook { disabled_at, ..before }.into())
    })
    .await
}

/// Deletes a webhook, which then receives no more events.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the webhook does not exist.
pub async fn delete(app: &App, admin: UserId, id: WebhookId, once: &Once) -> Result<()> {
    once.run(app, admin, async || {
        let webhook = row::find(app, id).await?;
        let record = audit::record_write(app, admin, AuditAction::DeleteWebhook, id, None);
        let delete = Write::delete(webhook.key()).equals("id", id).or(row::NO_WEBHOOK);
        Ok((vec![delete.into(), record], ()))
    })
    .await
}

/// Sends a test message to a webhook.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the webhook does not exist, and with [`Error::Invalid`] if the webhook is switched
/// off.
pub async fn test(app: &App, admin: UserId, id: WebhookId, once: &Once) -> Result<WebhookTest> {
    once.run(app, admin, async || {
        if !row::find(app, id).await?.is_on() {
            return Err(Error::invalid("webhookId", "the webhook is switched off. Switch it on first."));
        }
        let announcement = Announcement::now(app, None, id);
        let message_id = announcement.id;
        let record = audit::record_write(app, admin, AuditAction::TestWebhook, id, None);
        let record = record.then(&OutboundJob::TestWebhook { webhook: id, announcement });
        Ok((vec![record.marked()], WebhookTest { message_id }))
    })
    .await
}

impl From<Webhook> for WebhookView {
    fn from(row: Webhook) -> Self {
        Self {
            enabled: row.is_on(),
            id: row.id,
            url: row.url,
            events: row.events,
            created_at: row.created_at,
            last_success_at: row.last_success_at,
            last_failure_at: row.last_failure_at,
            last_error: row.last_error,
            disabled_at: row.disabled_at,
        }
    }
}
