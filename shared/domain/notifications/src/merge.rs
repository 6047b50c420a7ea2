//! Adds a pending record's events to a notification, and removes withdrawn events from the notification.
//!
//! Normally, the count increases by the number of the record's new events. But a withdrawal can concern an event that
//! an earlier flush omitted. So if the notification stores all its events, a withdrawal sets the count to the number of
//! stored events. A notification stores up to 100 events.

use base::{EventId, UserId};
use platform::Time;

use super::{
    Actors, Notification, NotificationType, Pending, entries::ENTRIES_MAX, entries::Entries,
    notification::Flushed, recent_events::RecentEvents,
};

/// The newest event of a merged notification. Has an actor if the recipient is notified of the event.
struct Newest {
    event: EventId,
    at: Time,
    actor: Option<UserId>,
}

impl Notification {
    /// Returns `before` with the record's new events, and without withdrawn events. Returns `None` if no event is left.
    /// `recent` has no events of hidden users. Actors with an event newer than `before` come first. The avatars stay
    /// empty. The notification keeps its position in lists unless the recipient is notified.
    pub(super) fn merged(before: Option<&Self>, pending: &Pending, recent: &RecentEvents) -> Option<Self> {
        let Newest { event, at, actor } = Newest::of(before, pending, recent)?;
        let entries = merged_entries(before, pending, recent);
        let actors = merged_actors(before, recent, &entries, actor);
        let later = before.filter(|notification| notification.last_event > event);
        let last_actor =
            later.map(|later| later.last_actor_id).or(actor).or(before.map(|before| before.last_actor_id));
        let merged = Self {
            subject: pending.subject,
            avatars: Vec::new(),
            count: 0,
            last_actor_id: last_actor.filter(|actor| actors.ids().contains(actor)).or(actors.newest())?,
            last_event: later.map_or(event, |later| later.last_event),
            last_event_at: later.map_or(at, |later| later.last_event_at),
            flushed: Some(Flushed::of(pending, recent.net_count(pending))),
            actors,
            entries,
        };
        let count = merged.count_after(before, pending, recent);
        (count > 0).then_some(Self { count, ..merged })
    }

    fn count_after(&self, before: Option<&Self>, pending: &Pending, recent: &RecentEvents) -> i64 {
        let included =
            before.and_then(|before| before.flushed).map_or(0, |flushed| flushed.included(pending));
        let counted = before.map_or(0, |before| before.count) + recent.net_count(pending) - included;
        if pending.new_withdrawals() == 0 {
            return counted;
        }
        let had_all = before.is_none_or(|before| before.stored_events() == Some(before.count));
        match self.stored_events() {
            Some(stored) if had_all && !recent.is_cut && stored < ENTRIES_MAX as i64 => stored,
            stored => counted.max(stored.unwrap_or_default()),
        }
    }

    /// Returns the number of events that the notification stores, or `None` if it stores only the actors. For likes,
    /// this is the number of actors, because an actor likes a target at most once.
    fn stored_events(&self) -> Option<i64> {
        match self.subject.notification_type {
            NotificationType::Like => Some(self.actors.ids().len() as i64),
            kind => kind.is_withdrawn_by_event().then_some(self.entries.len() as i64),
        }
    }
}

impl Newest {
    fn of(before: Option<&Notification>, pending: &Pending, recent: &RecentEvents) -> Option<Self> {
        match (recent.newest, before) {
            // Keeps the newest event, because the key of the unread mark contains its ID.
            (_, Some(before)) if !recent.has_news(pending) => {
                Some(Self { event: before.last_event, at: before.last_event_at, actor: None })
            }
            (Some((event, at)), _) => Some(Self { event, at, actor: recent.actors().next() }),
            (None, None) if pending.new_withdrawals() > 0 => None,
            _ => {
                let (event, at) = (pending.since, pending.updated_at);
                Some(Self { event, at, actor: Some(pending.last_actor_id) })
            }
        }
    }
}

fn merged_entries(before: Option<&Notification>, pending: &Pending, recent: &RecentEvents) -> Entries {
    if !pending.subject.notification_type.is_withdrawn_by_event() {
        return Entries::default();
    }
    let is_left = |entry| !recent.withdrawn.contains(&entry);
    let earlier = before.map(|before| before.entries.retaining(is_left)).unwrap_or_default();
    Entries::newest_of(earlier.iter().chain(recent.entries.iter().copied()))
}

/// Returns the actors of the merged notification. An actor of a withdrawn event remains if the actor has other events.
fn merged_actors(
    before: Option<&Notification>,
    recent: &RecentEvents,
    entries: &Entries,
    actor: Option<UserId>,
) -> Actors {
    let (newer, late) = recent.actors_after(before.map(|before| before.last_event));
    let is_left = |actor: &UserId| !recent.withdrawn_actors.contains(actor) || entries.has(*actor);
    let earlier = before.map_or(&[][..], |notification| notification.actors.ids());
    let earlier: Vec<_> = earlier.iter().copied().filter(is_left).collect();
    [newer, earlier, late]
        .iter()
        .fold(Actors::default(), |actors, older| actors.with_older(older))
        .with_older(actor.as_slice())
}
