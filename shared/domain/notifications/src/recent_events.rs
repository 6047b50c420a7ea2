//! The recent events of a pending record, and their actors.

use std::{collections::HashSet, fmt::Display};

use base::ids::{EventId, UserId};
use platform::{
    App, Result,
    table::{Key, Query, Row},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{
    Actors, Pending, Subject,
    actors::ACTORS_MAX,
    pending::{self, Listed},
};

const KEPT_SECONDS: i64 = 7 * 24 * HOUR_SECONDS;
/// Maximum time between the creation of an event's ID and the commit of the event. No request takes longer.
const COMMIT_MAX_MILLIS: u64 = 5 * 60 * 1000;
const PAGE_ROWS: usize = 200;
/// Maximum number of pages read to find the actors of one subject.
const PAGES_MAX: usize = 100;

/// The row of an event that the pending record does not list or no longer lists.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationEventRow {
    pk: String,
    pub(super) id: EventId,
    actors: Actors,
    at: Time,
    /// The ID of the record that listed the event, and the record's number of flushes when the event was counted.
    /// `None` if the event was never listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed_by: Option<(EventId, i64)>,
}

/// The recent events of a subject, without muted and blocked users.
#[derive(Default)]
pub(super) struct RecentEvents {
    /// The newest event's id and time.
    pub(super) newest: Option<(EventId, Time)>,
    /// At most 100 actors, each with the actor's newest event, newest first.
    people: Vec<(UserId, EventId)>,
    /// Number of the pending record's counted events that hidden users caused.
    hidden: i64,
}

impl NotificationEventRow {
    pub(super) fn new(subject: &Subject, actors: &Actors, (id, at): (EventId, Time)) -> Self {
        Self { pk: pending::partition(subject), id, actors: actors.clone(), at, listed_by: None }
    }

    /// Returns the row that marks a listed event as counted by a flush.
    pub(super) fn counted(record: &Pending, listed: &Listed) -> Self {
        let actors = Actors::default().with_older(&listed.actors);
        let row = Self::new(&record.subject, &actors, (listed.id, listed.at));
        Self { listed_by: Some((record.made, record.flushes)), ..row }
    }

    /// Returns whether an earlier flush counted this event of the record's subject. False if the record's next flush
    /// will count the event, or if the event has a different subject.
    pub(super) fn is_of_another_flush(&self, record: &Pending) -> bool {
        let next = Some((record.made, record.flushes));
        self.pk == pending::partition(&record.subject) && self.listed_by != next
    }
}

impl RecentEvents {
    fn add_row(&mut self, pending: &Pending, row: &NotificationEventRow, hidden: &HashSet<UserId>) {
        let hidden_actors = self.add((row.id, row.at), row.actors.ids(), hidden);
        if row.id >= pending.since {
            self.hidden += hidden_actors;
        }
    }

    fn add_listed(&mut self, event: &Listed, hidden: &HashSet<UserId>) {
        self.hidden += self.add((event.id, event.at), &event.actors, hidden);
    }

    /// Adds an event that is older than all added events. Returns the number of the event's hidden actors.
    fn add(&mut self, event: (EventId, Time), actors: &[UserId], hidden: &HashSet<UserId>) -> i64 {
        let visible: Vec<_> = actors.iter().copied().filter(|actor| !hidden.contains(actor)).collect();
        if !visible.is_empty() {
            self.newest.get_or_insert(event);
        }
        for actor in &visible {
            if !self.is_full() && !self.actors().any(|known| known == *actor) {
                self.people.push((*actor, event.0));
            }
        }
        (actors.len() - visible.len()) as i64
    }

    fn is_full(&self) -> bool {
        self.people.len() >= ACTORS_MAX
    }

    /// Returns the actors, newest first.
    pub(super) fn actors(&self) -> impl Iterator<Item = UserId> {
        self.people.iter().map(|(actor, _)| *actor)
    }

    /// Returns two lists: the actors with an event after `event`, and all other actors.
    pub(super) fn actors_after(&self, event: Option<EventId>) -> (Vec<UserId>, Vec<UserId>) {
        let (after, before): (Vec<_>, Vec<_>) =
            self.people.iter().partition(|(_, newest)| Some(*newest) > event);
        let actors = |people: Vec<(UserId, EventId)>| people.into_iter().map(|(actor, _)| actor).collect();
        (actors(after), actors(before))
    }

    /// Returns the number of the record's events by visible users.
    pub(super) fn visible_count(&self, pending: &Pending) -> i64 {
        let is_any_visible = self.newest.is_some_and(|(id, _)| id >= pending.since);
        (pending.new_count() - self.hidden).max(i64::from(is_any_visible))
    }
}

/// Returns the events since the last flush. Omits the users in `hidden`, and collects at most 100 users.
pub(super) async fn recent_events(
    app: &App,
    pending: &Pending,
    hidden: &HashSet<UserId>,
) -> Result<RecentEvents> {
    if let Some(only) = only_event(pending, hidden) {
        return Ok(only);
    }
    let mut recent_events = RecentEvents::default();
    let mut listed = pending.new_listed().into_iter().peekable();
    let mut rest = (!pending.lists_all()).then(|| sk("~"));
    for _ in 0..PAGES_MAX {
        let Some(high) = rest.take() else { break };
        let page = page(app, pending, &high).await?;
        let last = page.last().map(|row| sk(row.id)).filter(|_| page.len() == PAGE_ROWS);
        for row in page {
            while let Some(later) = listed.next_if(|event| event.id > row.id) {
                recent_events.add_listed(later, hidden);
            }
            recent_events.add_row(pending, &row, hidden);
        }
        rest = last.filter(|_| !recent_events.is_full());
    }
    listed.for_each(|event| recent_events.add_listed(event, hidden));
    Ok(recent_events)
}

/// Returns the newest events that have their own rows, up to the sort key `high`.
async fn page(app: &App, pending: &Pending, high: &str) -> Result<Vec<NotificationEventRow>> {
    let since = Ulid::from(pending.since).timestamp_ms().saturating_sub(COMMIT_MAX_MILLIS);
    let low = sk(EventId::from(Ulid::from_parts(since, 0)));
    let query = Query::partition(pending::partition(&pending.subject)).between(low, high).newest_first();
    app.table.query(&query.consistent().limit(PAGE_ROWS)).await
}

/// Returns the record's only event without reading the event's row. Returns `None` if there are more events or the
/// event is listed.
fn only_event(pending: &Pending, hidden: &HashSet<UserId>) -> Option<RecentEvents> {
    let is_only = (pending.count, pending.flushes) == (1, 0) && !pending.lists_all();
    let newest = Some((pending.since, pending.updated_at));
    let people = vec![(pending.last_actor_id, pending.since)];
    is_only.then(|| match hidden.contains(&pending.last_actor_id) {
        true => RecentEvents { hidden: 1, ..RecentEvents::default() },
        false => RecentEvents { newest, people, hidden: 0 },
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
