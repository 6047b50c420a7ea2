//! A network that is deployed: the same promises, of real functions, queues and schedules.
//!
//! `DEPLOYED_URL` and `TABLE_NAME` say where it is, on an emulator of AWS; the SDK finds the rest as it
//! always does. It is one for all tests, so they take turns, and each begins by emptying it. Its clock is
//! the real one and nothing can be cut: tests that need that are not in `tests/deployed.txt`.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use aws_config::{SdkConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::types::AttributeValue;
use futures::{StreamExt, stream};
use local::Mail;
use platform::app::sdk_config;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

/// Four times what a message is hidden for when a busy machine made its function fail: `infra/deploy/deploy.py`.
const TIMEOUT: Duration = Duration::from_secs(480);
/// Longer than a function remembers a page of a feed.
const REMEMBERED: Duration = Duration::from_millis(1_100);
const EMULATOR: &str = "http://127.0.0.1:";
/// How often in a row nothing is under way: what a bucket tells of a file is queued a moment after the answer.
const LOOKS: u32 = 2;
const ASK_AGAIN: Duration = Duration::from_millis(50);
const DELETES_AT_ONCE: usize = 16;
const UNKNOWN: &str = "1970-01-01T00:00:00Z";
const DEAD_LETTERS: &str = "DeadLetters";

type Key = HashMap<String, AttributeValue>;

pub(crate) struct Deployed {
    pub(crate) url: String,
    pub(crate) table: String,
    pub(crate) config: SdkConfig,
    dynamodb: aws_sdk_dynamodb::Client,
    http: reqwest::Client,
    before: usize,
    mails: Mutex<Vec<Mail>>,
    ticks: AtomicBool,
}

impl Deployed {
    /// The deployed network, emptied, if there is one.
    pub(crate) async fn emptied() -> Option<Self> {
        let (url, table) = (variable("DEPLOYED_URL")?, variable("TABLE_NAME")?);
        // An emulator on a busy machine is slow, and what is asked of it twice it may do twice.
        let config = sdk_config().timeout_config(TimeoutConfig::disabled()).load().await;
        let endpoint = config.endpoint_url().unwrap_or_default();
        assert!(endpoint.starts_with(EMULATOR), "the table is emptied, so it is never one of AWS");
        let dynamodb = aws_sdk_dynamodb::Client::new(&config);
        let http = reqwest::Client::builder().no_proxy().build().expect("an HTTP client");
        let (mails, ticks) = (Mutex::default(), AtomicBool::default());
        let mut it = Self { url, table, config, dynamodb, http, before: 0, mails, ticks };
        it.settle().await;
        // A tick that comes meanwhile may write of what it read before.
        while it.empty().await {
            it.settle().await;
        }
        // What functions remember of feeds fades with time alone: nothing shows that it has.
        tokio::time::sleep(REMEMBERED).await;
        it.before = it.sent().await.len();
        Some(it)
    }

    /// Waits until every message is done; after time was to pass, until a tick has gathered what is pending too.
    pub(crate) async fn settle(&self) {
        let start = Instant::now();
        let ticks = self.ticks.swap(false, Ordering::AcqRel);
        let mut looks = 0;
        while looks < LOOKS {
            assert!(start.elapsed() < TIMEOUT, "the queues do not become empty");
            let is_done = self.is_idle().await && (!ticks || self.is_gathered().await);
            looks = if is_done { looks + 1 } else { 0 };
            sleep(ASK_AGAIN).await;
        }
        *self.mails.lock().unwrap_or_else(PoisonError::into_inner) = self.sent().await;
    }

    /// Time passes here by itself: [`Deployed::settle`] waits for what it brings.
    pub(crate) fn lets_time_pass(&self) {
        self.ticks.store(true, Ordering::Release);
    }

