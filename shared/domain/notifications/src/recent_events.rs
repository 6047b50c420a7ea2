//! The recent events of a pending record, and their actors.

use std::collections::HashSet;

use base::{EventId, UserId};
use platform::{App, Query, Result, Time};
use ulid::Ulid;

use super::{
    Pending,
    actors::ACTORS_MAX,
    entries::ENTRIES_MAX,
    event_row::{NotificationEventRow, sk},
    pending::{self, Listed},
};

/// Maximum time between the creation of an event's ID and the commit of the event. No request takes more than 5
/// minutes.
const COMMIT_MAX_MILLIS: u64 = 5 * 60 * 1000;
const PAGE_ROWS: usize = 200;
/// Maximum number of pages read to find the actors of one subject.
const PAGES_MAX: usize = 100;

/// The recent events of a subject, without withdrawn events and events of users that the recipient mutes or blocks.
#[derive(Default)]
pub(super) struct RecentEvents {
    pub(super) newest: Option<(EventId, Time)>,
    /// At most 100 actors, each with the actor's newest event, newest first.
    people: Vec<(UserId, EventId)>,
    /// At most 100 events with their actors.
    pub(super) entries: Vec<(EventId, UserId)>,
    /// The withdrawn events with their actors. These events may be older than the recent events.
    pub(super) withdrawn: HashSet<(EventId, UserId)>,
    /// The users with a withdrawn event.
    pub(super) withdrawn_actors: HashSet<UserId>,
    /// The visible actors of the events in the pending record's `count`.
    counted: HashSet<UserId>,
    /// The actors without an earlier notification to the recipient. Events that were withdrawn before do not count.
    first_time: HashSet<UserId>,
    /// Whether an actor repeats an action after a withdrawal.
    has_returning: bool,
    /// Whether there are more recent events than `people` and `entries` contain.
    pub(super) is_cut: bool,
    /// How many events in the pending record's `count` were caused by hidden users.
    hidden: i64,
}

impl RecentEvents {
    fn add_row(&mut self, pending: &Pending, row: &NotificationEventRow, hidden: &HashSet<UserId>) {
        let (visible, hidden_actors) = self.add((row.id, row.at), row.actors.ids(), hidden);
        if row.id >= pending.since {
            self.hidden += hidden_actors;
            self.count(row.actors.ids(), row.returning.ids(), visible);
        }
    }

    fn add_listed(&mut self, event: &Listed, hidden: &HashSet<UserId>) {
        let (visible, hidden_actors) = self.add((event.id, event.at), &event.actors, hidden);
        self.hidden += hidden_actors;
        self.count(&event.actors, &event.returning, visible);
    }

    /// Registers the actors of an event that is part of the pending record's `count`.
    fn count(&mut self, actors: &[UserId], returning: &[UserId], visible: Vec<UserId>) {
        self.counted.extend(visible);
        self.first_time.extend(actors.iter().filter(|actor| !returning.contains(actor)));
        self.has_returning |= !returning.is_empty();
    }

    fn withdraw(&mut self, withdrawn: impl Iterator<Item = (EventId, UserId)>, of_actors: bool) {
        for (event, actor) in withdrawn {
            self.withdrawn.insert((event, actor));
            if of_actors {
                self.withdrawn_actors.insert(actor);
            }
        }
    }

    /// Adds an event that is older than all added events. Returns the event's visible actors, and the number of hidden
    /// actors.
    fn add(
        &mut self,
        event: (EventId, Time),
        actors: &[UserId],
        hidden: &HashSet<UserId>,
    ) -> (Vec<UserId>, i64) {
        let remaining: Vec<_> =
            actors.iter().copied().filter(|actor| !self.withdrawn.contains(&(event.0, *actor))).collect();
        let visible: Vec<_> = remaining.iter().copied().filter(|actor| !hidden.contains(actor)).collect();
        if !visible.is_empty() {
            self.newest.get_or_insert(event);
        }
        for actor in &visible {
            if !self.is_full() && !self.actors().any(|known| known == *actor) {
                self.people.push((*actor, event.0));
            }
            self.add_entry(event.0, *actor);
        }
        let hidden_actors = (remaining.len() - visible.len()) as i64;
        (visible, hidden_actors)
    }

    fn add_entry(&mut self, event: EventId, actor: UserId) {
        match self.entries.len() < ENTRIES_MAX {
            true => self.entries.push((event, actor)),
            false => self.is_cut = true,
        }
    }

    fn is_full(&self) -> bool {
        self.people.len() >= ACTORS_MAX
    }

    /// Returns the actors, newest first.
    pub(super) fn actors(&self) -> impl Iterator<Item = UserId> {
        self.people.iter().map(|(actor, _)| *actor)
    }

