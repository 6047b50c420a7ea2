//! Orders and positions of the lists for discovering circles.

use std::{fmt, str::FromStr};

use base::CircleId;
use platform::{Index, Key, Time, id::NotAnId};
use serde::{Deserialize, Deserializer, de::Error as _};
use utoipa::ToSchema;

/// Number of shards of each list. Never change this number, because each circle stays in its shard.
pub(super) const SHARDS: u8 = 4;

/// The order of a list of circles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CircleSort)]
pub enum DiscoverSort {
    /// The newest circle first.
    #[default]
    New,
    /// The circle with the newest post first.
    Active,
    /// Only dying circles, the circle that dies soonest first.
    Dying,
}

/// A circle's position in a list that is sorted by time. The text form `time_circle` is the sort key and the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiscoverPosition {
    pub(super) at: Time,
    pub(super) circle: CircleId,
}

/// The cursor of a page in a list of circles.
#[derive(Clone, Copy, Debug)]
pub enum DiscoverAfter {
    /// The `after` of the previous page.
    Position(DiscoverPosition),
    /// A circle in the list.
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

    pub(super) fn index_key(self, position: DiscoverPosition) -> (Index, Key) {
        let shard = (position.circle.random() % u128::from(SHARDS)) as u8;
        (self.index(), Key::new(self.partition(shard), position.to_string()))
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
