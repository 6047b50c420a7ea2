//! The DynamoDB table: reads and writes rows, one at a time or several in one transaction.
//!
//! Only this module uses DynamoDB's values and expressions. The domain defines rows and keys. The SDK retries calls
//! that failed, conflicted or were throttled. This module retries the unprocessed keys and rows of a batch. Both use
//! backoff with jitter.
//!
//! Each SDK future is boxed, because the future has several KB. Otherwise every future that awaits it would contain
//! these bytes.

mod answer;
mod batch;
mod commit;
mod conditions;
mod expression;
mod json;
pub(crate) mod outbox;
mod query;
mod retry;
mod row;
mod size;
mod write;

use std::sync::Arc;

use aws_sdk_dynamodb::{Client, types::ReturnConsumedCapacity::Total};

pub use batch::Together;
pub use commit::Attempt;
pub use json::JsonRow;
pub use query::{Next, Query};
pub use row::{Index, Key, KeyOnly, Row};
pub use size::bytes_to_grow;
pub use write::{Kept, Unwritten, Write};

use answer::{Consumed, GetResponse, RawResponses, Stored, read};
pub(crate) use retry::Conflicts;
use retry::call_error;

use crate::{Result, clock::Clock, id::Ids, settings::Setting};

/// A client of the DynamoDB table.
#[derive(Clone)]
pub struct Table {
    client: Client,
    name: Setting<Option<String>>,
    clock: Clock,
    ids: Arc<Ids>,
}

impl Table {
    /// Creates the client of the table `name`. `clock` provides the time in the IDs of outboxes.
    pub fn new(client: &Client, name: Setting<Option<String>>, clock: Clock) -> Self {
        let client = Client::from_conf(client.config().to_builder().interceptor(RawResponses).build());
        Self { client, name, clock, ids: Arc::default() }
    }

    /// Returns the row at `key`, or `None`. Reads with strong consistency.
    pub async fn get<R: Row>(&self, key: &Key) -> Result<Option<R>> {
        self.read(key, true).await
    }

    /// Returns the row at `key`, or `None`. Reads with eventual consistency first. If the row is missing, reads again
    /// with strong consistency.
    pub async fn get_eventual<R: Row>(&self, key: &Key) -> Result<Option<R>> {
        match self.read(key, false).await? {
            Some(row) => Ok(Some(row)),
            None => self.read(key, true).await,
        }
    }

    /// Returns the table's name. DynamoDB refuses calls with an empty name.
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    async fn read<R: Row>(&self, key: &Key, consistent: bool) -> Result<Option<R>> {
        let get = self.client.get_item().table_name(self.name());
        let get = get.set_key(Some(key.into())).consistent_read(consistent);
        let get = get.set_projection_expression(R::PART.map(str::to_owned)).return_consumed_capacity(Total);
        let response = Box::pin(get.send()).await.map_err(call_error)?;
        let response: GetResponse<R> = read(response.item)?;
        response.consumed_capacity.iter().for_each(Consumed::count_read);
        Ok(response.item.map(|Stored(row)| row))
    }

    /// Connects to DynamoDB, so that the first request does not wait. Failures are only logged.
    pub(crate) async fn warm_up(&self) {
        let key = Key::new("WARM", "UP");
        if self.name().is_empty() {
            return;
        }
        let get = self.client.get_item().table_name(self.name()).set_key(Some((&key).into()));
        if let Err(error) = Box::pin(get.send()).await {
            tracing::warn!("failed to connect to the table: {error}");
        }
    }
}
