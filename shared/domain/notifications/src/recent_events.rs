//! What the events say that a pending record counts, and who did it.

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
/// No request takes longer, so an event with an older id is not committed later than this.
const COMMIT_MAX_MILLIS: u64 = 5 * 60 * 1000;
const PAGE_ROWS: usize = 200;
/// How many pages of one subject's events are read for their actors.
const PAGES_MAX: usize = 100;

/// The row of an event that does not lie on the record that counts it, or no longer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationEventRow {
    pk: String,
    pub(super) id: EventId,
    actors: Actors,
    at: Time,
    /// The record that listed it, and how often a flush had subtracted from it; none of an event that no record
    /// listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed_by: Option<(EventId, i64)>,
}

/// What the recent events of a subject say that the recipient does not hide.
#[derive(Default)]
pub(super) struct RecentEvents {
    /// The newest event's id and time.
    pub(super) newest: Option<(EventId, Time)>,
    /// The people who did it, at most 100, each with their newest event; newest first.
    people: Vec<(UserId, EventId)>,
    /// The number of events of hidden people that the record counts.
    hidden: i64,
}

impl NotificationEventRow {
    pub(super) fn new(subject: &Subject, actors: &Actors, (id, at): (EventId, Time)) -> Self {
        Self { pk: pending::partition(subject), id, actors: actors.clone(), at, listed_by: None }
    }

    /// Returns the row that says that a flush has counted what a record lists.
    pub(super) fn counted(record: &Pending, listed: &Listed) -> Self {
        let actors = Actors::default().with_older(&listed.actors);
        let row = Self::new(&record.subject, &actors, (listed.id, listed.at));
        Self { listed_by: Some((record.made, record.flushes)), ..row }
    }

    /// Returns whether it is of an event of a record's subject that another flush has counted than the record's
    /// next one.
    pub(super) fn is_of_another_flush(&self, record: &Pending) -> bool {
        let next = Some((record.made, record.flushes));
        self.pk == pending::partition(&record.subject) && self.listed_by != next
    }
}

impl RecentEvents {
    fn add_row(&mut self, pending: &Pending, row: &NotificationEventRow, hidden: &HashSet<UserId>) {
        let left_out = self.add((row.id, row.at), row.actors.ids(), hidden);
        if row.id >= pending.since {
            self.hidden += left_out;
        }
    }

    fn add_listed(&mut self, event: &Listed, hidden: &HashSet<UserId>) {
        self.hidden += self.add((event.id, event.at), &event.actors, hidden);
    }

    /// Adds an older event, and returns how many people it left out.
    fn add(&mut self, event: (EventId, Time), actors: &[UserId], hidden: &HashSet<UserId>) -> i64 {
        let shown: Vec<_> = actors.iter().copied().filter(|it| !hidden.contains(it)).collect();
        if !shown.is_empty() {
            self.newest.get_or_insert(event);
        }
        for actor in &shown {
            if !self.is_full() && !self.actors().any(|it| it == *actor) {
                self.people.push((*actor, event.0));
            }
        }
        (actors.len() - shown.len()) as i64
    }

    fn is_full(&self) -> bool {
        self.people.len() >= ACTORS_MAX
    }

    /// Returns the people who did it, newest first.
    pub(super) fn actors(&self) -> impl Iterator<Item = UserId> {
        self.people.iter().map(|(actor, _)| *actor)
    }

    /// Returns those of them who did it after an event, and the others. An event of an earlier flush is found again
    /// until it expires, if it has a row.
    pub(super) fn actors_after(&self, event: Option<EventId>) -> (Vec<UserId>, Vec<UserId>) {
        let (after, before): (Vec<_>, Vec<_>) = self.people.iter().partition(|(_, it)| Some(*it) > event);
        let actors = |people: Vec<(UserId, EventId)>| people.into_iter().map(|(actor, _)| actor).collect();
        (actors(after), actors(before))
    }

    /// Returns how many of the events that a record counts are not of hidden people.
    pub(super) fn shown_of(&self, pending: &Pending) -> i64 {
        let is_any_shown = self.newest.is_some_and(|(id, _)| id >= pending.since);
        (pending.counted() - self.hidden).max(i64::from(is_any_shown))
    }
}

/// Returns the events since the last flush, by at most 100 people who are not hidden.
pub(super) async fn recent_events(
    app: &App,
    pending: &Pending,
    hidden: &HashSet<UserId>,
) -> Result<RecentEvents> {
    if let Some(only) = only_event(pending, hidden) {
        return Ok(only);
    }
    let mut recent_events = RecentEvents::default();
    let mut listed = pending.listed_newest_first().into_iter().peekable();
    let mut rest = (!pending.lists_all()).then(|| sk("~"));
    for _ in 0..PAGES_MAX {
        let Some(high) = rest.take() else { break };
        let page = page(app, pending, &high).await?;
        let last = page.last().map(|it| sk(it.id)).filter(|_| page.len() == PAGE_ROWS);
        for row in page {
            while let Some(later) = listed.next_if(|it| it.id > row.id) {
                recent_events.add_listed(later, hidden);
            }
            recent_events.add_row(pending, &row, hidden);
        }
        rest = last.filter(|_| !recent_events.is_full());
    }
    listed.for_each(|it| recent_events.add_listed(it, hidden));
    Ok(recent_events)
}

/// Returns the newest events of a subject up to one, which have rows of their own.
async fn page(app: &App, pending: &Pending, high: &str) -> Result<Vec<NotificationEventRow>> {
    let since = Ulid::from(pending.since).timestamp_ms().saturating_sub(COMMIT_MAX_MILLIS);
    let low = sk(EventId::from(Ulid::from_parts(since, 0)));
    let query = Query::partition(pending::partition(&pending.subject)).between(low, high).newest_first();
    app.table.query(&query.consistent().limit(PAGE_ROWS)).await
}

/// Returns the event that a record counts, when it is the only one and has a row of its own: the record names it too.
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
