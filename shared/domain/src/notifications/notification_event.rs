//! An event that a user is notified of.

use std::{collections::HashSet, fmt::Display};

use platform::{
    App, Result,
    table::{Index, Key, Query, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{Actors, NotificationType, Pending, Subject, TargetType, pending};
use crate::{
    ids::{EventId, TargetId, UserId},
    people::relationships,
};

const KEPT_SECONDS: i64 = 7 * 24 * HOUR_SECONDS;
/// No request takes longer, so an event with an older id is not committed later than this.
const COMMIT_MAX_MILLIS: u64 = 5 * 60 * 1000;
const PAGE_ROWS: usize = 200;
/// How many pages of one subject's events are read for their actors.
const PAGES_MAX: usize = 100;

/// What one person, or several people one after the other, did to a recipient's target.
#[derive(Clone, Debug)]
pub struct NotificationEvent {
    /// The recipient, what happened, and the target.
    pub subject: Subject,
    /// The people who did it, newest first.
    pub actors: Actors,
    /// The id, which sorts by time.
    pub id: EventId,
    /// The time of the event.
    pub at: Time,
}

/// The row of an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationEventRow {
    pk: String,
    id: EventId,
    actors: Actors,
    at: Time,
}

/// What the recent events of a subject say that the recipient does not hide.
#[derive(Default)]
pub(super) struct RecentEvents {
    /// The newest event's id and time.
    pub(super) newest: Option<(EventId, Time)>,
    /// The people who did it, newest first.
    pub(super) actors: Actors,
    /// The number of events of hidden people that the record counts.
    hidden: i64,
}

impl RecentEvents {
    fn add(&mut self, pending: &Pending, row: &NotificationEventRow, hidden: &HashSet<UserId>) {
        let shown = row.actors.clone().without(hidden);
        if row.id >= pending.since {
            self.hidden += (row.actors.ids().len() - shown.ids().len()) as i64;
        }
        if !shown.ids().is_empty() {
            self.newest.get_or_insert((row.id, row.at));
            self.actors = std::mem::take(&mut self.actors).with_older(shown.ids());
        }
    }

    /// Returns how many of the events that a record counts are not of hidden people.
    pub(super) fn shown_of(&self, pending: &Pending) -> i64 {
        let is_any_shown = self.newest.is_some_and(|(id, _)| id >= pending.since);
        (pending.count - self.hidden).max(i64::from(is_any_shown))
    }
}

impl NotificationEvent {
    /// Returns the event that `actor` did something to the recipient's `target` at a time.
    pub fn new(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (actor, id, at): (UserId, EventId, Time),
    ) -> Self {
        let actors = Actors::default().with_older(&[actor]);
        Self { subject: subject(recipient, kinds, target), actors, id, at }
    }

    /// Returns the event that several people, newest first, did something to the recipient's `target`
    /// just now. Returns none without people, and while proposed features are off.
    pub fn together(
        app: &App,
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        people: &[UserId],
    ) -> Option<Self> {
        let actors = Actors::default().with_older(people);
        let (id, at) = (app.ids.next(app.now()), app.now());
        let notifies = app.has_proposed_features() && !actors.ids().is_empty();
        notifies.then(|| Self { subject: subject(recipient, kinds, target), id, at, actors })
    }

    /// Returns the event that the network itself did something to the recipient's `target`. Its actor is nobody, whom no
    /// answer names.
    pub fn by_nobody(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (id, at): (EventId, Time),
    ) -> Self {
        Self::new(recipient, kinds, target, (UserId::NOBODY, id, at))
    }

    /// Keeps the events whose newest actor is neither the recipient nor muted or blocked. Costs 1 call
    /// and 1 RRU for each, all at the same time.
    pub async fn unmuted(app: &App, events: Vec<Self>) -> Result<Vec<Self>> {
        let unmuted = async |it: Self| -> Result<_> {
            let recipient = it.subject.recipient;
            let Some(actor) = it.actors.newest().filter(|it| *it != recipient) else { return Ok(None) };
            if actor == UserId::NOBODY {
                return Ok(Some(it));
            }
            let relationship = relationships::find(app, recipient, actor).await?;
            Ok((!relationship.mutes && !relationship.is_block()).then_some(it))
        };
        let unmuted = futures::future::try_join_all(events.into_iter().map(unmuted)).await?;
        Ok(unmuted.into_iter().flatten().collect())
    }

    /// Records and counts the event, in the transaction of what happened. Costs 5 WRU. Stale when the
    /// event was recorded before.
    ///
    /// Returns no writes for what the recipient did alone, and for a proposed kind while proposed
    /// features are off. Each event writes all attributes of the pending record, so the record is
    /// always complete.
    pub fn writes(&self, app: &App) -> Vec<Write> {
        let Self { subject, actors, id, at } = self;
        let notifies = app.has_proposed_features() || !subject.notification_type.is_proposed();
        let actor = actors.newest().filter(|it| notifies && *it != subject.recipient);
        let Some(actor) = actor else { return Vec::new() };
        let pending = Write::update(pending::key_of(subject))
            .add("count", actors.ids().len() as i64)
            .set("authorId", subject.recipient)
            .set("notificationType", subject.notification_type)
            .set("targetType", subject.target_type)
            .set("targetId", subject.target_id)
            .set("lastActorId", actor)
            .set("updatedAt", at)
            .set_once("since", id)
            .index_key_once(Index::Gsi1, &pending::waiting_since(subject, *id));
        let row = NotificationEventRow {
            pk: pending::partition(subject),
            id: *id,
            actors: actors.clone(),
            at: *at,
        };
        vec![pending, Write::create(&row)]
    }
}

fn subject(
    recipient: UserId,
    (notification_type, target_type): (NotificationType, TargetType),
    target: Ulid,
) -> Subject {
    Subject { recipient, notification_type, target_type, target_id: TargetId::from(target) }
}

/// Returns the events since the last flush, by at most 100 people who are not hidden. Costs 1 call and 1 RRU for each
/// 200 events that are read; nothing for a single event, which the record itself names.
///
/// Events of an earlier flush are read again until they expire; their actors are listed already.
pub(super) async fn recent_events(
    app: &App,
    pending: &Pending,
    hidden: &HashSet<UserId>,
) -> Result<RecentEvents> {
    let since = Ulid::from(pending.since).timestamp_ms().saturating_sub(COMMIT_MAX_MILLIS);
    let (low, mut high) = (sk(EventId::from(Ulid::from_parts(since, 0))), sk("~"));
    if let Some(only) = only_event(pending, hidden) {
        return Ok(only);
    }
    let mut recent_events = RecentEvents::default();
    for _ in 0..PAGES_MAX {
        let query =
            Query::partition(pending::partition(&pending.subject)).between(&low, &high).newest_first();
        let page: Vec<NotificationEventRow> = app.table.query(&query.consistent().limit(PAGE_ROWS)).await?;
        let last = (page.len() == PAGE_ROWS).then(|| page.last().map(|it| sk(it.id))).flatten();
        for row in page {
            recent_events.add(pending, &row, hidden);
        }
        match last {
            Some(last) if !recent_events.actors.is_full() => high = last,
            _ => break,
        }
    }
    Ok(recent_events)
}

/// Returns the event that a record counts, when it is the only one.
fn only_event(pending: &Pending, hidden: &HashSet<UserId>) -> Option<RecentEvents> {
    let is_only = (pending.count, pending.flushes) == (1, 0);
    let newest = Some((pending.since, pending.updated_at));
    let actors = Actors::default().with_older(&[pending.last_actor_id]);
    is_only.then(|| match hidden.contains(&pending.last_actor_id) {
        true => RecentEvents { hidden: 1, ..RecentEvents::default() },
        false => RecentEvents { newest, actors, hidden: 0 },
    })
}

fn sk(id: impl Display) -> String {
    format!("EVENT#{id}")
}

/// `PENDING#recipient#target#type / EVENT#id`, expires after a week
impl Row for NotificationEventRow {
    fn key(&self) -> Key {
        Key::new(&self.pk, sk(self.id))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}
