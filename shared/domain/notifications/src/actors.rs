//! The people behind a notification: the newest hundred, each once.

use std::collections::HashSet;

use base::{ids::UserId, packed};
use serde::{Deserialize, Serialize};

/// How many actors a notification remembers.
pub(super) const ACTORS_MAX: usize = 100;

/// Distinct people, the newest first. Stored as 16 bytes each, so that a page of notifications stays
/// small.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Actors(#[serde(with = "packed")] Vec<UserId>);

impl Actors {
    /// Appends older actors, up to the maximum of 100.
    pub fn with_older(mut self, older: &[UserId]) -> Self {
        for actor in older {
            if !self.is_full() && !self.0.contains(actor) {
                self.0.push(*actor);
            }
        }
        self
    }

    /// Returns whether there is no room for older actors.
    pub fn is_full(&self) -> bool {
        self.0.len() >= ACTORS_MAX
    }

    /// Returns the newest actor.
    pub fn newest(&self) -> Option<UserId> {
        self.0.first().copied()
    }

    /// Returns these actors without some people.
    pub fn without(mut self, people: &HashSet<UserId>) -> Self {
        self.0.retain(|it| !people.contains(it));
        self
    }

    /// Returns the ids, newest first.
    pub fn ids(&self) -> &[UserId] {
        &self.0
    }
}