    /// The mails that were sent until the last [`Deployed::settle`].
    pub(crate) fn mail(&self) -> Vec<Mail> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether nothing is visible or in flight, and the relay has read all of the stream; a dead letter fails the test.
    ///
    /// All queues in one look: one by one, what moves on from a queue to another may be seen in neither.
    async fn is_idle(&self) -> bool {
        let kept = self.kept("sqs").await;
        let (messages, relayed) = (&kept["messages"], kept["streams"]["idle"] == true);
        let regions = children(messages).flat_map(children);
        for (queue, messages) in regions.filter_map(Value::as_object).flatten() {
            let messages: &[Value] = messages.as_array().map_or(&[], Vec::as_slice);
            assert!(messages.is_empty() || !queue.contains(DEAD_LETTERS), "given up: {queue} {messages:?}");
            if messages.iter().any(|it| it["IsVisible"] == true || it["ReceiveCount"] != 0) {
                return false;
            }
        }
        relayed
    }

    /// Whether nothing is pending any more and the tick that gathered it is done too.
    async fn is_gathered(&self) -> bool {
        !self.has_pending().await && self.is_idle().await
    }

    async fn has_pending(&self) -> bool {
        let scan =
            self.dynamodb.scan().table_name(&self.table).filter_expression("begins_with(gsi1pk, :pending)");
        let scan = scan.expression_attribute_values(":pending", AttributeValue::S("PENDING#".to_owned()));
        // A page of a scan may have none of the rows that others have.
        let pending = scan.into_paginator().items().send().try_next().await;
        pending.expect("the pending rows").is_some()
    }

    /// Whether there was anything to remove: all but the feed's versions.
    async fn empty(&self) -> bool {
        let scan = self.dynamodb.scan().table_name(&self.table).projection_expression("pk, sk");
        let rows = scan.into_paginator().items().send().try_collect().await.expect("the rows");
        let is_version = |row: &Key| {
            row["sk"].as_s().is_ok_and(|it| it.starts_with("VERSION#"))
                && row["pk"].as_s().is_ok_and(|it| it == "FEED")
        };
        let (versions, rows): (Vec<Key>, Vec<Key>) = rows.into_iter().partition(is_version);
        let found = !rows.is_empty();
        let delete = |key| self.dynamodb.delete_item().table_name(&self.table).set_key(Some(key)).send();
        let mut deleted = stream::iter(rows).map(delete).buffer_unordered(DELETES_AT_ONCE);
        while let Some(row) = deleted.next().await {
            row.expect("a row that is deleted");
        }
        for version in versions {
            self.raise_version(version).await;
        }
        found
    }

    /// Functions remember pages of the feed by its versions: none may come twice, nor stand for another page.
    async fn raise_version(&self, version: Key) {
        let update = self.dynamodb.update_item().table_name(&self.table).set_key(Some(version));
        let update =
            update.update_expression("ADD #version :one").expression_attribute_names("#version", "version");
        let update = update.expression_attribute_values(":one", AttributeValue::N("1".to_owned()));
        update.send().await.expect("a version that goes up");
    }

    /// The mails that the emulator has kept since this world began, oldest first.
    async fn sent(&self) -> Vec<Mail> {
        let kept = self.kept("ses").await;
        let mails = children(&kept["messages"]).filter_map(Value::as_array).flatten().skip(self.before);
        mails.map(|mail| serde_json::from_value(renamed(mail)).expect("a mail")).collect()
    }

    /// What the emulator keeps of a service.
    async fn kept(&self, service: &str) -> Value {
        let endpoint = self.config.endpoint_url().unwrap_or_default();
        let ask = self.http.get(format!("{endpoint}/_ministack/{service}/messages"));
        ask.send().await.expect("messages").json().await.expect("messages as JSON")
    }
}

fn children(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_object().into_iter().flat_map(|it| it.values())
}

/// When it was sent is not told in a form that is worth reading.
fn renamed(mail: &Value) -> Value {
    let (text, html) = (&mail["BodyText"], &mail["BodyHtml"]);
    json!({ "to": mail["To"][0], "subject": mail["Subject"], "text": text, "html": html, "at": UNKNOWN })
}

#[expect(clippy::disallowed_methods, reason = "where the deployed network is, is told by the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
