//! A webhook's row, and that of a message which it did not take.

use base::{
    announcements::{AnnouncedEvent, Announcement},
    due::Due,
    ids::{AnnouncementId, WebhookId},
};
use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Query, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

/// The most webhooks of the network.
pub(super) const WEBHOOKS_MAX: u8 = 10;
pub(super) const NO_WEBHOOK: Error = Error::NotFound("webhook");
const PARTITION: &str = "WEBHOOKS";
/// A message waits for a day; what no attempt took away then was of a webhook that is gone.
const WAITING_SECONDS: i64 = 48 * HOUR_SECONDS;
/// The seconds after each attempt until the next: a day in all.
const PAUSES_SECONDS: [i64; 7] = [60, 300, 1_800, 7_200, 18_000, 28_800, 30_240];

/// A webhook: the row of a slot, so there are never more of them than slots. Its secret is derived, not kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Webhook {
    pub(super) slot: u8,
    pub(super) id: WebhookId,
    pub(super) url: String,
    /// What it is told of.
    pub(super) events: Vec<AnnouncedEvent>,
    pub(super) created_at: Time,
    /// A time at which it took a message, at most a minute before the last.
    pub(super) last_success_at: Option<Time>,
    /// The last time at which it did not take one, and why.
    pub(super) last_failure_at: Option<Time>,
    pub(super) last_error: Option<String>,
    /// The time at which it was switched off.
    pub(super) disabled_at: Option<Time>,
}

/// A message for a webhook that did not take it yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Waiting {
    pub(super) webhook: WebhookId,
    pub(super) announcement: Announcement,
    /// The attempts that failed.
    pub(super) attempts: usize,
    /// The time of the next attempt.
    pub(super) due_at: Time,
}

impl Webhook {
    /// Returns an update of it, which is refused when it was deleted.
    pub(super) fn update_write(&self) -> Write {
        Write::update(self.key()).equals("id", self.id)
    }

    /// Whether it is told of an event.
    pub(super) fn wants(&self, event: AnnouncedEvent) -> bool {
        self.disabled_at.is_none() && self.events.contains(&event)
    }
}

impl Waiting {
    /// Returns a message that nobody tried to send yet.
    pub(super) fn new(webhook: WebhookId, announcement: Announcement) -> Self {
        let due_at = announcement.at;
        Self { webhook, announcement, attempts: 0, due_at }
    }

    /// Returns it after an attempt that failed; none after the last one.
    pub(super) fn after_failure(&self, now: Time) -> Option<Self> {
        let pause = PAUSES_SECONDS.get(self.attempts)?;
        Some(Self { attempts: self.attempts + 1, due_at: now.plus_seconds(*pause), ..self.clone() })
    }

    /// Returns the write of `next` in its place, which is refused when another attempt was faster.
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

/// Returns all webhooks.
pub(super) async fn all(app: &App) -> Result<Vec<Webhook>> {
    app.table.query(&Query::partition(PARTITION).consistent()).await
}

/// Returns a webhook.
///
/// # Errors
/// [`Error::NotFound`] when there is no such webhook.
pub(super) async fn find(app: &App, id: WebhookId) -> Result<Webhook> {
    all(app).await?.into_iter().find(|it| it.id == id).ok_or(NO_WEBHOOK)
}

/// Returns a webhook that is not switched off; none when it is, or was deleted.
pub(super) async fn find_on(app: &App, id: WebhookId) -> Result<Option<Webhook>> {
    Ok(all(app).await?.into_iter().find(|it| it.id == id && it.disabled_at.is_none()))
}

/// Returns the key of a message that waits.
pub(super) fn waiting_key(webhook: WebhookId, announcement: AnnouncementId) -> Key {
    Key::new(format!("WEBHOOK#{webhook}"), format!("WAITING#{announcement}"))
}

/// `WEBHOOKS / slot`
impl Row for Webhook {
    fn key(&self) -> Key {
        Key::new(PARTITION, format!("{:02}", self.slot))
    }
}

/// `WEBHOOK#id / WAITING#announcement`, gsi3 `DUE#WEBHOOK#shard` / time and announcement, expires after two days
impl Row for Waiting {
    fn key(&self) -> Key {
        waiting_key(self.webhook, self.announcement.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi3, Due::Webhook.index_key(self.announcement.id, self.due_at))]
    }

    fn expires(&self) -> Option<Time> {
        Some(self.announcement.at.plus_seconds(WAITING_SECONDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_take_a_day() {
        assert_eq!(PAUSES_SECONDS.iter().sum::<i64>(), 24 * HOUR_SECONDS);
    }
}
