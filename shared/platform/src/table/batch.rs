//! Reads 100 rows a call and writes 25 a call, until DynamoDB has left none unprocessed.

use std::collections::HashMap;

use anyhow::anyhow;
use aws_sdk_dynamodb::types::{
    DeleteRequest, KeysAndAttributes, PutRequest, ReturnConsumedCapacity::Total, WriteRequest,
};
use futures::{StreamExt, TryStreamExt, stream};
use serde::de::DeserializeOwned;

use super::{
    Key, KeyOnly, Row, Table,
    answer::{self, AnyRow, Consumed, Either, Stored},
    retry::failed,
    row::{Item, item},
};
use crate::{
    error::{Error, Result},
    retry::{ATTEMPTS, pause},
};

const READ_MAX_KEYS: usize = 100;
const WRITE_MAX_ROWS: usize = 25;
const WRITES_AT_ONCE: usize = 4;

impl Table {
    /// Returns the rows that exist, in no order.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer or keeps leaving keys unprocessed.
    pub async fn batch_get<R: Row>(&self, keys: &[Key]) -> Result<Vec<R>> {
        self.read_rows(keys, true).await
    }

    /// Returns the rows as [`Table::batch_get`] does, with eventual consistency and for half its RRU.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer or keeps leaving keys unprocessed.
    pub async fn batch_get_eventual<R: Row>(&self, keys: &[Key]) -> Result<Vec<R>> {
        self.read_rows(keys, false).await
    }

    /// Returns the rows of one kind as [`Table::batch_get_eventual`] does, and the row of another kind, in the same calls.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer or keeps leaving keys unprocessed.
    pub async fn batch_get_eventual_with<R: Row, O: Row>(
        &self,
        keys: &[Key],
        other: Key,
    ) -> Result<(Vec<R>, Option<O>)> {
        let keys: Vec<_> = keys.iter().cloned().chain([other]).collect();
        let (mut rows, mut other) = (Vec::with_capacity(keys.len()), None);
        for row in self.read_chunks(&keys, false).await? {
            match row {
                Either::One(row) => rows.push(row),
                Either::Other(row) => other = Some(row),
            }
        }
        Ok((rows, other))
    }

    /// Returns rows of different kinds, at most 100.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer or keeps leaving keys unprocessed.
    pub async fn get_together(&self, keys: &[Key]) -> Result<Together> {
        self.read_chunk(keys, true).await.and_then(Together::new)
    }

    /// Returns the rows as [`Table::get_together`] does, with eventual consistency and for half its RRU. Where a
    /// row seems missing, all are read again with strong consistency.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer or keeps leaving keys unprocessed.
    pub async fn get_together_eventual(&self, keys: &[Key]) -> Result<Together> {
        let found = self.read_chunk(keys, false).await?;
        match found.len() == keys.len() {
            true => Together::new(found),
            false => self.get_together(keys).await,
        }
    }

    /// Returns those of the rows that exist as [`Table::get_together`] does, with eventual consistency and for half its
    /// RRU; for rows most of which are missing.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer or keeps leaving keys unprocessed.
    pub async fn find_together_eventual(&self, keys: &[Key]) -> Result<Together> {
        self.read_chunk(keys, false).await.and_then(Together::new)
    }

    async fn read_rows<R: Row>(&self, keys: &[Key], consistent: bool) -> Result<Vec<R>> {
        let rows: Vec<Stored<R>> = self.read_chunks(keys, consistent).await?;
        Ok(rows.into_iter().map(|Stored(row)| row).collect())
    }

    async fn read_chunks<T: DeserializeOwned>(&self, keys: &[Key], consistent: bool) -> Result<Vec<T>> {
        let mut rows = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(READ_MAX_KEYS) {
            rows.extend(self.read_chunk(chunk, consistent).await?);
        }
        Ok(rows)
    }

