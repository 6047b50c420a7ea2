//! The way to DynamoDB, as a model: latencies, the processor of a function, one partition of an index. The followers
//! are answered here; everything else comes to the embedded table.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicUsize},
    time::{Duration, Instant},
};

use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use domain::ids::UserId;
use local::{consumed::Consumed, layer::Layer};
use platform::time::Time;
use serde_json::{Value, json};
use ulid::Ulid;

use super::Model;
use crate::answer::answer;

/// The bytes of a follow in an index, as the embedded table counts them.
const FOLLOW_BYTES: usize = 420;
/// Follows are this far apart, and the newest begins now.
const APART_MILLIS: u64 = 100;
/// A mark writes the row and its three indexes; a second one only the row.
const MARK_WRU: f64 = 4.0;
const THROTTLE: &str = "com.amazonaws.dynamodb.v20120810#ThrottlingException";

/// What was asked of DynamoDB.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Calls, those that were throttled too.
    pub calls: u64,
    /// Read units.
    pub rru: f64,
    /// Write units.
    pub wru: f64,
    /// Follows that were marked, each time.
    pub marks: u64,
    /// Marks beyond the limit of the partition.
    pub throttles: u64,
}

/// What all functions share.
#[derive(Clone)]
pub(super) struct Network(Arc<Shared>);

struct Shared {
    model: Model,
    author: UserId,
    newest: u64,
    busy: Arc<AtomicUsize>,
    state: Mutex<State>,
}

struct State {
    marked: Vec<bool>,
    counts: Counts,
    /// Units that the partition has left, and when that was so.
    units: (f64, Instant),
}

/// The way of one function, whose calls share its part of a processor.
#[derive(Clone)]
pub(super) struct Function {
    network: Network,
    free_at: Arc<Mutex<Instant>>,
}

impl Network {
    pub(super) fn new(model: &Model, author: UserId, now: Time) -> Self {
        let counts = Counts::default();
        let state = State { marked: vec![false; model.follows], counts, units: (0.0, Instant::now()) };
        let newest = now.millis().cast_unsigned();
        let (model, busy, state) = (model.clone(), Arc::default(), Mutex::new(state));
        Self(Arc::new(Shared { model, author, newest, busy, state }))
    }

    pub(super) fn function(&self) -> Function {
        Function { network: self.clone(), free_at: Arc::new(Mutex::new(Instant::now())) }
    }

