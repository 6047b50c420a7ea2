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

/// Where a row lives: its partition, and its index_key within it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The partition.
    pub pk: String,
    /// The index_key in the partition.
    pub sk: String,
}

impl Key {
    /// The index_key `sk` in the partition `pk`.
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }
}

/// Gsi1 of the table's three overloaded indexes. A row is in it while it has its two attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// `gsi1`
    Gsi1,
    /// `gsi2`
    Gsi2,
    /// `gsi3`
    Gsi3,
}

impl Index {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gsi1 => "gsi1",
            Self::Gsi2 => "gsi2",
            Self::Gsi3 => "gsi3",
        }
    }

    pub(super) fn pk(self) -> &'static str {
        match self {
            Self::Gsi1 => "gsi1pk",
            Self::Gsi2 => "gsi2pk",
            Self::Gsi3 => "gsi3pk",
        }
    }

    pub(super) fn sk(self) -> &'static str {
        match self {
            Self::Gsi1 => "gsi1sk",
            Self::Gsi2 => "gsi2sk",
            Self::Gsi3 => "gsi3sk",
        }
    }
}

/// Something the table keeps.
pub trait Row: Serialize + DeserializeOwned + Send {
    /// The attributes that [`Table::get`](super::Table::get) and [`Table::get_eventual`](super::Table::get_eventual) ask for, of what is
    /// only a part of a row. It costs as much as the whole, but less is sent, read and thrown away.
    const PART: Option<&'static str> = None;

    /// Where it lives.
    fn key(&self) -> Key;

    /// The indexes it is found in, and its index_key there.
    fn indexes(&self) -> Vec<(Index, Key)> {
        Vec::new()
    }

    /// When it may be swept away; within two days after, DynamoDB does.
    fn expires(&self) -> Option<Time> {
        None
    }
}

/// The whole item: the row's own fields, its key, its index_keys in indexes, its end.
pub(super) fn item(row: &impl Row) -> Result<Item> {
    let mut item: Item = to_item(row).map_err(Error::internal)?;
    // A NULL in an index key is refused by DynamoDB, and elsewhere it is only bytes to pay for.
    item.retain(|_, value| !value.is_null());
    item.extend(Item::from(&row.key()));
    for (index, index_key) in row.indexes() {
        item.insert(index.pk().to_owned(), AttributeValue::S(index_key.pk));
        item.insert(index.sk().to_owned(), AttributeValue::S(index_key.sk));
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
