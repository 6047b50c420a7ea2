//! Reads and writes rows in batches, and retries unprocessed keys and rows.

use std::collections::HashSet;

use anyhow::anyhow;
use aws_sdk_dynamodb::types::{
    DeleteRequest, KeysAndAttributes, PutRequest, ReturnConsumedCapacity::Total, WriteRequest,
};
use futures::{StreamExt, TryStreamExt, stream};
use serde::de::DeserializeOwned;

use super::{
    Key, KeyOnly, Row, Table,
    answer::{self, AnyRow, Consumed, Either, Stored},
    retry::call_error,
    row::{Item, item},
};
use crate::{
    Error, Result,
    retry::{ATTEMPTS, pause},
};

const READ_MAX_KEYS: usize = 100;
const WRITE_MAX_ROWS: usize = 25;
const CONCURRENT_WRITES: usize = 4;

impl Table {
    /// Returns the existing rows at the keys, in no particular order. A key that occurs several times is sent once,
    /// because DynamoDB refuses duplicate keys.
    pub async fn batch_get<R: Row>(&self, keys: &[Key]) -> Result<Vec<R>> {
        self.read_rows(keys, true).await
    }

    /// Works like [`Table::batch_get`], with eventual consistency, at half the cost.
    pub async fn batch_get_eventual<R: Row>(&self, keys: &[Key]) -> Result<Vec<R>> {
        self.read_rows(keys, false).await
    }

    /// Works like [`Table::batch_get_eventual`]. The same calls also read the row at `other`, which has a different
    /// type.
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

    /// Returns the existing rows at the keys. The rows may have different types. Takes at most 100 keys.
    pub async fn get_together(&self, keys: &[Key]) -> Result<Together> {
        self.read_chunk(keys, true).await.and_then(Together::new)
    }

    /// Works like [`Table::get_together`], with eventual consistency, at half the cost. If a row is missing, reads all
    /// rows again with strong consistency.
    pub async fn get_together_eventual(&self, keys: &[Key]) -> Result<Together> {
        let found = self.read_chunk(keys, false).await?;
        match found.len() == keys.len() {
            true => Together::new(found),
            false => self.get_together(keys).await,
        }
    }

    /// Works like [`Table::get_together`], with eventual consistency, at half the cost. Use this function if most rows
    /// are missing, because it does not read missing rows again.
    pub async fn find_together_eventual(&self, keys: &[Key]) -> Result<Together> {
        self.read_chunk(keys, false).await.and_then(Together::new)
    }

    async fn read_rows<R: Row>(&self, keys: &[Key], consistent: bool) -> Result<Vec<R>> {
        let rows: Vec<Stored<R>> = self.read_chunks(keys, consistent).await?;
        Ok(rows.into_iter().map(|Stored(row)| row).collect())
    }

    async fn read_chunks<T: DeserializeOwned>(&self, keys: &[Key], consistent: bool) -> Result<Vec<T>> {
        let mut seen = HashSet::new();
        let keys: Vec<_> = keys.iter().filter(|key| seen.insert(*key)).cloned().collect();
        let mut rows = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(READ_MAX_KEYS) {
            rows.extend(self.read_chunk(chunk, consistent).await?);
        }
        Ok(rows)
    }

    /// Writes and deletes rows without conditions. Processes up to 100 rows at a time.
    pub async fn batch_write<R: Row>(&self, puts: &[R], deletes: &[Key]) -> Result<()> {
        let mut requests = Vec::with_capacity(puts.len() + deletes.len());
        for row in puts {
            let put = PutRequest::builder().set_item(Some(item(row)?)).build().map_err(Error::internal)?;
            requests.push(WriteRequest::builder().put_request(put).build());
        }
        for key in deletes {
            let delete =
                DeleteRequest::builder().set_key(Some(key.into())).build().map_err(Error::internal)?;
            requests.push(WriteRequest::builder().delete_request(delete).build());
        }
        let chunks: Vec<_> = requests.chunks(WRITE_MAX_ROWS).map(<[_]>::to_vec).collect();
        let written =
            stream::iter(chunks).map(|chunk| self.write_chunk(chunk)).buffer_unordered(CONCURRENT_WRITES);
        written.try_collect().await
    }

    /// Deletes rows without conditions, as [`Table::batch_write`] does.
    pub async fn delete_rows(&self, keys: Vec<Key>) -> Result<()> {
        self.batch_write::<KeyOnly>(&[], &keys).await
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
            let keys = KeysAndAttributes::builder().set_keys(Some(wanted)).consistent_read(consistent);
            let keys = keys.build().map_err(Error::internal)?;
            let get = self.client.batch_get_item().request_items(self.name(), keys);
            let response = Box::pin(get.return_consumed_capacity(Total).send()).await.map_err(call_error)?;
            let items = response.responses.unwrap_or_default().into_values().flatten();
            let mut response: answer::BatchResponse<T> = answer::read(items)?;
            response.consumed_capacity.iter().for_each(Consumed::count_read);
            found.extend(response.responses.remove(self.name()).unwrap_or_default());
            let unprocessed = response.unprocessed_keys.remove(self.name());
            let missing = unprocessed.map(|unprocessed| unprocessed.keys).unwrap_or_default();
            wanted = missing.iter().map(|Stored(row)| Item::from(&row.key())).collect();
        }
        wanted.is_empty().then_some(found).ok_or_else(|| unprocessed("keys"))
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
            let response =
                Box::pin(write.return_consumed_capacity(Total).send()).await.map_err(call_error)?;
            answer::count_writes(response.consumed_capacity());
            requests = response.unprocessed_items.unwrap_or_default().remove(self.name()).unwrap_or_default();
        }
        requests.is_empty().then_some(()).ok_or_else(|| unprocessed("rows"))
    }
}

/// Rows of different types from one call.
pub struct Together(Vec<(Key, AnyRow)>);

impl Together {
    fn new(rows: Vec<AnyRow>) -> Result<Self> {
        let keyed = |row: AnyRow| Ok((row.read::<KeyOnly>()?.key(), row));
        rows.into_iter().map(keyed).collect::<Result<_>>().map(Self)
    }

    /// Removes the row at this key from the response and returns it. Returns `None` if the row does not exist.
    ///
    /// # Errors
    /// Fails if the row has a different type.
    pub fn take<R: Row>(&mut self, key: &Key) -> Result<Option<R>> {
        let Some(index) = self.0.iter().position(|(other, _)| other == key) else { return Ok(None) };
        self.0.swap_remove(index).1.read().map(Some)
    }
}

/// Returns the error for keys or rows that DynamoDB left unprocessed at every attempt.
fn unprocessed(what: &str) -> Error {
    Error::Throttled(anyhow!("DynamoDB left {what} unprocessed {ATTEMPTS} times"))
}
