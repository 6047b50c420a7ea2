//! Making, listing, testing and deleting webhooks.

use base::{
    announcements::{AnnouncedEvent, Announcement},
    ids::{AnnouncementId, UserId, WebhookId},
    jobs::OutboundJob,
};
use ledger::audit::{self, AuditAction};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    page::Page,
    retry_on_conflict,
    table::{Row, Write},
    time::Time,
    webhook_keys::WebhookKeys,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::row::{self, WEBHOOKS_MAX, Webhook};

/// What a webhook is told of: at least one kind of event, each once.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "Vec<AnnouncedEvent>")]
#[schema(value_type = Vec<AnnouncedEvent>, min_items = 1)]
pub struct AnnouncedEvents(Vec<AnnouncedEvent>);

impl TryFrom<Vec<AnnouncedEvent>> for AnnouncedEvents {
    type Error = &'static str;

    fn try_from(mut events: Vec<AnnouncedEvent>) -> Result<Self, &'static str> {
        events.sort_unstable();
        events.dedup();
        if events.is_empty() { Err("must have at least one event") } else { Ok(Self(events)) }
    }
}

/// A request to tell an address of what happens.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct WebhookDraft {
    /// The address: https, of the public internet.
    #[schema(max_length = 2048, example = "https://service.example/hook")]
    pub url: String,
    /// What it is told of.
    pub events: AnnouncedEvents,
}

/// A webhook, as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook)]
pub struct WebhookView {
    /// The webhook's id.
    pub id: WebhookId,
    /// The address.
    pub url: String,
    /// What it is told of.
    pub events: Vec<AnnouncedEvent>,
    /// The time at which it was made.
    pub created_at: Time,
    /// A time at which it took a message, at most a minute before the last; null before the first.
    pub last_success_at: Option<Time>,
    /// The last time at which it did not take a message; null before.
    pub last_failure_at: Option<Time>,
    /// Why it did not take a message then.
    #[schema(example = "it answered 503")]
    pub last_error: Option<String>,
    /// The time at which it was switched off, because it took nothing for a day or is gone; null while it is on.
    pub disabled_at: Option<Time>,
}

/// A webhook with its secret.
#[derive(Clone, Serialize, ToSchema)]
pub struct NewWebhook {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: WebhookView,
    /// The secret with which messages are signed. It is shown this once.
    #[schema(example = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")]
    pub secret: String,
}

/// The message that tests a webhook.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTest {
    /// The message's id, which its header `webhook-id` has.
    pub message_id: AnnouncementId,
}

/// Makes a webhook.
///
/// # Errors
/// [`Error::Invalid`] for an address that must not be asked, and for an 11th webhook.
pub async fn create(app: &App, admin: UserId, draft: WebhookDraft, once: &Once) -> Result<NewWebhook> {
    app.guarded.parse("url", &draft.url)?;
    let made =
        retry_on_conflict(async || once.run(app, admin, writes(app, admin, draft.clone())).await).await?;
    let secret = WebhookKeys::of(app, &made.id.to_string()).await?.secret();
    Ok(NewWebhook { webhook: made.into(), secret })
}

async fn writes(app: &App, admin: UserId, draft: WebhookDraft) -> Result<(Vec<Write>, Webhook)> {
    let taken = row::all(app).await?;
    let free = (0..WEBHOOKS_MAX).find(|slot| taken.iter().all(|it| it.slot != *slot));
    let slot =
        free.ok_or_else(|| Error::invalid("url", "must not be of an 11th webhook: delete one first"))?;
    let WebhookDraft { url, events: AnnouncedEvents(events) } = draft;
    let created_at = app.now();
    let id = app.ids.next(created_at);
    let (last_success_at, last_failure_at, last_error, disabled_at) = (None, None, None, None);
    let webhook = Webhook {
        slot,
        id,
        url,
        events,
        created_at,
        last_success_at,
        last_failure_at,
        last_error,
        disabled_at,
    };
    let record = audit::record_write(app, admin, AuditAction::CreateWebhook, id, None);
    Ok((vec![Write::create(&webhook), record], webhook))
}

/// Returns all webhooks, the oldest first.
pub async fn list(app: &App) -> Result<Page<WebhookView>> {
    let mut webhooks = row::all(app).await?;
    webhooks.sort_unstable_by_key(|it| it.id);
    Ok(Page { rows: webhooks.into_iter().map(WebhookView::from).collect(), after: None })
}

/// Deletes a webhook: it is told of nothing more.
///
/// # Errors
/// [`Error::NotFound`] when there is no such webhook.
pub async fn delete(app: &App, admin: UserId, id: WebhookId) -> Result<()> {
    let webhook = row::find(app, id).await?;
    let record = audit::record_write(app, admin, AuditAction::DeleteWebhook, id, None);
    let delete = Write::delete(webhook.key()).equals("id", id).or(row::NO_WEBHOOK);
    app.table.transact(vec![delete.into(), record]).await
}

/// Has a message sent to a webhook that tests it.
///
/// # Errors
/// [`Error::NotFound`] when there is no such webhook; [`Error::Invalid`] for one that was switched off.
pub async fn test(app: &App, admin: UserId, id: WebhookId) -> Result<WebhookTest> {
    if row::find(app, id).await?.disabled_at.is_some() {
        return Err(Error::invalid("webhookId", "must be of a webhook that is not switched off"));
    }
    let announcement = Announcement::now(app, None, id);
    let message_id = announcement.id;
    let record = audit::record_write(app, admin, AuditAction::TestWebhook, id, None);
    app.table.write(record.then(&OutboundJob::TestWebhook { webhook: id, announcement })).await?;
    Ok(WebhookTest { message_id })
}

impl From<Webhook> for WebhookView {
    fn from(row: Webhook) -> Self {
        let Webhook { id, url, events, created_at, .. } = row;
        let Webhook { last_success_at, last_failure_at, last_error, disabled_at, .. } = row;
        Self { id, url, events, created_at, last_success_at, last_failure_at, last_error, disabled_at }
    }
}
