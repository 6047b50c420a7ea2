//! Who did it: the newest hundred, each once.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::ids::UserId;

/// How many actors a group remembers.
const ACTORS_MAX: usize = 100;
const ID_BYTES: usize = 16;

/// Distinct people, who did it last first. Kept as 16 bytes each, so that a page of groups stays small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actors(Vec<UserId>);

impl Actors {
    /// The newest of these and of those who did it before them.
    pub fn and_before(mut self, before: &[UserId]) -> Self {
        for actor in before {
            if !self.are_full() && !self.0.contains(actor) {
                self.0.push(*actor);
            }
        }
        self
    }

    /// Whether nobody is remembered beyond these.
    pub fn are_full(&self) -> bool {
        self.0.len() >= ACTORS_MAX
    }

    /// Their ids, newest first.
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
        deserializer.deserialize_byte_buf(Packed)
    }
}

struct Packed;

impl de::Visitor<'_> for Packed {
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
