//! Values with gaps in them, and what they are when the gaps are filled.

use dynoxide::{AttributeValue, Item};
use jiff::Timestamp;
use ulid::Ulid;

pub(super) const ID_BYTES: usize = 16;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// A value of a row, with its gaps.
#[derive(Clone)]
pub(super) enum Shape {
    Text(Vec<Piece>),
    Expiry(i64),
    Bytes(Vec<Piece>),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
    Same(AttributeValue),
}

/// A piece of a text: what stays, or a gap.
#[derive(Clone)]
pub(super) enum Piece {
    Same(String),
    Id(usize),
    Time(i64),
    Day(i64),
    Name(usize),
}

/// Gaps, filled.
pub(super) struct Filled {
    pub(super) ids: Vec<Ulid>,
    pub(super) names: Vec<String>,
    /// Milliseconds.
    pub(super) later: i64,
}

impl Filled {
    pub(super) fn row(&self, fields: &[(String, Shape)]) -> Item {
        fields.iter().map(|(name, it)| (name.clone(), self.value(it))).collect()
    }

    pub(super) fn value(&self, shape: &Shape) -> AttributeValue {
        match shape {
            Shape::Text(pieces) => AttributeValue::S(self.text(pieces)),
            Shape::Expiry(seconds) => AttributeValue::N((seconds + self.later / 1000).to_string()),
            Shape::Bytes(pieces) => AttributeValue::B(pieces.iter().flat_map(|it| self.bytes(it)).collect()),
            Shape::List(list) => AttributeValue::L(list.iter().map(|it| self.value(it)).collect()),
            Shape::Map(fields) => AttributeValue::M(self.row(fields)),
            Shape::Same(value) => value.clone(),
        }
    }

    fn bytes(&self, piece: &Piece) -> [u8; ID_BYTES] {
        match piece {
            Piece::Id(position) => self.ids[*position].to_bytes(),
            _ => [0; ID_BYTES],
        }
    }

    pub(super) fn text(&self, pieces: &[Piece]) -> String {
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Same(same) => text += same,
                Piece::Id(position) => text += &self.ids[*position].to_string(),
                Piece::Name(position) => text += &self.names[*position],
                Piece::Time(at) => text += &moment(at + self.later, "%Y-%m-%dT%H:%M:%S%.3fZ"),
                Piece::Day(at) => text += &moment(at + self.later.div_euclid(DAY_MILLIS) * DAY_MILLIS, "%F"),
            }
        }
        text
    }
}

fn moment(millis: i64, format: &str) -> String {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH).strftime(format).to_string()
}
