//! A stack deployed to an emulator of AWS, with real functions, queues and schedules.
//!
//! `DEPLOYED_URL` and `TABLE_NAME` name the stack. All tests share the stack, so they run one at a time, and each test
//! first deletes all rows. The stack uses the real clock and has no fault injection. `tests/deployed.txt` lists the
//! tests that can run on it.

use std::{
    collections::HashMap,
    sync::{
        Mutex,
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
use tokio::time::{Instant, sleep, sleep_until};

use crate::server::lock;

/// Time limit for handling all messages: four times the visibility timeout in `infra/deploy/deploy.py`.
const TIMEOUT: Duration = Duration::from_secs(480);
/// Slightly more than the lifetime of a cached feed page.
const REMEMBERED: Duration = Duration::from_millis(1_100);
const EMULATOR: &str = "http://127.0.0.1:";
/// Number of consecutive checks that must find no messages. One check is not enough, because S3 sends its notification
/// shortly after the response to an upload.
const IDLE_CHECKS: u32 = 2;
const POLL_INTERVAL: Duration = Duration::from_millis(50);
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
    /// Empties the deployed stack and returns it, or `None` if `DEPLOYED_URL` is not set.
    pub(crate) async fn emptied() -> Option<Self> {
        let (url, table) = (variable("DEPLOYED_URL")?, variable("TABLE_NAME")?);
        // No timeouts: on a busy machine the emulator is slow. If the SDK retried slow calls, they could take effect
        // twice.
        let config = sdk_config().timeout_config(TimeoutConfig::disabled()).load().await;
        let endpoint = config.endpoint_url().unwrap_or_default();
        assert!(endpoint.starts_with(EMULATOR), "tests empty the table, so use an emulator");
        let dynamodb = aws_sdk_dynamodb::Client::new(&config);
        let http = reqwest::Client::builder().no_proxy().build().expect("an HTTP client");
        let (mails, ticks) = (Mutex::default(), AtomicBool::default());
        let mut stack = Self { url, table, config, dynamodb, http, before: 0, mails, ticks };
        let since_last_test = Instant::now();
        stack.settle().await;
        // Repeats the deletion, because a worker can write rows after the first deletion.
        while stack.empty().await {
            stack.settle().await;
        }
        // Waits until the feed caches of the functions expire, because tests cannot clear them.
        sleep_until(since_last_test + REMEMBERED).await;
        stack.before = stack.sent().await.len();
        Some(stack)
    }

    /// Waits until all messages are handled. After [`Self::lets_time_pass`], also waits for a notification tick.
    pub(crate) async fn settle(&self) {
        let start = Instant::now();
        let ticks = self.ticks.swap(false, Ordering::AcqRel);
        let mut idle_checks = 0;
        while idle_checks < IDLE_CHECKS {
            assert!(start.elapsed() < TIMEOUT, "the queues do not become empty");
            let is_done = self.is_idle().await && (!ticks || self.has_flushed().await);
            idle_checks = if is_done { idle_checks + 1 } else { 0 };
            sleep(POLL_INTERVAL).await;
        }
        *lock(&self.mails) = self.sent().await;
    }

    /// Makes the next [`Deployed::settle`] wait for a notification tick, because tests cannot move the real clock.
    pub(crate) fn lets_time_pass(&self) {
        self.ticks.store(true, Ordering::Release);
    }

    /// Returns the emails sent before the last [`Deployed::settle`].
    pub(crate) fn mail(&self) -> Vec<Mail> {
        lock(&self.mails).clone()
    }

    /// Returns whether no message is visible or in flight, and the relay has read the whole stream. Panics if a queue
    /// has a dead letter.
    ///
    /// One call reads all queues, because separate calls could miss a message that moves between queues.
    async fn is_idle(&self) -> bool {
        let kept = self.kept("sqs").await;
        let (messages, relayed) = (&kept["messages"], kept["streams"]["idle"] == true);
        let regions = children(messages).flat_map(children);
        for (queue, messages) in regions.filter_map(Value::as_object).flatten() {
            let messages: &[Value] = messages.as_array().map_or(&[], Vec::as_slice);
            let has_dead_letters = queue.contains(DEAD_LETTERS) && !messages.is_empty();
            assert!(!has_dead_letters, "dead letters: {queue} {messages:?}");
            if messages.iter().any(|message| message["IsVisible"] == true || message["ReceiveCount"] != 0) {
                return false;
            }
        }
        relayed
    }

    /// Returns whether no pending notification is left and no message is waiting or in flight.
    async fn has_flushed(&self) -> bool {
        !self.has_pending().await && self.is_idle().await
    }

    async fn has_pending(&self) -> bool {
        let scan =
            self.dynamodb.scan().table_name(&self.table).filter_expression("begins_with(gsi1pk, :pending)");
        let scan = scan.expression_attribute_values(":pending", AttributeValue::S("PENDING#".to_owned()));
        // A page of a scan can be empty even if later pages have rows.
        let pending = scan.into_paginator().items().send().try_next().await;
        pending.expect("the pending rows").is_some()
    }

    /// Deletes all rows except feed versions. Returns whether a row was deleted.
    async fn empty(&self) -> bool {
        let scan = self.dynamodb.scan().table_name(&self.table).projection_expression("pk, sk");
        let rows = scan.into_paginator().items().send().try_collect().await.expect("the rows");
        let is_version = |row: &Key| {
            row["sk"].as_s().is_ok_and(|sk| sk.starts_with("VERSION#"))
                && row["pk"].as_s().is_ok_and(|pk| pk == "FEED")
        };
        let (versions, rows): (Vec<Key>, Vec<Key>) = rows.into_iter().partition(is_version);
        let found = !rows.is_empty();
        let delete = |key| self.dynamodb.delete_item().table_name(&self.table).set_key(Some(key)).send();
        let mut deleted = stream::iter(rows).map(delete).buffer_unordered(DELETES_AT_ONCE);
        while let Some(row) = deleted.next().await {
            row.expect("a deletion");
        }
        for version in versions {
            self.raise_version(version).await;
        }
        found
    }

    /// Increments a feed version. Functions cache feed pages by version, so a test must not reuse the versions of an
    /// earlier test.
    async fn raise_version(&self, version: Key) {
        let update = self.dynamodb.update_item().table_name(&self.table).set_key(Some(version));
        let update =
            update.update_expression("ADD #version :one").expression_attribute_names("#version", "version");
        let update = update.expression_attribute_values(":one", AttributeValue::N("1".to_owned()));
        update.send().await.expect("an update");
    }

    /// Returns the emails that the emulator captured since this world started, oldest first.
    async fn sent(&self) -> Vec<Mail> {
        let kept = self.kept("ses").await;
        let mails = children(&kept["messages"]).filter_map(Value::as_array).flatten().skip(self.before);
        mails.map(|mail| serde_json::from_value(renamed(mail)).expect("a mail")).collect()
    }

    /// Returns the messages that the emulator stores for a service.
    async fn kept(&self, service: &str) -> Value {
        let endpoint = self.config.endpoint_url().unwrap_or_default();
        let ask = self.http.get(format!("{endpoint}/_ministack/{service}/messages"));
        ask.send().await.expect("messages").json().await.expect("messages as JSON")
    }
}

fn children(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_object().into_iter().flat_map(|object| object.values())
}

/// Converts an email from the format of the emulator to the JSON of [`Mail`], with a placeholder time.
fn renamed(mail: &Value) -> Value {
    let (text, html) = (&mail["BodyText"], &mail["BodyHtml"]);
    json!({ "to": mail["To"][0], "subject": mail["Subject"], "text": text, "html": html, "at": UNKNOWN })
}

#[expect(clippy::disallowed_methods, reason = "the environment names the deployed stack")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
