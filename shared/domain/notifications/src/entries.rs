//! The newest 100 events of a notification whose events can be withdrawn one by one.

use std::{cmp::Reverse, collections::BTreeSet};

use base::{EventId, UserId, packed};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// Maximum number of events that a notification stores.
pub(super) const ENTRIES_MAX: usize = 100;

/// Events with their actors, newest first. The IDs of events and actors alternate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Entries(#[serde(with = "packed")] Vec<Ulid>);

impl Entries {
    /// Returns the newest 100 of these events.
    pub(super) fn newest_of(events: impl IntoIterator<Item = (EventId, UserId)>) -> Self {
        let events: BTreeSet<_> = events.into_iter().map(Reverse).collect();
        let newest = events.into_iter().take(ENTRIES_MAX);
        Self(newest.flat_map(|Reverse((event, actor))| [Ulid::from(event), Ulid::from(actor)]).collect())
    }

    /// Returns the events with their actors, newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (EventId, UserId)> {
        let (pairs, _) = self.0.as_chunks::<2>();
        pairs.iter().map(|[event, actor]| (EventId::from(*event), UserId::from(*actor)))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len() / 2
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether an actor has an event.
    pub(super) fn has(&self, actor: UserId) -> bool {
        self.iter().any(|(_, other)| other == actor)
    }

    /// Returns the events for which `is_kept` returns true.
    pub(super) fn retaining(&self, is_kept: impl Fn((EventId, UserId)) -> bool) -> Self {
        Self::newest_of(self.iter().filter(|entry| is_kept(*entry)))
    }
}
