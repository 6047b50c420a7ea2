//! Flushes a batch of pending records: adds the events of the records to notifications.
//!
//! A batch is not a transaction. Each notification stores which record was last added to it, and how many of the
//! record's events. So a batch that is repeated after a crash does not add an event twice. Records are deleted last, so
//! a crash does not lose events.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::{NotificationId, OutboundJob, UserId};
use futures::future::{join_all, try_join_all};
use people::{ViewContext, relationships};
use platform::{App, Key, Result, Row, caused::CausedBy, table::Attempt};

use super::{
    Notification, NotificationNew, Pending,
    avatars::load_avatars,
    duplicates, erase, flushed_count,
    notification::key,
    pending::StoredPending,
    preferences::{Recipients, recipients},
    reads::remove_seen,
    recent_events::{RecentEvents, recent_events},
};

/// Maximum number of times that a record's events are read again to exclude actors by the recipient's preferences.
const UNWANTED_READS_MAX: usize = 10;

/// A notification before and after the flush of a pending record.
struct Flush {
    pending: Pending,
    before: Option<Notification>,
    /// The notification after the flush, or `None` if no event is left.
    after: Option<Notification>,
    /// Whether the record has events that the recipient is notified of.
    has_news: bool,
}

/// A notification with new events that the recipient is notified of.
struct News<'a> {
    before: Option<&'a Notification>,
    after: &'a Notification,
    pending: &'a Pending,
}

/// Adds the records' events to notifications, and pushes each notification to its recipient. Omits events by muted or
/// blocked users, and all events for deleted recipients.
pub(super) async fn flush_batch(app: &App, found: &[StoredPending]) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let (flushes, recipients) = read(app, found).await?;
    let saved = join_all(flushes.into_iter().map(|flush| flush.save(app))).await;
    let (saved, failed): (Vec<_>, Vec<_>) = saved.into_iter().partition(Result::is_ok);
    let saved: Vec<_> = saved.into_iter().flatten().flatten().collect();
    if !saved.is_empty() {
        notify(app, &saved, &recipients).await?;
        duplicates::remove_flushed(app, &saved.iter().map(|flush| &flush.pending).collect::<Vec<_>>())
            .await?;
    }
    failed.into_iter().try_for_each(|failure| failure.map(drop))
}

/// Reads the records and their notifications, and deletes records without events. Returns the remaining records with
/// their notifications, and the recipients.
async fn read(app: &App, found: &[StoredPending]) -> Result<(Vec<Flush>, Recipients)> {
    // Notifications are read before records, so this flush does not save a notification that a concurrent flush changes
    // in between.
    let subjects = found.iter().filter_map(StoredPending::parse).map(|pending| pending.subject);
    let keys: Vec<_> = subjects.map(|subject| key(subject.recipient, subject.notification_id())).collect();
    let notifications: Vec<Notification> = app.table.batch_get(&keys).await?;
    let mut before: HashMap<_, _> =
        notifications.into_iter().map(|notification| (notification.id(), notification)).collect();
    let keys: Vec<_> = found.iter().map(Row::key).collect();
    let stored: Vec<StoredPending> = app.table.batch_get(&keys).await?;
    let (mut counting, mut empty) = (Vec::new(), Vec::new());
    for record in &stored {
        match record.parse().filter(|pending| pending.count > 0) {
            Some(pending) => counting.push(pending),
            None => empty.push(record),
        }
    }
    try_join_all(empty.into_iter().map(|record| record.remove(app))).await?;
    duplicates::mark_counted(app, &mut counting).await?;
    let recipients = recipients(app, &counting).await?;
    let counting = remove_unwanted(app, counting, &recipients).await?;
    let recent = visible_events(app, &counting, &recipients).await?;
    let (visible, hidden): (Vec<_>, Vec<_>) =
        counting.into_iter().zip(recent).partition(|(pending, recent)| has_effect(pending, recent));
    duplicates::remove_flushed(app, &hidden.iter().map(|(pending, _)| pending).collect::<Vec<_>>()).await?;
    let flushes = visible.into_iter().map(|(pending, recent)| Flush::new(pending, &mut before, &recent));
    let mut flushes: Vec<_> = flushes.collect();
    load_avatars(app, flushes.iter_mut().filter_map(|flush| flush.after.as_mut())).await?;
    Ok((flushes, recipients))
}

/// Returns whether a record has visible events or withdrawals, and so changes its notification.
fn has_effect(pending: &Pending, recent: &RecentEvents) -> bool {
    recent.has_visible(pending) || pending.new_withdrawals() > 0
}

/// Deletes the records whose recipients were deleted, or turned off notifications of the record's kind. Keeps records
/// with withdrawals if the recipient exists. Returns the kept records.
async fn remove_unwanted(app: &App, records: Vec<Pending>, recipients: &Recipients) -> Result<Vec<Pending>> {
    let is_wanted = |record: &Pending| {
        recipients.want(record) || (record.withdrawals > 0 && recipients.exists(record.subject.recipient))
    };
    let (wanted, unwanted): (Vec<_>, Vec<_>) = records.into_iter().partition(is_wanted);
    duplicates::remove_flushed(app, &unwanted.iter().collect::<Vec<_>>()).await?;
    Ok(wanted)
}

