//! What DynamoDB answers to a read, or to an update.
//!
//! The SDK reads an answer into maps of values, for rows to be read from those: a quarter of the work for a page of posts.
//! Here it hands over the answer as it came, and rows are read from its JSON. All else stays the SDK's.

mod as_it_came;
mod attributes;
mod leaves;
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
use crate::{
    error::{Error, Result},
    metrics,
};

pub(super) use as_it_came::AsItCame;
pub(super) use attributes::Stored;

/// Reads what came.
pub(super) fn read<A: DeserializeOwned>(items: impl IntoIterator<Item = Item>) -> Result<A> {
    let answer = as_it_came::taken_out(items).context("the SDK did not hand over an answer");
    Ok(serde_json::from_slice(answer.map_err(Error::internal)?.as_ref())?)
}

/// The units of a call, on one table.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Consumed {
    capacity_units: f64,
}

impl Consumed {
    /// Counts the cost of a read.
    pub(super) fn count_read(&self) {
        metrics::reads(self.capacity_units);
    }

    /// Counts the cost of a write.
    pub(super) fn count_write(&self) {
        metrics::writes(self.capacity_units);
    }
}

/// Counts the cost of writes whose answer the SDK has read.
pub(super) fn count_writes<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
    metrics::writes(consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum());
}

/// The answer to an update: the row that is there afterwards, where somebody asked for it.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "R: DeserializeOwned"))]
pub(super) struct Updated<R> {
    pub(super) attributes: Option<Stored<R>>,
    pub(super) consumed_capacity: Option<Consumed>,
}

/// The answer to a read of one row.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "R: DeserializeOwned"))]
pub(super) struct One<R> {
    pub(super) item: Option<Stored<R>>,
    pub(super) consumed_capacity: Option<Consumed>,
}

/// The answer to a query or a scan.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "T: DeserializeOwned"))]
pub(super) struct Several<T> {
    pub(super) items: Vec<T>,
    pub(super) last_evaluated_key: Option<Stored<HashMap<String, String>>>,
    pub(super) consumed_capacity: Option<Consumed>,
}

impl<T> Several<T> {
    /// Returns where the next page begins, as the SDK wants it.
    pub(super) fn next(&self) -> Option<Item> {
        let Stored(key) = self.last_evaluated_key.as_ref()?;
        Some(key.iter().map(|(name, value)| (name.clone(), AttributeValue::S(value.clone()))).collect())
    }
}

/// The answer to a batch of reads.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", bound(deserialize = "T: DeserializeOwned"))]
pub(super) struct Batch<T> {
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

/// A row of one of two kinds.
pub(super) enum Either<R, O> {
    /// What most are.
    One(R),
    /// What the rest are: it is not read as the first.
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

/// A row of any kind, as it came.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct AnyRow(Box<RawValue>);

impl AnyRow {
    /// Reads the row.
    pub(super) fn read<R: DeserializeOwned>(&self) -> Result<R> {
        let Stored(row) = serde_json::from_str(self.0.get())?;
        Ok(row)
    }
}
