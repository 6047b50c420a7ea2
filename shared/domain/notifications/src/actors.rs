//! The newest 100 distinct users who caused the events of a notification.

use std::collections::HashSet;

use base::{UserId, packed};
use serde::{Deserialize, Serialize};

/// Maximum number of actors that a notification stores.
pub(super) const ACTORS_MAX: usize = 100;

/// Distinct users, newest first. Each ID is stored in 16 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Actors(#[serde(with = "packed")] Vec<UserId>);

impl Actors {
    /// Returns these actors and then the actors in `older`, at most 100 in total. Omits duplicates.
    pub(super) fn with_older(mut self, older: &[UserId]) -> Self {
        for actor in older {
            if self.0.len() < ACTORS_MAX && !self.0.contains(actor) {
                self.0.push(*actor);
            }
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn newest(&self) -> Option<UserId> {
        self.0.first().copied()
    }

    pub(super) fn without(mut self, people: &HashSet<UserId>) -> Self {
        self.0.retain(|actor| !people.contains(actor));
        self
    }

    /// Returns the actors' IDs, newest first.
    pub fn ids(&self) -> &[UserId] {
        &self.0
    }
}
