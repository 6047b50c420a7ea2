//! Parses DynamoDB's responses to reads and updates.
//!
//! The SDK would parse a response into maps of values, which is slow. So the SDK returns the response unparsed, and
//! this module parses rows directly from the JSON.

mod attributes;
mod leaves;
mod raw_responses;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use anyhow::Context;
use aws_sdk_dynamodb::types::{AttributeValue, ConsumedCapacity};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use serde_json::value::RawValue;

use super::row::{Item, KeyOnly};
use crate::{Error, Result, metrics};

pub(super) use attributes::Stored;
pub(super) use raw_responses::RawResponses;

/// Returns the parsed response. `items` contains the unparsed response.
pub(super) fn read<T: DeserializeOwned>(items: impl IntoIterator<Item = Item>) -> Result<T> {
    let response = raw_responses::unwrap_response(items).context("the SDK returned no unparsed response");
    Ok(serde_json::from_slice(response.map_err(Error::internal)?.as_ref())?)
}

/// The read or write units that a call consumed on one table.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Consumed {
    capacity_units: f64,
}

impl Consumed {
    pub(super) fn count_read(&self) {
        metrics::reads(self.capacity_units);
    }

    pub(super) fn count_write(&self) {
        metrics::writes(self.capacity_units);
    }
}

/// Counts the cost of writes, from a response that the SDK has parsed.
pub(super) fn count_writes<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
    metrics::writes(consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum());
}

/// The response to an update, with the new row if the call requested it.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "R: DeserializeOwned"))]
pub(super) struct UpdateResponse<R> {
    pub(super) attributes: Option<Stored<R>>,
    pub(super) consumed_capacity: Option<Consumed>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "R: DeserializeOwned"))]
pub(super) struct GetResponse<R> {
    pub(super) item: Option<Stored<R>>,
    pub(super) consumed_capacity: Option<Consumed>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "T: DeserializeOwned"))]
pub(super) struct PageResponse<T> {
    pub(super) items: Vec<T>,
    pub(super) last_evaluated_key: Option<Stored<HashMap<String, String>>>,
    pub(super) consumed_capacity: Option<Consumed>,
}

impl<T> PageResponse<T> {
    /// Returns the start of the next page, or `None` on the last page.
    pub(super) fn next(&self) -> Option<Item> {
        let Stored(key) = self.last_evaluated_key.as_ref()?;
        Some(key.iter().map(|(name, value)| (name.clone(), AttributeValue::S(value.clone()))).collect())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "T: DeserializeOwned"))]
pub(super) struct BatchResponse<T> {
    #[serde(default)]
    pub(super) responses: HashMap<String, Vec<T>>,
    #[serde(default)]
    pub(super) unprocessed_keys: HashMap<String, Unprocessed>,
    #[serde(default)]
    pub(super) consumed_capacity: Vec<Consumed>,
}

/// The keys of a batch that were not read.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Unprocessed {
    pub(super) keys: Vec<Stored<KeyOnly>>,
}

/// A row of one of two types.
pub(super) enum Either<R, O> {
    /// A row of the main type.
    One(R),
    /// A row that cannot be parsed as the main type.
    Other(O),
}

impl<'de, R: DeserializeOwned, O: DeserializeOwned> Deserialize<'de> for Either<R, O> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        let row = <&RawValue>::deserialize(json)?.get();
        match serde_json::from_str(row) {
            Ok(Stored(one)) => Ok(Self::One(one)),
            Err(error) => match serde_json::from_str(row) {
                Ok(Stored(other)) => Ok(Self::Other(other)),
                Err(_) => Err(D::Error::custom(error)),
            },
        }
    }
}

/// An unparsed row of any type.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct AnyRow(Box<RawValue>);

impl AnyRow {
    pub(super) fn read<R: DeserializeOwned>(&self) -> Result<R> {
        let Stored(row) = serde_json::from_str(self.0.get())?;
        Ok(row)
    }
}
