//! The newest 100 distinct users behind a notification.

use std::collections::HashSet;

use base::{ids::UserId, packed};
use serde::{Deserialize, Serialize};

/// Maximum number of actors that a notification stores.
pub(super) const ACTORS_MAX: usize = 100;

/// Distinct users, newest first. Each ID is stored in 16 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Actors(#[serde(with = "packed")] Vec<UserId>);

impl Actors {
    /// Returns these actors and then the actors in `older`, at most 100 in total. Omits duplicates.
    pub fn with_older(mut self, older: &[UserId]) -> Self {
        for actor in older {
            if !self.is_full() && !self.0.contains(actor) {
                self.0.push(*actor);
            }
        }
        self
    }

    /// Returns whether there are 100 actors, which is the maximum.
    pub fn is_full(&self) -> bool {
        self.0.len() >= ACTORS_MAX
    }

    /// Returns whether there are no actors.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the newest actor.
    pub fn newest(&self) -> Option<UserId> {
        self.0.first().copied()
    }

    /// Returns the actors without `people`.
    pub fn without(mut self, people: &HashSet<UserId>) -> Self {
        self.0.retain(|actor| !people.contains(actor));
        self
    }

    /// Returns the actors' IDs, newest first.
    pub fn ids(&self) -> &[UserId] {
        &self.0
    }
}
