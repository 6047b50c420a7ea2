//! The single table: rows in, rows out, several at once or not at all.
//!
//! Only this module knows DynamoDB's values and expressions. What the rows are, and under which
//! keys, each noun says beside its rules. Conflicts, throttles and unprocessed items are retried
//! here, a bounded number of times with jitter, and nowhere else.

mod batch;
mod commit;
mod query;
mod retry;
mod row;
mod write;

use aws_sdk_dynamodb::{Client, types::ReturnConsumedCapacity::Total};
use serde_dynamo::from_item;

pub use batch::Together;
pub use commit::Attempt;
pub use query::{Next, Query};
pub use row::{Index, Key, Row};
pub use write::Write;

use retry::retry;

use crate::{
    error::{Error, Result},
    metrics,
    settings::Setting,
};

/// The table, through the AWS SDK.
#[derive(Clone)]
pub struct Table {
    client: Client,
    name: Setting<Option<String>>,
}

impl Table {
    /// Speaks to the table `name` through `client`.
    pub fn new(client: Client, name: Setting<Option<String>>) -> Self {
        Self { client, name }
    }

    /// One row, as it is now. 1 call, 1 RRU for each 4 KB.
    ///
    /// # Errors
    /// Internal, when DynamoDB does not answer.
    pub async fn get<R: Row>(&self, key: &Key) -> Result<Option<R>> {
        self.read(key, true).await
    }

    /// One row, as it is now or was a moment ago, for half the price: 1 call, 0.5 RRU for each 4 KB.
    /// One that seems missing is asked for again, as it is now.
    ///
    /// # Errors
    /// Internal, when DynamoDB does not answer.
    pub async fn get_eventual<R: Row>(&self, key: &Key) -> Result<Option<R>> {
        match self.read(key, false).await? {
            Some(row) => Ok(Some(row)),
            None => self.read(key, true).await,
        }
    }

    /// Nothing but a refusal comes of calls to a table that the function was not told of.
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    async fn read<R: Row>(&self, key: &Key, consistent: bool) -> Result<Option<R>> {
        let call = || {
            let get = self.client.get_item().table_name(self.name());
            let get = get.set_key(Some(key.into())).consistent_read(consistent);
            get.set_projection_expression(R::PART.map(str::to_owned)).return_consumed_capacity(Total).send()
        };
        let answer = retry(call).await.map_err(Error::internal)?;
        metrics::reads(&answer.consumed_capacity);
        let item = answer.item;
        item.map(|it| from_item(it).map_err(Error::internal)).transpose()
    }

    /// Opens the connection before the first request needs it. 1 call, 0.5 RRU, none in a function that
    /// has no table; a failure shows later.
    pub async fn warm_up(&self) {
        let key = Key::new("WARM", "UP");
        if self.name().is_empty() {
            return;
        }
        let get = self.client.get_item().table_name(self.name()).set_key(Some((&key).into()));
        if let Err(error) = get.send().await {
            tracing::warn!("the table did not answer during start-up: {error}");
        }
    }
}
