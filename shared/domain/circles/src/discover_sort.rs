//! The lists of circles to find, and where a circle is in one.

use std::{fmt, str::FromStr};

use base::ids::CircleId;
use platform::{
    id::NotAnId,
    table::{Index, Key},
    time::Time,
};
use serde::{Deserialize, Deserializer, de::Error as _};
use utoipa::ToSchema;

/// Partitions of each list. Never change it: a circle keeps its shard.
pub(super) const SHARDS: u8 = 4;

/// The order of the circles to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CircleSort)]
pub enum DiscoverSort {
    /// The newest circle first.
    #[default]
    New,
    /// The circle in which somebody wrote last first.
    Active,
    /// Those that are dying, the one that dies first first.
    Dying,
}

/// A circle in a list that is sorted by a time. As text, which is its sort key and cursor, `time_circle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiscoverPosition {
    pub(super) at: Time,
    pub(super) circle: CircleId,
}

/// Where a page begins: behind a position, or behind a circle of the list.
#[derive(Clone, Copy, Debug)]
pub enum DiscoverAfter {
    /// The position that the page before answered.
    Position(DiscoverPosition),
    /// A circle.
    Circle(CircleId),
}

impl DiscoverSort {
    pub(super) fn is_newest_first(self) -> bool {
        self != Self::Dying
    }

    pub(super) fn index(self) -> Index {
        match self {
            Self::New | Self::Dying => Index::Gsi1,
            Self::Active => Index::Gsi2,
        }
    }

    pub(super) fn partition(self, shard: u8) -> String {
        match self {
            Self::New => format!("NEW#{shard}"),
            Self::Active => format!("ACTIVE#{shard}"),
            Self::Dying => format!("DYING#{shard}"),
        }
    }

    pub(super) fn index_key(self, found: DiscoverPosition) -> (Index, Key) {
        let shard = (found.circle.random() % u128::from(SHARDS)) as u8;
        (self.index(), Key::new(self.partition(shard), found.to_string()))
    }
}

impl fmt::Display for DiscoverPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.at, self.circle)
    }
}

impl FromStr for DiscoverPosition {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let (at, circle) = text.split_once('_').ok_or(NotAnId)?;
        let at = at.parse().map_err(|_| NotAnId)?;
        Ok(Self { at, circle: circle.parse()? })
    }
}

impl<'de> Deserialize<'de> for DiscoverAfter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let position = text.parse().map(Self::Position);
        position.or_else(|_| text.parse().map(Self::Circle)).map_err(D::Error::custom)
    }
}
