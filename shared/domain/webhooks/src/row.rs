//! The rows of webhooks and of failed deliveries.

use base::{AnnouncedEvent, Announcement, AnnouncementId, Due, WebhookId};
use platform::{App, Error, HOUR_SECONDS, Index, Key, Query, Result, Row, Time, Write, request_id};
use serde::{Deserialize, Serialize};

pub(super) const WEBHOOKS_MAX: u8 = 10;
pub(super) const NO_WEBHOOK: Error = Error::NotFound("webhook");
const PARTITION: &str = "WEBHOOKS";
/// Lifetime of a failed delivery's row. Only a row of a deleted webhook exists for so long.
const DELIVERY_SECONDS: i64 = 48 * HOUR_SECONDS;
/// Seconds between the attempts of a delivery. In total, the attempts span a day.
const PAUSES_SECONDS: [i64; 7] = [60, 300, 1_800, 7_200, 18_000, 28_800, 30_240];

/// A webhook. The row is in one of 10 slots, which limit the number of webhooks. A webhook's secret is derived from a
/// key, not stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Webhook {
    pub(super) slot: u8,
    pub(super) id: WebhookId,
    pub(super) url: String,
    /// The kinds of events that the webhook receives.
    pub(super) events: Vec<AnnouncedEvent>,
    pub(super) created_at: Time,
    /// The time of the last success, accurate to a minute.
    pub(super) last_success_at: Option<Time>,
    pub(super) last_failure_at: Option<Time>,
    pub(super) last_error: Option<String>,
    pub(super) disabled_at: Option<Time>,
}

/// The delivery of an event to a webhook. The row is stored after the first failed attempt.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Delivery {
    pub(super) webhook: WebhookId,
    pub(super) announcement: Announcement,
    /// Number of failed attempts.
    pub(super) attempts: usize,
    /// The time of the next attempt.
    pub(super) due_at: Time,
    /// The ID of the request that caused the event, for the log lines of later attempts. `None` if a schedule caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request_id: Option<String>,
}

impl Webhook {
    /// Returns an update of the webhook. The update is refused if the webhook was deleted.
    pub(super) fn update_write(&self) -> Write {
        Write::update(self.key()).equals("id", self.id)
    }

    /// Returns whether the webhook receives messages.
    pub(super) fn is_on(&self) -> bool {
        self.disabled_at.is_none()
    }

    /// Returns whether the webhook is on and receives this kind of event.
    pub(super) fn subscribes_to(&self, event: AnnouncedEvent) -> bool {
        self.is_on() && self.events.contains(&event)
    }
}

impl Delivery {
    /// Returns a delivery before its first attempt.
    pub(super) fn new(webhook: WebhookId, announcement: Announcement) -> Self {
        let due_at = announcement.at;
        Self { webhook, announcement, attempts: 0, due_at, request_id: request_id::current() }
    }

    /// Returns the delivery after a failed attempt, or `None` after the last attempt.
    pub(super) fn after_failure(&self, now: Time) -> Option<Self> {
        let pause = PAUSES_SECONDS.get(self.attempts)?;
        Some(Self { attempts: self.attempts + 1, due_at: now.plus_seconds(*pause), ..self.clone() })
    }

    /// Returns the write that replaces this delivery with `next`. The write is refused if a concurrent attempt was
    /// recorded first.
    pub(super) fn replace_write(&self, next: &Self) -> Write {
        match self.attempts {
            0 => Write::create(next),
            before => Write::reindex(next)
                .set("attempts", next.attempts)
                .set("dueAt", next.due_at)
                .equals("attempts", before),
        }
    }
}

pub(super) async fn all(app: &App) -> Result<Vec<Webhook>> {
    app.table.query(&Query::partition(PARTITION).consistent()).await
}

/// Returns a webhook.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the webhook does not exist.
pub(super) async fn find(app: &App, id: WebhookId) -> Result<Webhook> {
    all(app).await?.into_iter().find(|webhook| webhook.id == id).ok_or(NO_WEBHOOK)
}

/// Returns a webhook, or `None` if it is switched off or deleted.
pub(super) async fn find_on(app: &App, id: WebhookId) -> Result<Option<Webhook>> {
    Ok(all(app).await?.into_iter().find(|webhook| webhook.id == id && webhook.is_on()))
}

pub(super) fn delivery_key(webhook: WebhookId, announcement: AnnouncementId) -> Key {
    Key::new(format!("WEBHOOK#{webhook}"), format!("WAITING#{announcement}"))
}

/// `WEBHOOKS / slot`
impl Row for Webhook {
    fn key(&self) -> Key {
        Key::new(PARTITION, format!("{:02}", self.slot))
    }
}

/// `WEBHOOK#id / WAITING#announcement`, gsi3 `DUE#WEBHOOK#shard` / time and announcement, expires after two days
impl Row for Delivery {
    fn key(&self) -> Key {
        delivery_key(self.webhook, self.announcement.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi3, Due::Webhook.index_key(self.announcement.id, self.due_at))]
    }

    fn expires(&self) -> Option<Time> {
        Some(self.announcement.at.plus_seconds(DELIVERY_SECONDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_end_after_a_day() {
        assert_eq!(PAUSES_SECONDS.iter().sum::<i64>(), 24 * HOUR_SECONDS);
    }
}
