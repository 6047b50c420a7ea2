//! The people behind a notification: the newest hundred, each once.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::ids::UserId;

/// How many actors a notification remembers.
const ACTORS_MAX: usize = 100;
const ID_BYTES: usize = 16;

/// Distinct people, the newest first. Stored as 16 bytes each, so that a page of notifications stays
/// small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actors(Vec<UserId>);

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

    /// Returns the ids, newest first.
    pub fn ids(&self) -> &[UserId] {
        &self.0
    }
}

impl Serialize for Actors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<_> = self.0.iter().flat_map(|it| it.to_bytes()).collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Actors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(ActorsVisitor)
    }
}

struct ActorsVisitor;

impl de::Visitor<'_> for ActorsVisitor {
    type Value = Actors;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ids of 16 bytes each")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Actors, E> {
        let (ids, rest) = bytes.as_chunks::<ID_BYTES>();
        let ids = ids.iter().map(|it| UserId::from_bytes(*it)).collect();
        rest.is_empty().then_some(Actors(ids)).ok_or_else(|| E::invalid_length(bytes.len(), &self))
    }
}
