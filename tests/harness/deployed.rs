//! A network that is deployed: the same promises, of real functions, queues and schedules.
//!
//! `DEPLOYED_URL` and `TABLE_NAME` say where it is, on an emulator of AWS; the SDK finds the rest as it
//! always does. It is one for all tests, so they take turns, and each begins by emptying it. Its clock is
//! the real one and nothing can be cut: tests that need that are not in `tests/deployed.txt`.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use aws_config::SdkConfig;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_sqs::types::QueueAttributeName;
use futures::{StreamExt, future::join_all, stream};
use local::Mail;
use platform::app::sdk_config;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

/// Three ticks of the notifications' schedule, and the two minutes before its first.
const TIMEOUT: Duration = Duration::from_secs(240);
const EMULATOR: &str = "http://127.0.0.1:";
const ASK_AGAIN: Duration = Duration::from_millis(50);
const DELETES_AT_ONCE: usize = 16;
const UNKNOWN: &str = "1970-01-01T00:00:00Z";
const DEAD_LETTERS: &str = "DeadLetters";

pub(crate) struct Deployed {
    pub(crate) url: String,
    pub(crate) table: String,
    pub(crate) config: SdkConfig,
    dynamodb: aws_sdk_dynamodb::Client,
    sqs: aws_sdk_sqs::Client,
    queues: Vec<String>,
    before: usize,
    mails: Mutex<Vec<Mail>>,
    ticks: AtomicBool,
}

impl Deployed {
    /// The deployed network, emptied, if there is one.
    pub(crate) async fn emptied() -> Option<Self> {
        let (url, table) = (variable("DEPLOYED_URL")?, variable("TABLE_NAME")?);
        let config = sdk_config().load().await;
        let endpoint = config.endpoint_url().unwrap_or_default();
        assert!(endpoint.starts_with(EMULATOR), "the table is emptied, so it is never one of AWS");
        let sqs = aws_sdk_sqs::Client::new(&config);
        let queues = sqs.list_queues().send().await.expect("the queues").queue_urls.unwrap_or_default();
        let dynamodb = aws_sdk_dynamodb::Client::new(&config);
        let (mails, ticks) = (Mutex::default(), AtomicBool::default());
        let mut it = Self { url, table, config, dynamodb, sqs, queues, before: 0, mails, ticks };
        it.settle().await;
        it.empty().await;
        it.before = it.sent().await.len();
        Some(it)
    }

    /// Waits until every message is done; after time was to pass, until a tick has gathered what is pending too.
    pub(crate) async fn settle(&self) {
        let start = Instant::now();
        let ticks = self.ticks.swap(false, Ordering::AcqRel);
        while !self.is_idle().await || (ticks && self.has_pending().await) {
            assert!(start.elapsed() < TIMEOUT, "the queues do not become empty");
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

    /// Whether nothing is visible or in flight; a dead letter fails the test.
    async fn is_idle(&self) -> bool {
        let counts = join_all(self.queues.iter().map(|queue| self.count(queue))).await;
        for (queue, count) in self.queues.iter().zip(&counts) {
            assert!(*count == 0 || !queue.contains(DEAD_LETTERS), "a message was given up: {queue}");
        }
        counts.iter().all(|count| *count == 0)
    }

    async fn count(&self, queue: &str) -> u64 {
        let names = [
            QueueAttributeName::ApproximateNumberOfMessages,
            QueueAttributeName::ApproximateNumberOfMessagesNotVisible,
        ];
        let ask = self.sqs.get_queue_attributes().queue_url(queue).set_attribute_names(Some(names.into()));
        let attributes = ask.send().await.expect("a queue's counts").attributes.unwrap_or_default();
        attributes.values().filter_map(|count| count.parse::<u64>().ok()).sum()
    }

    async fn has_pending(&self) -> bool {
        let scan =
            self.dynamodb.scan().table_name(&self.table).filter_expression("begins_with(gsi1pk, :pending)");
        let scan = scan.expression_attribute_values(":pending", AttributeValue::S("PENDING#".to_owned()));
        scan.send().await.expect("the pending rows").count > 0
    }

    /// All but the feed's versions, which go up: functions remember pages by them, so none may come twice.
    async fn empty(&self) {
        let scan = self.dynamodb.scan().table_name(&self.table).projection_expression("pk, sk");
        let mut rows = scan.into_paginator().items().send();
        let mut keys = Vec::new();
        while let Some(key) = rows.next().await {
            keys.push(key.expect("a row"));
        }
        for version in keys.extract_if(.., |key| key["sk"] == AttributeValue::S("VERSION".to_owned())) {
            let update = self.dynamodb.update_item().table_name(&self.table).set_key(Some(version));
            let update = update
                .update_expression("ADD #version :one")
                .expression_attribute_names("#version", "version");
            let update = update.expression_attribute_values(":one", AttributeValue::N("1".to_owned()));
            update.send().await.expect("a version that goes up");
        }
        let delete = |key| self.dynamodb.delete_item().table_name(&self.table).set_key(Some(key)).send();
        let mut deleted = stream::iter(keys).map(delete).buffer_unordered(DELETES_AT_ONCE);
        while let Some(row) = deleted.next().await {
            row.expect("a row that is deleted");
        }
    }

    /// The mails that the emulator has kept since this world began, oldest first.
    async fn sent(&self) -> Vec<Mail> {
        let endpoint = self.config.endpoint_url().unwrap_or_default();
        let answer = reqwest::get(format!("{endpoint}/_ministack/ses/messages")).await.expect("the mails");
        let mails: Value = answer.json().await.expect("the mails as JSON");
        let accounts = mails["messages"].as_object().into_iter().flat_map(|accounts| accounts.values());
        let mails = accounts.filter_map(Value::as_array).flatten().skip(self.before);
        mails.map(|mail| serde_json::from_value(renamed(mail)).expect("a mail")).collect()
    }
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
