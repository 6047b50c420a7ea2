//! The table's thread, and the operations that it runs.

use std::sync::{
    Arc,
    mpsc::{self, Sender},
};

use anyhow::Result;
use bytes::Bytes;
use dynoxide::{
    Database, DynoxideError,
    actions::transact_write_items::{
        TransactWriteItemsRequest as Transaction, TransactWriteItemsResponse as Committed,
    },
};
use jiff::Timestamp;
use lambda_http::http::StatusCode;
use moka::{policy::EvictionPolicy, sync::Cache};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::oneshot;

use crate::{
    batch,
    expiry::Expiry,
    stream::{Journal, Writes},
};

/// Maximum number of saved responses to transactions. Retries need a response only for seconds.
const TOKENS_MAX: u64 = 1_000;

/// The table with its own thread. Operations queue up without blocking the async runtime. The thread also parses
/// requests and serializes responses, because memory is slow to free on a different thread.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) database: Database,
    jobs: Sender<Job>,
    committed: Cache<String, Committed>,
    journal: Arc<Journal>,
    expiries: Arc<[Expiry]>,
}

type Job = Box<dyn FnOnce(&Database) + Send>;

impl Store {
    /// Starts the table's thread, which ends when the last clone is dropped.
    pub(crate) fn start(database: Database, journal: Arc<Journal>, expiries: Arc<[Expiry]>) -> Result<Self> {
        let (jobs, received) = mpsc::channel::<Job>();
        let worker = database.clone();
        let work = move || received.into_iter().for_each(|job| job(&worker));
        std::thread::Builder::new().name("table".into()).spawn(work)?;
        let committed = Cache::builder().max_capacity(TOKENS_MAX).eviction_policy(EvictionPolicy::lru());
        Ok(Self { database, jobs, committed: committed.build(), journal, expiries })
    }

    pub(crate) fn sweep(&self, now: Timestamp) -> dynoxide::Result<()> {
        self.expiries.iter().try_for_each(|expiry| expiry.sweep(&self.database, now))
    }

    /// Runs an operation, and returns the status and body of the response. Returns `None` if the operation is unknown
    /// or the request is unreadable.
    pub(crate) async fn answer(&self, operation: &str, body: &Bytes) -> Option<(StatusCode, Vec<u8>)> {
        let answer = match operation {
            "BatchGetItem" => self.run(body, Database::batch_get_item).await,
            "BatchWriteItem" => match self.write(body, batch::write).await {
                Err(_) => self.write(body, Database::batch_write_item).await,
                written => written,
            },
            "DeleteItem" => self.write(body, Database::delete_item).await,
            "GetItem" => self.run(body, Database::get_item).await,
            "PutItem" => self.write(body, Database::put_item).await,
            "Query" => self.run(body, Database::query).await,
            "TransactGetItems" => self.run(body, Database::transact_get_items).await,
            "TransactWriteItems" => self.run(body, self.transact()).await,
            "UpdateItem" => self.write(body, Database::update_item).await,
            _ => return None,
        };
        match answer {
            Ok(answer) => Some((StatusCode::OK, answer)),
            // The caller passes the request to the engine's server, which responds with DynamoDB's error.
            Err(DynoxideError::SerializationException(_)) => None,
            Err(error) => {
                let status = StatusCode::from_u16(error.status_code());
                let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                Some((status, error.to_json().into_bytes()))
            }
        }
    }

    /// Returns a function that runs a transaction. For a repeated token, the function returns the saved response. The
    /// engine's own token check is slower.
    fn transact(&self) -> impl FnOnce(&Database, Transaction) -> dynoxide::Result<Committed> + use<> {
        let (committed, journal) = (self.committed.clone(), Arc::clone(&self.journal));
        move |database, mut transaction| {
            let token = transaction.client_request_token.take();
            if let Some(answer) = token.as_ref().and_then(|token| committed.get(token)) {
                return Ok(answer);
            }
            let answer = journal.write(database, transaction, Database::transact_write_items)?;
            token.into_iter().for_each(|token| committed.insert(token, answer.clone()));
            Ok(answer)
        }
    }

    /// Runs a write, and records it in the journal.
    async fn write<Q>(
        &self,
        body: &Bytes,
        act: impl FnOnce(&Database, Q) -> dynoxide::Result<Q::Answer> + Send + 'static,
    ) -> dynoxide::Result<Vec<u8>>
    where
        Q: Writes + DeserializeOwned,
        Q::Answer: Serialize,
    {
        let journal = Arc::clone(&self.journal);
        self.run(body, move |database, request| journal.write(database, request, act)).await
    }

    async fn run<Q, A>(
        &self,
        body: &Bytes,
        act: impl FnOnce(&Database, Q) -> dynoxide::Result<A> + Send + 'static,
    ) -> dynoxide::Result<Vec<u8>>
    where
        Q: DeserializeOwned,
        A: Serialize,
    {
        let unreadable = |error: serde_json::Error| DynoxideError::SerializationException(error.to_string());
        let stopped = || DynoxideError::InternalServerError("the thread of the table stopped".to_owned());
        let body = body.clone();
        let work = move |database: &Database| {
            let answer = act(database, serde_json::from_slice(&body).map_err(unreadable)?)?;
            serde_json::to_vec(&answer).map_err(unreadable)
        };
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |database| drop(answer.send(work(database))));
        self.jobs.send(job).map_err(|_| stopped())?;
        answered.await.map_err(|_| stopped())?
    }
}
