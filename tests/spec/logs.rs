//! Log lines of functions. Each request and each batch has one line with its cost.

mod followed;
mod runbook;

use std::{
    io::{Result, Write},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Cost, World, send};

use crate::{
    front::{at, behind_a_front},
    workers::put,
};

/// Delivery delay in one test. No other test has this delay, so it identifies the log line of the batch.
const LAG_SECONDS: u64 = 97;
/// Delivery delay in [`a_batch_without_a_request_logs_its_outcomes_but_no_id`]. The delay identifies the log line.
const OUTCOME_LAG_SECONDS: u64 = 89;

/// Maximum size of a log line, because CloudWatch charges per byte.
const LINE_MAX_BYTES: usize = 400;

/// Log lines of all worlds since the first call of [`listen`].
static LINES: Mutex<Vec<Value>> = Mutex::new(Vec::new());

/// A log writer that adds each parsed line to [`LINES`].
struct LineCollector;

#[tokio::test]
async fn a_request_logs_its_route_and_cost() {
    listen();
    let (world, [ann]) = World::with(["ann"]).await;
    let (answer, cost) = world.cost_of(ann.post("/api/v1/posts", json!({ "content": "hello" }))).await;
    assert_line(&answer, "POST", "/posts", &cost);
    let like = format!("/posts/{}/like", answer.data()["publicId"].as_str().unwrap());
    let (answer, cost) = world.cost_of(ann.post(&like, json!({ "isLiked": true }))).await;
    assert_line(&answer, "POST", "/posts/{publicId}/like", &cost);
    let (answer, cost) = world.cost_of(ann.get("/posts/news-feed")).await;
    assert_line(&answer, "GET", "/posts/news-feed", &cost);
}

#[tokio::test]
async fn concurrent_requests_log_their_own_costs() {
    listen();
    let (world, [ann]) = World::with(["ann"]).await;
    let post = ann.writes("hello").await;
    let path = post.path("/history");
    let (_, alone) = world.cost_of(ann.get(&path)).await;
    let answers = futures::future::join_all((0..10).map(|_| ann.get(&path))).await;
    for answer in answers {
        assert_line(&answer, "GET", "/posts/{publicId}/history", &alone);
    }
}

#[tokio::test]
async fn a_request_behind_the_proxy_logs_a_truncated_address() {
    listen();
    let world = behind_a_front(&[]).await;
    let answer = at("203.0.113.7", world.anyone.request(Method::GET, "/posts/news-feed")).await.ok();
    let id = answer.header("x-request-id").unwrap();
    let line = lines().iter().find(|line| line["span"]["id"] == id && line["message"] == "answered").cloned();
    assert_eq!(line.unwrap()["viewer"], "203.0.113.0/24");
}

#[test]
fn a_cold_start_logs_its_duration_and_memory() {
    listen();
    platform::logs::cold_start(Instant::now(), 1769, "42");
    let line = lines().iter().find(|line| line["message"] == "cold start").cloned().unwrap();
    assert_eq!((&line["memoryMb"], &line["version"]), (&json!(1769), &json!("42")));
    assert!(line["millis"].is_u64(), "{line}");
}

#[tokio::test]
async fn the_log_does_not_contain_the_link_of_an_export() {
    listen();
    let (world, [ann]) = World::with(["ann"]).await;
    let link = format!("{}.01KGB5T9G0A1B2C3D4E5F6G7H8.lines.{}", ann.public_id, "c2VjcmV0".repeat(4));
    for (prefix, end) in [("", ""), ("/api/v1", ""), ("", "/"), ("/api/v1", "//")] {
        let answer = world.anyone.get(&format!("{prefix}/auth/export/{link}{end}")).await;
        assert_eq!(answer.status, 404);
        let id = answer.header("x-request-id").unwrap();
        let of_request: Vec<_> = lines().iter().filter(|line| line["span"]["id"] == id).cloned().collect();
        assert!(!of_request.is_empty(), "{id}");
        assert!(of_request.iter().all(|line| !line.to_string().contains("c2VjcmV0")), "{of_request:?}");
    }
}

