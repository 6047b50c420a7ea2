//! Measures the time to count a viral post's likes, and the duration of replies during the count. The product's code
//! runs on the local stack, with simulated latencies and conflicts of DynamoDB.

use std::{
    collections::{HashSet, VecDeque},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use clap::Args;
use domain::{
    ids::{PostId, UserId},
    posts::{
        self, Post,
        engagements::Engagement,
        likes::{LikeJob, apply},
    },
};
use futures::future::try_join_all;
use local::{Stack, layer::Layer};
use platform::{App, app::Clients, idempotency::Once, settings::Settings};
use serde_json::{Value, json};
use wire::Wire;

pub use crate::replies::Replies;
use crate::{
    population::{self, create_user},
    replies,
};

/// Number of users who take turns replying.
const REPLIERS: usize = 30;

/// Parameters of a simulation.
#[derive(Clone, Copy, Debug, Args)]
pub struct Model {
    /// Number of likes to count. Each like has one message.
    #[arg(long, default_value_t = 20_000)]
    pub likes: usize,
    /// Number of concurrent workers. The default is `MaximumConcurrency` in the template.
    #[arg(long, default_value_t = 2)]
    pub concurrency: usize,
    /// Number of messages per batch. The default is `BatchSize` in the template.
    #[arg(long = "batch", default_value_t = 970)]
    pub batch_size: usize,
    /// Duration of a transaction, in milliseconds.
    #[arg(long = "transaction", default_value_t = 25)]
    pub transaction_millis: u64,
    /// Duration of a call that is not a transaction, in milliseconds.
    #[arg(long = "call", default_value_t = 8)]
    pub call_millis: u64,
    /// Number of replies per second while likes are counted.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub replies: u32,
}

/// Results of a simulation.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Seconds until all likes were counted.
    pub seconds: f64,
    /// Number of transactions, including failed and repeated transactions.
    pub transactions: u64,
    /// Number of writes that conflicted with a transaction.
    pub conflicts: u64,
    /// Number of failed messages that were retried.
    pub failed: usize,
    /// Outcomes of the replies.
    pub replies: Replies,
}

/// Simulates DynamoDB's latencies and conflicts, between the workers and the table.
#[derive(Clone)]
struct Network {
    model: Model,
    /// Keys of the rows that running transactions write.
    held: Arc<Mutex<HashSet<String>>>,
    transactions: Arc<AtomicU64>,
    conflicts: Arc<AtomicU64>,
}

/// Rows that one transaction locks until the value is dropped.
struct Held {
    rows: Vec<String>,
    all: Arc<Mutex<HashSet<String>>>,
}

/// Counts the likes of one post, while other users reply to it.
///
/// # Errors
/// Fails if the stack does not respond or a counter is wrong.
pub async fn run(model: &Model) -> Result<Outcome> {
    let stack = crate::start(&Wire::default()).await?;
    let app = population::app(&stack)?;
    let draft = serde_json::from_value(json!({ "content": "viral" }))?;
    let post = posts::create(&app, create_user(&app).await?, draft, &Once::unkeyed()).await?.id;
    let waiting = Arc::new(Mutex::new(write_likes(&app, post, model.likes).await?));
    let network = Network {
        model: *model,
        held: Arc::default(),
        transactions: Arc::default(),
        conflicts: Arc::default(),
    };
    let started = Instant::now();
    let workers =
        (0..model.concurrency).map(|_| work(worker(&stack, &network), Arc::clone(&waiting), *model));
    let counted = async {
        let failed = try_join_all(workers).await?.into_iter().sum::<usize>();
        anyhow::Ok((failed, started.elapsed().as_secs_f64()))
    };
    let people = try_join_all((0..REPLIERS).map(|_| create_user(&app))).await?;
    let replier = worker(&stack, &network)?;
    let (counted, replies) = replies::until(counted, (&replier, post, people), model.replies).await;
    let (failed, seconds) = counted?;
    let row = app.table.get::<Post>(&posts::key(post)).await?.context("the post is missing")?;
    let (given, written) = (model.likes as i64, replies.written.len() as i64);
    ensure!(row.likes_count == given, "{} of {given} likes are counted", row.likes_count);
    ensure!(row.replies_count == written, "{} of {written} replies are counted", row.replies_count);
    let [transactions, conflicts] =
        [network.transactions, network.conflicts].map(|count| count.load(Ordering::Relaxed));
    Ok(Outcome { seconds, transactions, conflicts, failed, replies })
}

