//! A run: some pending records of one shard become notifications.
//!
//! Nothing of it is a transaction. The notification remembers which count of which record it includes, so a run that
//! begins again after a crash adds nothing twice; a record is taken away last, so nothing is lost.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::{
    ids::{NotificationId, UserId},
    jobs::OutboundJob,
};
use futures::future::{join_all, try_join_all};
use people::relationships::{self, ViewContext};
use platform::{
    App,
    error::Result,
    table::{Attempt, Key, Row},
};

use super::{
    Notification, NotificationNew, Pending,
    avatars::load_avatars,
    news,
    notification::key,
    pending::StoredPending,
    preferences::{Recipients, recipients},
    reads::take_read,
    recent_events::{RecentEvents, recent_events},
    repetitions,
};

/// How often the newest hundred of a record's events are read without people of whom its recipient does not want to hear.
const UNWANTED_ROUNDS_MAX: usize = 10;

/// A notification before and after a record's events are added to it.
struct Flush {
    pending: Pending,
    before: Option<Notification>,
    after: Notification,
}

/// Flushes records, and has each notification pushed to its recipient. What people did whom the recipient hides by now
/// is left out, and all for a recipient who left.
pub(super) async fn run(app: &App, found: &[StoredPending]) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let (flushes, recipients) = read(app, found).await?;
    let kept = join_all(flushes.into_iter().map(|it| it.keep(app))).await;
    let (kept, failed): (Vec<_>, Vec<_>) = kept.into_iter().partition(Result::is_ok);
    let kept: Vec<_> = kept.into_iter().flatten().flatten().collect();
    if !kept.is_empty() {
        tell(app, &kept, &recipients).await?;
        repetitions::take(app, &kept.iter().map(|it| &it.pending).collect::<Vec<_>>()).await?;
    }
    failed.into_iter().try_for_each(|it| it.map(drop))
}

/// Reads the records and their notifications, and removes records that count nothing.
async fn read(app: &App, found: &[StoredPending]) -> Result<(Vec<Flush>, Recipients)> {
    // In this order: whoever flushes a record meanwhile changes the notification, and this run keeps nothing.
    let listed = found.iter().filter_map(StoredPending::parse);
    let keys: Vec<_> = listed.map(|it| key(it.subject.recipient, it.subject.notification_id())).collect();
    let notifications: Vec<Notification> = app.table.batch_get(&keys).await?;
    let mut before: HashMap<_, _> = notifications.into_iter().map(|it| (it.id(), it)).collect();
    let keys: Vec<_> = found.iter().map(Row::key).collect();
    let stored: Vec<StoredPending> = app.table.batch_get(&keys).await?;
    let (mut counting, mut empty) = (Vec::new(), Vec::new());
    for record in &stored {
        match record.parse().filter(|it| it.count > 0) {
            Some(pending) => counting.push(pending),
            None => empty.push(record),
        }
    }
    try_join_all(empty.into_iter().map(|it| it.remove(app))).await?;
    repetitions::leave_out(app, &mut counting).await?;
    let recipients = recipients(app, &counting).await?;
    let counting = wanted(app, counting, &recipients).await?;
    let recent = shown_events(app, &counting, &recipients).await?;
    let (shown, hidden): (Vec<_>, Vec<_>) =
        counting.into_iter().zip(recent).partition(|(pending, recent)| recent.shown_of(pending) > 0);
    repetitions::take(app, &hidden.iter().map(|(pending, _)| pending).collect::<Vec<_>>()).await?;
    let flushes = shown.into_iter().map(|(pending, recent)| Flush::new(pending, &mut before, recent));
    let mut flushes: Vec<_> = flushes.collect();
    load_avatars(app, flushes.iter_mut().map(|it| &mut it.after)).await?;
    Ok((flushes, recipients))
}

/// Takes away the records of recipients who left, or want to hear nothing of their kind, and returns the others.
async fn wanted(app: &App, records: Vec<Pending>, recipients: &Recipients) -> Result<Vec<Pending>> {
    let (wanted, unwanted): (Vec<_>, Vec<_>) = records.into_iter().partition(|it| recipients.want(it));
    repetitions::take(app, &unwanted.iter().collect::<Vec<_>>()).await?;
    Ok(wanted)
}