/// Returns the recent events of each record. Omits events by actors that are muted, blocked, or excluded by the
/// recipient's preferences.
async fn visible_events(
    app: &App,
    records: &[Pending],
    recipients: &Recipients,
) -> Result<Vec<RecentEvents>> {
    let none = HashSet::new();
    let all = try_join_all(records.iter().map(|record| recent_events(app, record, &none))).await?;
    let mut people: BTreeMap<UserId, HashSet<UserId>> = BTreeMap::new();
    for (record, recent) in records.iter().zip(&all) {
        people.entry(record.subject.recipient).or_default().extend(people_of(record, recent));
    }
    let hidden_pairs = relationships::hidden_pairs(app, &people, ViewContext::Feed).await?;
    let visible = records.iter().zip(all).map(async |(record, recent)| {
        let hidden = relationships::hidden_of(&hidden_pairs, record.subject.recipient);
        let recent = if hidden.is_empty() { recent } else { recent_events(app, record, &hidden).await? };
        without_unwanted(app, recipients, record, recent, hidden).await
    });
    try_join_all(visible).await
}

/// Returns a record's recent events without the actors that the recipient's preferences exclude. Reads the events
/// again, at most 10 times, until none of the newest 100 actors is excluded.
async fn without_unwanted(
    app: &App,
    recipients: &Recipients,
    record: &Pending,
    mut recent: RecentEvents,
    mut hidden: HashSet<UserId>,
) -> Result<RecentEvents> {
    for _ in 0..UNWANTED_READS_MAX {
        let people: Vec<_> = people_of(record, &recent).filter(|actor| !hidden.contains(actor)).collect();
        let unwanted = recipients.unwanted(app, record, &people).await?;
        if unwanted.is_empty() {
            break;
        }
        hidden.extend(unwanted);
        recent = recent_events(app, record, &hidden).await?;
    }
    Ok(recent)
}

fn people_of(record: &Pending, recent: &RecentEvents) -> impl Iterator<Item = UserId> {
    recent.actors().chain([record.last_actor_id])
}

/// Updates the unread marks, and notifies the recipients of new events.
async fn notify(app: &App, saved: &[Flush], recipients: &Recipients) -> Result<()> {
    try_join_all(saved.iter().filter(|flush| !flush.has_news).map(|flush| flush.update_mark(app))).await?;
    let news: Vec<_> = saved.iter().filter_map(Flush::news).collect();
    if news.is_empty() { Ok(()) } else { notify_of(app, &news, recipients).await }
}

/// Marks notifications as unread, and publishes and counts these notifications. Omits notifications about messages that
/// the recipient has already read.
async fn notify_of(app: &App, news: &[News<'_>], recipients: &Recipients) -> Result<()> {
    let marks: Vec<_> = news.iter().map(|news| news.after.unread()).collect();
    let outdated: Vec<_> = news.iter().filter_map(News::outdated_mark).collect();
    app.table.batch_write(&marks, &outdated).await?;
    // Must run after the write of the unread marks. Once a mark exists, a request that reads the conversation deletes
    // the mark.
    let read = remove_seen(app, &news.iter().map(|news| news.after).collect::<Vec<_>>()).await?;
    let unread: Vec<_> = news.iter().filter(|news| !read.contains(&news.after.id())).collect();
    let pushed = unread.iter().filter(|news| recipients.has_devices(news.after.subject.recipient));
    let pushes: Vec<_> = pushed.map(|news| news.push(app)).collect();
    if unread.is_empty() {
        return Ok(());
    }
    flushed_count::add(app, &unread.iter().map(|news| news.event()).collect::<Vec<_>>(), &pushes).await
}

impl Flush {
    fn new(
        pending: Pending,
        before: &mut HashMap<NotificationId, Notification>,
        recent_events: &RecentEvents,
    ) -> Self {
        let before = before.remove(&pending.subject.notification_id());
        let after = Notification::merged(before.as_ref(), &pending, recent_events);
        let has_news = recent_events.has_news(&pending);
        Self { pending, before, after, has_news }
    }

    /// Writes or deletes the notification, and returns this flush. Returns `None` if a concurrent flush changed the
    /// notification.
    async fn save(self, app: &App) -> Result<Option<Self>> {
        let is_saved = match (&self.before, &self.after) {
            (None, None) => true,
            (Some(before), Some(after)) if before.flushed == after.flushed => true,
            (Some(before), None) => erase::remove(app, before).await?,
            (before, Some(after)) => {
                let write = after.replace_write(before.as_ref());
                matches!(app.table.attempt::<Notification>(write).await?, Attempt::Done(_))
            }
        };
        Ok(is_saved.then_some(self))
    }

    /// Updates the actors of the notification's unread mark, if the notification is unread.
    async fn update_mark(&self, app: &App) -> Result<()> {
        match &self.after {
            Some(after) => erase::update_mark(app, after).await,
            None => Ok(()),
        }
    }

    fn news(&self) -> Option<News<'_>> {
        let after = self.after.as_ref().filter(|_| self.has_news)?;
        Some(News { before: self.before.as_ref(), after, pending: &self.pending })
    }
}

impl News<'_> {
    /// Returns the key of the unread mark that the flush replaces, or `None` if the newest event is unchanged.
    fn outdated_mark(&self) -> Option<Key> {
        let before = self.before.filter(|before| before.last_event != self.after.last_event)?;
        Some(before.unread().key())
    }

    fn push(&self, app: &App) -> CausedBy<OutboundJob> {
        let (recipient, notification) = (self.after.subject.recipient, self.after.id());
        self.caused(OutboundJob::WebPush { recipient, notification, at: app.now() })
    }

    fn event(&self) -> CausedBy<NotificationNew> {
        let (recipient_id, notification_id) = (self.after.subject.recipient, self.after.id());
        self.caused(NotificationNew { recipient_id, notification_id })
    }

    fn caused<T>(&self, work: T) -> CausedBy<T> {
        CausedBy::new(self.pending.request_id.clone(), work)
    }
}
