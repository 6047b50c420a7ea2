//! The single table: reads and writes rows, one at a time or several in one transaction.
//!
//! Only this module knows DynamoDB's values and expressions. Each noun of the domain defines its rows and
//! their keys beside its rules. The SDK retries calls, conflicts and throttles among them; this module asks again
//! for what a batch left unprocessed. Both are bounded, with jitter.
//!
//! Each call is on the heap: the SDK's future is of several KB, and every future around it would hold it, and be moved with
//! it, once more.

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

use answer::{AsItCame, Consumed, One, Stored, read};
pub(crate) use retry::Conflicts;
use retry::failed;

use crate::{clock::Clock, error::Result, id::Ids, settings::Setting};

/// The table, through the AWS SDK.
#[derive(Clone)]
pub struct Table {
    client: Client,
    name: Setting<Option<String>>,
    clock: Clock,
    ids: Arc<Ids>,
}

impl Table {
    /// Makes the table that has this name. The clock is for the ids of outboxes.
    pub fn new(client: &Client, name: Setting<Option<String>>, clock: Clock) -> Self {
        let client = Client::from_conf(client.config().to_builder().interceptor(AsItCame).build());
        Self { client, name, clock, ids: Arc::default() }
    }

    /// Returns the row at `key`, read with strong consistency.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer.
    pub async fn get<R: Row>(&self, key: &Key) -> Result<Option<R>> {
        self.read(key, true).await
    }

    /// Returns the row at `key`, read with eventual consistency. A row that seems missing is read again with strong
    /// consistency.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer.
    pub async fn get_eventual<R: Row>(&self, key: &Key) -> Result<Option<R>> {
        match self.read(key, false).await? {
            Some(row) => Ok(Some(row)),
            None => self.read(key, true).await,
        }
    }

    /// DynamoDB refuses calls that name no table.
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    async fn read<R: Row>(&self, key: &Key, consistent: bool) -> Result<Option<R>> {
        let get = self.client.get_item().table_name(self.name());
        let get = get.set_key(Some(key.into())).consistent_read(consistent);
        let get = get.set_projection_expression(R::PART.map(str::to_owned)).return_consumed_capacity(Total);
        let answer = Box::pin(get.send()).await.map_err(failed)?;
        let answer: One<R> = read(answer.item)?;
        answer.consumed_capacity.iter().for_each(Consumed::count_read);
        Ok(answer.item.map(|Stored(row)| row))
    }

    /// Opens the connection before the first request needs it. A failure is only logged: the first request meets it
    /// again.
    pub async fn warm_up(&self) {
        let key = Key::new("WARM", "UP");
        if self.name().is_empty() {
            return;
        }
        let get = self.client.get_item().table_name(self.name()).set_key(Some((&key).into()));
        if let Err(error) = Box::pin(get.send()).await {
            tracing::warn!("the table did not answer during start-up: {error}");
        }
    }
}