#[tokio::test]
async fn a_request_to_an_unknown_path_logs_an_empty_route() {
    listen();
    let world = World::new().await;
    let answer = send(world.anyone.request(Method::GET, "/nowhere/at/all")).await;
    assert_line(&answer, "GET", "", &Cost::default());
}

#[tokio::test]
async fn a_batch_without_a_request_logs_its_outcomes_but_no_id() {
    listen();
    let world = World::builder().without_ticks().start().await;
    put(&world, "circle-judge", r#"{"job":"judge","post":"01JGFJJZ00GGGGGGGGGGGGGGGG"}"#).await;
    world.advance(OUTCOME_LAG_SECONDS).await;
    world.stack.settle(None).await.unwrap();
    let is_late = |line: &&Value| line["lagMillis"] == OUTCOME_LAG_SECONDS * 1000 && line["messages"] == 1;
    let late: Vec<_> = lines().iter().filter(is_late).cloned().collect();
    assert!(late.iter().any(|line| line["outcomes"] == "judge: the post is gone"), "{late:?}");
    assert!(late.iter().all(|line| line["span"] == json!({ "name": "batch" })), "{late:?}");
}

#[tokio::test]
async fn a_batch_logs_its_cost_and_delivery_delay() {
    listen();
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    // Runs the schedules that are due at the start.
    world.advance(601).await;
    world.settle().await;
    let late_line = |of: &str| {
        let line =
            lines().iter().find(|line| line["lagMillis"] == LAG_SECONDS * 1000 && line[of] == 1).cloned();
        let line = line.unwrap_or_else(|| panic!("no line about {of}"));
        assert_eq!((&line["message"], &line["failed"]), (&json!("batch done"), &json!(0)));
        line
    };
    bob.likes(&post).await;
    world.advance(LAG_SECONDS).await;
    let report = world.stack.settle(None).await.unwrap();
    assert_eq!((report.stream.delivered, report.delivered), (1, 1));
    assert_cost(&late_line("records"), &Cost::default());

    let job = json!({ "job": "removed", "user": bob.id, "post": post.id }).to_string();
    put(&world, "liked-remove", &job).await;
    world.advance(LAG_SECONDS).await;
    let (report, cost) = world.cost_of(world.stack.settle(None)).await;
    assert_eq!(report.unwrap().delivered, 1);
    assert_cost(&late_line("messages"), &cost);
}

/// Checks that the request has exactly one log line, with its route and cost.
#[track_caller]
fn assert_line(answer: &Answer, method: &str, route: &str, cost: &Cost) {
    let id = answer.header("x-request-id").expect("an id");
    let lines = lines();
    let mut of_request =
        lines.iter().filter(|line| line["span"]["id"] == id && line["message"] == "answered");
    let line = of_request.next().expect("a line");
    assert_eq!((&line["span"]["method"], &line["route"]), (&json!(method), &json!(route)), "{line}");
    assert_eq!(line["status"], answer.status, "{line}");
    assert_cost(line, cost);
    assert!(line.to_string().len() <= LINE_MAX_BYTES, "CloudWatch charges by size: {line}");
    assert!(of_request.next().is_none(), "the request has more than one line");
}

#[track_caller]
fn assert_cost(line: &Value, cost: &Cost) {
    let units = (line["readUnits"].as_f64(), line["writeUnits"].as_f64());
    assert_eq!(units, (Some(cost.rru), Some(cost.wru)), "{line}: {cost:?}");
    assert!(line["millis"].is_u64(), "{line}");
}

/// Makes this process log as a function does. [`lines`] returns the collected log lines.
pub(crate) fn listen() {
    platform::logs::init_with(|| LineCollector);
}

pub(crate) fn lines() -> MutexGuard<'static, Vec<Value>> {
    LINES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Write for LineCollector {
    fn write(&mut self, line: &[u8]) -> Result<usize> {
        lines()
            .extend(serde_json::from_slice(line).ok().filter(|line: &Value| line["message"] != Value::Null));
        Ok(line.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
