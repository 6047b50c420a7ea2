//! Rows, and where they live.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Serialize, de::DeserializeOwned};
use serde_dynamo::to_item;

use crate::{
    error::{Error, Result},
    time::Time,
};

pub(super) type Item = HashMap<String, AttributeValue>;

/// Where a row lives: its partition, and its place within it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The partition.
    pub pk: String,
    /// The place in the partition.
    pub sk: String,
}

impl Key {
    /// The place `sk` in the partition `pk`.
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }
}

/// One of the table's three overloaded indexes. A row is in it while it has its two attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// `gsi1`
    One,
    /// `gsi2`
    Two,
    /// `gsi3`
    Three,
}

impl Index {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::One => "gsi1",
            Self::Two => "gsi2",
            Self::Three => "gsi3",
        }
    }

    pub(super) fn pk(self) -> &'static str {
        match self {
            Self::One => "gsi1pk",
            Self::Two => "gsi2pk",
            Self::Three => "gsi3pk",
        }
    }

    pub(super) fn sk(self) -> &'static str {
        match self {
            Self::One => "gsi1sk",
            Self::Two => "gsi2sk",
            Self::Three => "gsi3sk",
        }
    }
}

/// Something the table keeps.
pub trait Row: Serialize + DeserializeOwned + Send {
    /// The attributes that [`Table::get`](super::Table::get) and [`Table::peek`](super::Table::peek) ask for, of what is
    /// only a part of a row. It costs as much as the whole, but less is sent, read and thrown away.
    const PART: Option<&'static str> = None;

    /// Where it lives.
    fn key(&self) -> Key;

    /// The indexes it is found in, and its place there.
    fn indexes(&self) -> Vec<(Index, Key)> {
        Vec::new()
    }

    /// When it may be swept away; within two days after, DynamoDB does.
    fn expires(&self) -> Option<Time> {
        None
    }
}

/// The whole item: the row's own fields, its key, its places in indexes, its end.
pub(super) fn item(row: &impl Row) -> Result<Item> {
    let mut item: Item = to_item(row).map_err(Error::internal)?;
    // A NULL in an index key is refused by DynamoDB, and elsewhere it is only bytes to pay for.
    item.retain(|_, value| !value.is_null());
    item.extend(Item::from(&row.key()));
    for (index, place) in row.indexes() {
        item.insert(index.pk().to_owned(), AttributeValue::S(place.pk));
        item.insert(index.sk().to_owned(), AttributeValue::S(place.sk));
    }
    if let Some(end) = row.expires() {
        item.insert("ttl".to_owned(), AttributeValue::N(end.seconds().to_string()));
    }
    Ok(item)
}

impl From<&Key> for Item {
    fn from(key: &Key) -> Self {
        [("pk", &key.pk), ("sk", &key.sk)]
            .map(|(name, value)| (name.to_owned(), AttributeValue::S(value.clone())))
            .into()
    }
}