/// Returns the recent events of each record, without those of people whom its recipient hides, or does not want to hear of.
async fn shown_events(app: &App, records: &[Pending], recipients: &Recipients) -> Result<Vec<RecentEvents>> {
    let nobody = HashSet::new();
    let all = try_join_all(records.iter().map(|it| recent_events(app, it, &nobody))).await?;
    let mut people: BTreeMap<UserId, HashSet<UserId>> = BTreeMap::new();
    for (record, recent) in records.iter().zip(&all) {
        people.entry(record.subject.recipient).or_default().extend(people_of(record, recent));
    }
    let hidden_pairs = relationships::hidden_pairs(app, &people, ViewContext::Feed).await?;
    let shown = records.iter().zip(all).map(async |(record, recent)| {
        let hidden = relationships::hidden_of(&hidden_pairs, record.subject.recipient);
        let recent = if hidden.is_empty() { recent } else { recent_events(app, record, &hidden).await? };
        without_unwanted(app, recipients, record, recent, hidden).await
    });
    try_join_all(shown).await
}

/// Reads the events of a record anew without people of whom its recipient does not want to hear, until there are none of
/// these among the newest hundred.
async fn without_unwanted(
    app: &App,
    recipients: &Recipients,
    record: &Pending,
    mut recent: RecentEvents,
    mut hidden: HashSet<UserId>,
) -> Result<RecentEvents> {
    for _ in 0..UNWANTED_ROUNDS_MAX {
        let people: Vec<_> = people_of(record, &recent).filter(|it| !hidden.contains(it)).collect();
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

/// Marks the notifications as unread, has their recipients hear of them, and counts them; but not those of a conversation
/// that was read before they were flushed.
async fn tell(app: &App, kept: &[Flush], recipients: &Recipients) -> Result<()> {
    let unread: Vec<_> = kept.iter().map(|it| it.after.unread()).collect();
    let moved: Vec<_> = kept.iter().filter_map(Flush::moved_from).collect();
    app.table.batch_write(&unread, &moved).await?;
    // After the marks: whoever reads a conversation from now on finds them.
    let read = take_read(app, &kept.iter().map(|it| &it.after).collect::<Vec<_>>()).await?;
    let told: Vec<_> = kept.iter().filter(|it| !read.contains(&it.after.id())).collect();
    let pushed = told.iter().filter(|it| recipients.has_devices(it.after.subject.recipient));
    let pushes: Vec<_> = pushed.map(|it| it.push(app)).collect();
    match told.is_empty() {
        true => Ok(()),
        false => news::add(app, &told.iter().map(|it| it.event()).collect::<Vec<_>>(), &pushes).await,
    }
}

impl Flush {
    fn new(
        pending: Pending,
        before: &mut HashMap<NotificationId, Notification>,
        recent_events: RecentEvents,
    ) -> Self {
        let before = before.remove(&pending.subject.notification_id());
        let after = Notification::merged(before.as_ref(), &pending, recent_events);
        Self { pending, before, after }
    }

    /// Writes the notification. Returns nothing when somebody else flushed the record meanwhile.
    async fn keep(self, app: &App) -> Result<Option<Self>> {
        if self.before.as_ref().is_some_and(|it| it.flushed == self.after.flushed) {
            return Ok(Some(self));
        }
        let write = self.after.replace_write(self.before.as_ref());
        Ok(match app.table.attempt::<Notification>(write).await? {
            Attempt::Done(_) => Some(self),
            Attempt::Refused(_) => None,
        })
    }

    /// Returns the mark that is no longer true.
    fn moved_from(&self) -> Option<Key> {
        let before = self.before.as_ref().filter(|it| it.last_event != self.after.last_event)?;
        Some(before.unread().key())
    }

    fn push(&self, app: &App) -> OutboundJob {
        let (recipient, notification) = (self.after.subject.recipient, self.after.id());
        OutboundJob::WebPush { recipient, notification, at: app.now() }
    }

    fn event(&self) -> NotificationNew {
        NotificationNew { recipient_id: self.after.subject.recipient, notification_id: self.after.id() }
    }
}
