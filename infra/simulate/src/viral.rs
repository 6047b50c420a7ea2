//! How long the likes of one viral post take to be counted, and what becomes of its replies meanwhile: the product's own
//! code against the embedded stack, with the times of DynamoDB, and its refusal of a write while a transaction holds the row.

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
use domain::{
    ids::{PostId, UserId},
    posts::{
        self, Post,
        engagements::Engagement,
        likes::{LikeJob, apply},
    },
};
use futures::future::try_join_all;
use local::{
    Stack,
    layer::{self, Layer},
};
use platform::{App, app::Clients, idempotency::Once, settings::Settings};
use serde_json::{Value, json};
use wire::Wire;

pub use crate::replies::Replies;
use crate::{
    population::{actors, arrive},
    replies,
};

/// The people who reply in turn.
const REPLIERS: usize = 30;

/// What is modelled.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The likes that wait, each a message.
    pub likes: usize,
    /// `MaximumConcurrency` of the worker.
    pub concurrency: usize,
    /// `BatchSize` of the worker.
    pub batch_size: usize,
    /// Milliseconds of a transaction.
    pub transaction_millis: u64,
    /// Milliseconds of any other call.
    pub call_millis: u64,
    /// Replies a second, while likes are counted.
    pub replies: u32,
}

/// What became of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The seconds until all were counted.
    pub seconds: f64,
    /// Transactions, with those that were refused or tried again.
    pub transactions: u64,
    /// Writes that a transaction was in the way of.
    pub conflicts: u64,
    /// Messages that came again, each time.
    pub failed: usize,
    /// The replies.
    pub replies: Replies,
}

/// The way to DynamoDB, which all workers share.
#[derive(Clone)]
struct Network {
    model: Model,
    /// The rows that transactions hold.
    held: Arc<Mutex<HashSet<String>>>,
    transactions: Arc<AtomicU64>,
    conflicts: Arc<AtomicU64>,
}

/// The rows of one transaction.
struct Held {
    rows: Vec<String>,
    of: Arc<Mutex<HashSet<String>>>,
}

/// Lets so many people like one post, and others reply to it until all likes are counted.
///
/// # Errors
/// The stack does not answer, or the count is wrong.
pub async fn run(model: &Model) -> Result<Outcome> {
    let stack = crate::start(&Wire::default()).await?;
    let app = actors(&stack)?;
    let draft = serde_json::from_value(json!({ "content": "viral" }))?;
    let post = posts::create(&app, arrive(&app).await?, draft, &Once::unkeyed()).await?.id;
    let waiting = Arc::new(Mutex::new(liked(&app, post, model.likes).await?));
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
    let people = try_join_all((0..REPLIERS).map(|_| arrive(&app))).await?;
    let replier = worker(&stack, &network)?;
    let (counted, replies) = replies::until(counted, (&replier, post, people), model.replies).await;
    let (failed, seconds) = counted?;
    let row = app.table.get::<Post>(&posts::key(post)).await?.context("the post")?;
    let (given, written) = (model.likes as i64, replies.written.len() as i64);
    ensure!(row.likes_count == given, "{} of {given} likes are counted", row.likes_count);
    ensure!(row.replies_count == written, "{} of {written} replies are counted", row.replies_count);
    let [transactions, conflicts] =
        [network.transactions, network.conflicts].map(|it| it.load(Ordering::Relaxed));
    Ok(Outcome { seconds, transactions, conflicts, failed, replies })
}

/// Writes the engagements as requests leave them, and returns their messages.
async fn liked(app: &App, post: PostId, likes: usize) -> Result<VecDeque<LikeJob>> {
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

/// Takes batches until no message waits. Returns how many came again.
async fn work(app: Result<App>, waiting: Arc<Mutex<VecDeque<LikeJob>>>, model: Model) -> Result<usize> {
    let (app, mut failed) = (app?, 0);
    loop {
        let batch: Vec<_> = {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let most = waiting.len().min(model.batch_size);
            waiting.drain(..most).collect()
        };
        if batch.is_empty() {
            return Ok(failed);
        }
        let again = apply(&app, &batch).await;
        failed += again.len();
        let again = again.into_iter().filter_map(|(position, _)| batch.get(position).cloned());
        waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(again);
    }
}

fn worker(stack: &Stack, network: &Network) -> Result<App> {
    let config = stack.sdk_config();
    let inner = config.http_client().context("the stack sets an HTTP client")?;
    let config = config.to_builder().http_client(layer::around(inner, network.clone())).build();
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
        let written =
            if is_transaction || target.ends_with("UpdateItem") { written(&request) } else { Vec::new() };
        let Some(_held) = self.hold(written, is_transaction) else {
            self.conflicts.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(self.model.call_millis)).await;
            return Ok(wire::conflict(request));
        };
        let millis = if is_transaction { self.model.transaction_millis } else { self.model.call_millis };
        took(Duration::from_millis(millis), next.call(request)).await
    }

    /// Holds rows until the answer is dropped; none when a transaction holds one of them. Only a transaction holds any.
    fn hold(&self, rows: Vec<String>, is_transaction: bool) -> Option<Held> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.iter().any(|it| held.contains(it)) {
            return None;
        }
        let rows = if is_transaction { rows } else { Vec::new() };
        held.extend(rows.iter().cloned());
        Some(Held { rows, of: Arc::clone(&self.held) })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        self.rows.iter().for_each(|it| _ = held.remove(it));
    }
}

/// Returns the keys of the rows that a call writes.
fn written(request: &HttpRequest) -> Vec<String> {
    let body: Value =
        request.body().bytes().and_then(|it| serde_json::from_slice(it).ok()).unwrap_or_default();
    let steps = body["TransactItems"].as_array().into_iter().flatten();
    let steps = steps.flat_map(|it| it.as_object().into_iter().flat_map(|it| it.values()));
    steps.chain([&body]).filter_map(|it| key(&it["Key"]).or_else(|| key(&it["Item"]))).collect()
}

fn key(row: &Value) -> Option<String> {
    Some(format!("{} {}", row["pk"]["S"].as_str()?, row["sk"]["S"].as_str()?))
}

impl Layer for Network {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.clone().carry(request, next))
    }
}

/// Takes as long as the model says, or as the embedded stack needs.
async fn took<T>(least: Duration, work: impl Future<Output = T>) -> T {
    futures::join!(work, tokio::time::sleep(least)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_viral_post_counts_each_like_and_takes_each_reply() {
        let (likes, concurrency, batch_size, replies) = (1_500, 3, 500, 20);
        let model = Model { likes, concurrency, batch_size, transaction_millis: 25, call_millis: 5, replies };
        let outcome = run(&model).await.unwrap();
        assert!(outcome.conflicts > 0 && outcome.replies.refused.is_empty(), "{outcome:?}");
        assert!(outcome.replies.written.len() > 5, "{outcome:?}");
    }
}
