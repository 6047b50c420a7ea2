//! Rows and their keys.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_dynamo::to_item;

use crate::{Error, Result, Time};

pub(super) type Item = HashMap<String, AttributeValue>;

/// The primary key of a row, or its key in an index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The partition key.
    pub pk: String,
    /// The sort key.
    pub sk: String,
}

impl Key {
    /// Creates a key.
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }
}

/// One of the table's three indexes. An index contains the rows that have both of its key attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// The index `gsi1`.
    Gsi1,
    /// The index `gsi2`.
    Gsi2,
    /// The index `gsi3`.
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

    /// Returns the name of the attribute with the index's sort key.
    pub fn sk(self) -> &'static str {
        match self {
            Self::Gsi1 => "gsi1sk",
            Self::Gsi2 => "gsi2sk",
            Self::Gsi3 => "gsi3sk",
        }
    }
}

/// A type of row in the table.
pub trait Row: Serialize + DeserializeOwned + Send {
    /// Names of the attributes to read, or `None` for all attributes. Reading fewer attributes saves time, but not read
    /// units.
    const PART: Option<&'static str> = None;

    /// Returns the row's primary key.
    fn key(&self) -> Key;

    /// Returns the row's keys in the indexes that contain the row.
    fn indexes(&self) -> Vec<(Index, Key)> {
        Vec::new()
    }

    /// Returns the time at which the row expires, or `None`. The time becomes the row's `ttl`. DynamoDB deletes the row
    /// within two days after that time.
    fn expires(&self) -> Option<Time> {
        None
    }
}

/// The key of a row of any type.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeyOnly {
    /// The partition key.
    pub pk: String,
    /// The sort key.
    pub sk: String,
}

impl Row for KeyOnly {
    const PART: Option<&'static str> = Some("pk, sk");

    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}

/// Returns the item to store: the row's fields, its key, its index keys and its `ttl`.
pub(super) fn item(row: &impl Row) -> Result<Item> {
    let mut item: Item = to_item(row).map_err(Error::internal)?;
    // DynamoDB refuses NULL in index keys. In other attributes, NULL only costs storage.
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