    /// Returns the actors whose newest event is after `event`, and all other actors.
    pub(super) fn actors_after(&self, event: Option<EventId>) -> (Vec<UserId>, Vec<UserId>) {
        let (after, before): (Vec<_>, Vec<_>) =
            self.people.iter().partition(|(_, newest)| Some(*newest) > event);
        let actors = |people: Vec<(UserId, EventId)>| people.into_iter().map(|(actor, _)| actor).collect();
        (actors(after), actors(before))
    }

    /// Returns whether the record has at least one event that is not withdrawn and not by a hidden user.
    pub(super) fn has_visible(&self, pending: &Pending) -> bool {
        !self.counted.is_empty() || self.net_count(pending) > 0
    }

    /// Returns whether the recipient must be notified. Requires a visible actor that the recipient was not notified of
    /// yet.
    pub(super) fn has_news(&self, pending: &Pending) -> bool {
        match self.has_returning || pending.new_withdrawals() > 0 {
            true => !self.counted.is_disjoint(&self.first_time),
            false => self.has_visible(pending),
        }
    }

    /// Returns the number of the record's events that are not by hidden users, minus the record's withdrawals. Without
    /// withdrawals, the result is at least 1 if an event is visible.
    pub(super) fn net_count(&self, pending: &Pending) -> i64 {
        let visible = pending.new_count() - self.hidden;
        match pending.new_withdrawals() {
            0 => visible.max(i64::from(!self.counted.is_empty())),
            withdrawals => visible - withdrawals,
        }
    }
}

/// Returns the events since the last flush, without events by users in `hidden`. Collects at most 100 actors.
pub(super) async fn recent_events(
    app: &App,
    pending: &Pending,
    hidden: &HashSet<UserId>,
) -> Result<RecentEvents> {
    if let Some(only) = only_event(pending, hidden) {
        return Ok(only);
    }
    let mut recent_events = RecentEvents::default();
    let listed = pending.new_listed();
    // All withdrawals come first: in the same millisecond, a withdrawal can have a lower ID than the withdrawn event.
    listed.iter().for_each(|event| recent_events.withdraw(event.withdrawn.iter().copied(), true));
    let mut listed = listed.into_iter().peekable();
    let mut rest = (!pending.lists_all()).then(|| sk("~"));
    for _ in 0..PAGES_MAX {
        let Some(high) = rest.take() else { break };
        let page = page(app, pending, &high).await?;
        page.iter()
            .for_each(|row| recent_events.withdraw(row.withdrawn.iter(), withdraws_actors(pending, row)));
        rest = page.last().map(|row| sk(row.id)).filter(|_| page.len() == PAGE_ROWS);
        for row in page {
            while let Some(later) = listed.next_if(|event| event.id > row.id) {
                recent_events.add_listed(later, hidden);
            }
            recent_events.add_row(pending, &row, hidden);
        }
        if recent_events.is_full() {
            break;
        }
    }
    listed.for_each(|event| recent_events.add_listed(event, hidden));
    recent_events.is_cut |= rest.is_some();
    Ok(recent_events)
}

/// Returns whether the withdrawals of a row remove actors from the notification. The withdrawals of an earlier flush do
/// not remove users who liked the post again.
fn withdraws_actors(pending: &Pending, row: &NotificationEventRow) -> bool {
    let [row_id, since] = [row.id, pending.since].map(|id| Ulid::from(id).timestamp_ms());
    pending.subject.notification_type.is_withdrawn_by_event() || row_id >= since
}

/// Returns up to 200 events that have rows of their own, newest first, starting at the sort key `high`.
async fn page(app: &App, pending: &Pending, high: &str) -> Result<Vec<NotificationEventRow>> {
    let since = Ulid::from(pending.since).timestamp_ms().saturating_sub(COMMIT_MAX_MILLIS);
    let low = sk(EventId::from(Ulid::from_parts(since, 0)));
    let query = Query::partition(pending::partition(&pending.subject)).between(low, high).newest_first();
    app.table.query(&query.consistent().limit(PAGE_ROWS)).await
}

/// Returns the record's only event without reading the event's row. Returns `None` if the record has several events, or
/// lists the event.
fn only_event(pending: &Pending, hidden: &HashSet<UserId>) -> Option<RecentEvents> {
    let is_only = (pending.count, pending.flushes, pending.withdrawals) == (1, 0, 0) && !pending.lists_all();
    let (actor, event) = (pending.last_actor_id, pending.since);
    is_only.then(|| match hidden.contains(&actor) {
        true => RecentEvents { hidden: 1, ..RecentEvents::default() },
        false => RecentEvents {
            newest: Some((event, pending.updated_at)),
            people: vec![(actor, event)],
            entries: vec![(event, actor)],
            counted: HashSet::from([actor]),
            ..RecentEvents::default()
        },
    })
}