/// Writes likes that are not counted yet, and returns their messages.
async fn write_likes(app: &App, post: PostId, likes: usize) -> Result<VecDeque<LikeJob>> {
    let at = app.now();
    let users: Vec<_> = (0..likes).map(|_| UserId::random_at(app, at)).collect();
    let engagement = |user: &UserId| {
        let row = json!({ "user": user, "post": post, "liked": true, "likedAt": at, "uncountedSince": at });
        serde_json::from_value::<Engagement>(row)
    };
    let rows = users.iter().map(engagement).collect::<Result<Vec<_>, _>>()?;
    app.table.batch_write(&rows, &[]).await?;
    Ok(users.into_iter().map(|user| LikeJob::Added { user, post, at }).collect())
}

/// Applies batches of likes until no message is left. Returns the number of retried messages.
async fn work(app: Result<App>, waiting: Arc<Mutex<VecDeque<LikeJob>>>, model: Model) -> Result<usize> {
    let (app, mut failed) = (app?, 0);
    loop {
        let batch: Vec<_> = {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let size = waiting.len().min(model.batch_size);
            waiting.drain(..size).collect()
        };
        if batch.is_empty() {
            return Ok(failed);
        }
        let errors = apply(&app, &batch).await;
        failed += errors.len();
        let retries = errors.into_iter().filter_map(|(index, _)| batch.get(index).cloned());
        waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(retries);
    }
}

fn worker(stack: &Stack, network: &Network) -> Result<App> {
    let config = wire::wrap(stack.sdk_config(), network.clone());
    let table = stack.table_name().to_owned();
    let settings = Settings::read(|name| (name == "TABLE_NAME").then(|| table.clone()))?;
    let clock = stack.clock().clone();
    Ok(App::new(Clients::new(&config), settings, Arc::new(move || clock.now())))
}

impl Network {
    async fn carry(
        self,
        request: HttpRequest,
        next: SharedHttpConnector,
    ) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let is_transaction = target.ends_with("TransactWriteItems");
        self.transactions.fetch_add(u64::from(is_transaction), Ordering::Relaxed);
        let written = if is_transaction || target.ends_with("UpdateItem") {
            written_keys(&request)
        } else {
            Vec::new()
        };
        let Some(held) = self.hold(written) else {
            self.conflicts.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(self.model.call_millis)).await;
            return Ok(wire::conflict(request));
        };
        // Other writes do not lock their rows.
        let _held = is_transaction.then_some(held);
        let millis = if is_transaction { self.model.transaction_millis } else { self.model.call_millis };
        at_least(Duration::from_millis(millis), next.call(request)).await
    }

    /// Locks the rows until the result is dropped. Returns `None` if one of the rows is already locked.
    fn hold(&self, rows: Vec<String>) -> Option<Held> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.iter().any(|row| held.contains(row)) {
            return None;
        }
        held.extend(rows.iter().cloned());
        Some(Held { rows, all: Arc::clone(&self.held) })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        self.rows.iter().for_each(|row| _ = held.remove(row));
    }
}

/// Returns the keys of the rows that a call writes.
fn written_keys(request: &HttpRequest) -> Vec<String> {
    let body: Value =
        request.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
    let steps = body["TransactItems"].as_array().into_iter().flatten();
    let steps = steps.flat_map(|step| step.as_object().into_iter().flat_map(|step| step.values()));
    steps.chain([&body]).filter_map(|write| key(&write["Key"]).or_else(|| key(&write["Item"]))).collect()
}

fn key(row: &Value) -> Option<String> {
    Some(format!("{} {}", row["pk"]["S"].as_str()?, row["sk"]["S"].as_str()?))
}

impl Layer for Network {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.clone().carry(request, next))
    }
}

/// Runs `work`, and returns the result after at least `minimum`.
async fn at_least<T>(minimum: Duration, work: impl Future<Output = T>) -> T {
    futures::join!(work, tokio::time::sleep(minimum)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn all_likes_of_a_viral_post_are_counted_while_replies_succeed() {
        let (likes, concurrency, batch_size, replies) = (1_500, 3, 500, 20);
        let model = Model { likes, concurrency, batch_size, transaction_millis: 25, call_millis: 5, replies };
        let outcome = run(&model).await.unwrap();
        assert!(outcome.conflicts > 0 && outcome.replies.failed.is_empty(), "{outcome:?}");
        assert!(outcome.replies.written.len() > 5, "{outcome:?}");
    }
}