    /// Puts and deletes rows without conditions, a hundred at the same time.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer or keeps leaving rows unprocessed.
    pub async fn batch_write<R: Row>(&self, puts: &[R], deletes: &[Key]) -> Result<()> {
        let mut requests = Vec::with_capacity(puts.len() + deletes.len());
        for row in puts {
            let put = PutRequest::builder().set_item(Some(item(row)?)).build();
            let put = put.map_err(Error::internal)?;
            requests.push(WriteRequest::builder().put_request(put).build());
        }
        for key in deletes {
            let delete = DeleteRequest::builder().set_key(Some(key.into())).build();
            let delete = delete.map_err(Error::internal)?;
            requests.push(WriteRequest::builder().delete_request(delete).build());
        }
        let chunks: Vec<_> = requests.chunks(WRITE_MAX_ROWS).map(<[_]>::to_vec).collect();
        let written = stream::iter(chunks).map(|it| self.write_chunk(it)).buffer_unordered(WRITES_AT_ONCE);
        written.try_collect().await
    }

    async fn read_chunk<T: DeserializeOwned>(&self, keys: &[Key], consistent: bool) -> Result<Vec<T>> {
        let mut wanted: Vec<Item> = keys.iter().map(Item::from).collect();
        let mut found = Vec::with_capacity(keys.len());
        for attempt in 0..ATTEMPTS {
            if wanted.is_empty() {
                return Ok(found);
            }
            if attempt > 0 {
                pause(attempt).await;
            }
            let ask = KeysAndAttributes::builder().set_keys(Some(wanted)).consistent_read(consistent);
            let ask = ask.build().map_err(Error::internal)?;
            let get = self.client.batch_get_item().request_items(self.name(), ask);
            let answer = Box::pin(get.return_consumed_capacity(Total).send()).await.map_err(failed)?;
            let answer = answer.responses.unwrap_or_default().into_values().flatten();
            let mut answer: answer::Batch<T> = answer::read(answer)?;
            answer.consumed_capacity.iter().for_each(Consumed::count_read);
            found.extend(answer.responses.remove(self.name()).unwrap_or_default());
            let missing = answer.unprocessed_keys.remove(self.name()).map(|it| it.keys).unwrap_or_default();
            wanted = missing.iter().map(|Stored(row)| Item::from(&row.key())).collect();
        }
        (wanted.is_empty()).then_some(found).ok_or_else(|| unprocessed("keys"))
    }

    async fn write_chunk(&self, mut requests: Vec<WriteRequest>) -> Result<()> {
        for attempt in 0..ATTEMPTS {
            if requests.is_empty() {
                return Ok(());
            }
            if attempt > 0 {
                pause(attempt).await;
            }
            let write = self.client.batch_write_item().request_items(self.name(), requests);
            let answer = Box::pin(write.return_consumed_capacity(Total).send()).await.map_err(failed)?;
            answer::count_writes(answer.consumed_capacity());
            requests = take(answer.unprocessed_items, self.name()).unwrap_or_default();
        }
        (requests.is_empty()).then_some(()).ok_or_else(|| unprocessed("rows"))
    }
}

/// Rows of different kinds that one call returned.
pub struct Together(Vec<(Key, AnyRow)>);

impl Together {
    fn new(rows: Vec<AnyRow>) -> Result<Self> {
        let keyed = |row: AnyRow| Ok((row.read::<KeyOnly>()?.key(), row));
        rows.into_iter().map(keyed).collect::<Result<_>>().map(Self)
    }

    /// Takes out the row at this key; none when there was no such row.
    ///
    /// # Errors
    /// Fails when the row is of another kind.
    pub fn take<R: Row>(&mut self, key: &Key) -> Result<Option<R>> {
        let Some(place) = self.0.iter().position(|(it, _)| it == key) else { return Ok(None) };
        self.0.swap_remove(place).1.read().map(Some)
    }
}

fn take<T>(by_table: Option<HashMap<String, T>>, table: &str) -> Option<T> {
    by_table.and_then(|mut it| it.remove(table))
}

/// DynamoDB leaves unprocessed what a limit or another writer keeps it from.
fn unprocessed(what: &str) -> Error {
    Error::Throttled(anyhow!("DynamoDB left {what} unprocessed {ATTEMPTS} times"))
}