    pub(super) fn busy(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.0.busy)
    }

    pub(super) fn counts(&self) -> Counts {
        lock(&self.0.state).counts.clone()
    }

    pub(super) fn unmarked(&self) -> usize {
        lock(&self.0.state).marked.iter().filter(|it| !**it).count()
    }

    /// Answers a page of followers.
    fn followers(&self, ask: &Value) -> HttpResponse {
        let values = &ask["ExpressionAttributeValues"];
        let bound = |name: &str| values[name]["S"].as_str().and_then(|it| it.parse::<Ulid>().ok());
        let all = self.0.model.follows;
        let (begin, end) = match (bound(":a"), bound(":b")) {
            (Some(low), Some(high)) => (self.first(|it| it >= low), self.first(|it| it > high)),
            (Some(after), None) => (self.first(|it| it > after), all),
            _ => (0, all),
        };
        let limit = ask["Limit"].as_u64().map_or(all, |it| it as usize);
        let end = end.min(begin + limit).max(begin);
        let mut state = lock(&self.0.state);
        let rru = (((end - begin) * FOLLOW_BYTES) as f64 / 4096.0).ceil().max(1.0) / 2.0;
        state.counts.rru += rru;
        let items: Vec<_> = (begin..end).map(|it| self.follow(it, state.marked[it])).collect();
        answer(200, &json!({ "Count": items.len(), "ScannedCount": items.len(), "Items": items }))
    }

    /// The first follow whose position is so.
    fn first(&self, is_so: impl Fn(Ulid) -> bool) -> usize {
        let (mut low, mut high) = (0, self.0.model.follows);
        while low < high {
            let middle = usize::midpoint(low, high);
            if is_so(self.position(middle)) { high = middle } else { low = middle + 1 }
        }
        low
    }

    fn position(&self, number: usize) -> Ulid {
        let behind = (self.0.model.follows - number) as u64 * APART_MILLIS;
        Ulid::from_parts(self.0.newest.saturating_sub(behind), 1)
    }

    fn follow(&self, number: usize, merges: bool) -> Value {
        let follower = Ulid::from_parts(number as u64, 0);
        json!({
            "followerId": { "S": follower.to_string() }, "followingId": { "S": self.0.author.to_string() },
            "isFollowing": { "BOOL": true }, "merges": { "BOOL": merges },
            "position": { "S": self.position(number).to_string() },
            "createdAt": { "S": "2026-01-01T00:00:00.000Z" },
        })
    }

    /// Marks a follow, unless the partition of the index has no unit left.
    fn mark(&self, ask: &Value) -> HttpResponse {
        let follower = ask["Key"]["pk"]["S"].as_str().and_then(|it| it.strip_prefix("USER#"));
        let Some(follower) = follower.and_then(|it| it.parse::<Ulid>().ok()) else {
            return answer(400, &json!({ "__type": "ValidationException" }));
        };
        let number = follower.timestamp_ms() as usize;
        let mut state = lock(&self.0.state);
        if !state.takes_unit(&self.0.model) {
            state.counts.throttles += 1;
            return answer(400, &json!({ "__type": THROTTLE, "message": "the partition is at its limit" }));
        }
        let again = std::mem::replace(&mut state.marked[number], true);
        state.counts.marks += 1;
        state.counts.wru += if again { 1.0 } else { MARK_WRU };
        answer(200, &json!({ "Attributes": self.follow(number, true) }))
    }
}

impl State {
    /// A partition saves what it does not use for a second, no longer.
    fn takes_unit(&mut self, model: &Model) -> bool {
        let (left, at) = self.units;
        let now = Instant::now();
        let grown = (now - at).as_secs_f64() * model.speed * model.partition_units;
        let left = (left + grown).min(model.partition_units);
        self.units = (if left >= 1.0 { left - 1.0 } else { left }, now);
        left >= 1.0
    }
}

impl Function {
    async fn carry(
        self,
        request: HttpRequest,
        next: SharedHttpConnector,
    ) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let Some(("DynamoDB_20120810", operation)) = target.split_once('.') else {
            return next.call(request).await;
        };
        let operation = operation.to_owned();
        let ask: Value =
            serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        self.takes_time(&operation).await;
        lock(&self.network.0.state).counts.calls += 1;
        let sk = ask["Key"]["sk"]["S"].as_str().unwrap_or_default();
        match operation.as_str() {
            "Query" if ask["IndexName"] == "gsi2" => Ok(self.network.followers(&ask)),
            "UpdateItem" if sk.starts_with("FOLLOW#") => Ok(self.network.mark(&ask)),
            _ => self.counted(&operation, next.call(request).await?),
        }
    }

    /// The function's processor, then the way there and back.
    async fn takes_time(&self, operation: &str) {
        let model = &self.network.0.model;
        let millis = |it: f64| Duration::from_secs_f64(it / 1_000.0 / model.speed);
        let way = match operation {
            "GetItem" | "Query" => model.read_millis,
            _ => model.write_millis,
        };
        let free_at = {
            let mut free_at = lock(&self.free_at);
            *free_at = (*free_at).max(Instant::now()) + millis(model.cpu_millis);
            *free_at
        };
        tokio::time::sleep_until((free_at + millis(way)).into()).await;
    }

    fn counted(&self, operation: &str, response: HttpResponse) -> Result<HttpResponse, ConnectorError> {
        let body: Value =
            serde_json::from_slice(response.body().bytes().unwrap_or_default()).unwrap_or_default();
        let consumed = Consumed::by(operation, &body);
        let counts = &mut lock(&self.network.0.state).counts;
        counts.rru += consumed.read_units;
        counts.wru += consumed.write_units;
        Ok(response)
    }
}

impl Layer for Function {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.clone().carry(request, next))
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
