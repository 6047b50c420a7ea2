//! The number of attempts per AWS call, and the error after the last attempt.

use futures::future::join_all;
use platform::{
    Error, Result,
    app::Clients,
    table::{Query, Row, Table},
};
use serde_json::json;
use tests::{Fault, World};

use super::{Counter, count, counter, increment, key};

/// Maximum number of attempts per AWS call.
const ATTEMPTS: u32 = 8;
/// Number of planned conflicts. All requests together retry fewer times.
const CONFLICTS: u32 = 1_000;
const READS: [&str; 4] = ["GetItem", "Query", "BatchGetItem", "Scan"];

/// Reads counters with this AWS operation, and returns the number of counters.
async fn read(table: &Table, operation: &str) -> Result<usize> {
    Ok(match operation {
        "GetItem" => table.get::<Counter>(&key("a")).await?.into_iter().count(),
        "Query" => table.query::<Counter>(&Query::partition(key("a").pk)).await?.len(),
        "BatchGetItem" => table.batch_get::<Counter>(&[key("a")]).await?.len(),
        _ => table.scan::<Counter>(None).await?.0.len(),
    })
}

/// Injects a fault into all calls of an operation. Panics unless `work` makes 8 attempts, and then returns the error for
/// this fault.
async fn check_attempts<T>(
    world: &World,
    operation: &str,
    fault: Fault,
    work: impl Future<Output = Result<T>>,
) {
    world.faults.plan(operation, fault, 0, u32::MAX);
    let failed = work.await.map(drop);
    let is_expected = match fault {
        Fault::LostAnswer | Fault::BrokenAnswer => matches!(failed, Err(Error::Internal(_))),
        _ => matches!(failed, Err(Error::Throttled(_))),
    };
    assert!(is_expected, "{operation} {fault:?}: {failed:?}");
    assert_eq!(world.faults.calm(), ATTEMPTS, "{operation} {fault:?}");
}

#[tokio::test]
async fn a_failing_write_ends_after_8_attempts() {
    let world = World::new().await;
    let table = world.app().table.clone();
    for fault in [Fault::Conflict, Fault::Throttle] {
        check_attempts(&world, "UpdateItem", fault, table.write(increment("a"))).await;
        let both = table.transact(vec![increment("a"), increment("b")]);
        check_attempts(&world, "TransactWriteItems", fault, both).await;
    }
    check_attempts(&world, "UpdateItem", Fault::LostAnswer, table.write(increment("a"))).await;
}

#[tokio::test]
async fn a_failing_read_returns_throttled_after_8_attempts() {
    let world = World::new().await;
    let table = world.app().table.clone();
    for operation in READS {
        check_attempts(&world, operation, Fault::Throttle, read(&table, operation)).await;
    }
}

#[tokio::test]
async fn unprocessed_batch_items_are_attempted_8_times() {
    let world = World::new().await;
    let table = world.app().table.clone();
    let counters: Vec<_> = (0..25).map(|number| counter(&format!("{number:02}"))).collect();
    let keys: Vec<_> = counters.iter().map(Row::key).collect();
    let fault = Fault::BarelyProcessed;
    check_attempts(&world, "BatchWriteItem", fault, table.batch_write(&counters, &[])).await;
    check_attempts(&world, "BatchGetItem", fault, table.batch_get::<Counter>(&keys)).await;
}

#[tokio::test]
async fn a_truncated_response_is_requested_again() {
    let world = World::new().await;
    let table = world.app().table.clone();
    table.write(increment("a")).await.unwrap();
    for operation in READS {
        world.faults.next(operation, Fault::BrokenAnswer);
        world.faults.next(operation, Fault::Throttle);
        assert_eq!(read(&table, operation).await.unwrap(), 1, "{operation}");
        assert_eq!(world.faults.calm(), 2, "{operation}");
        check_attempts(&world, operation, Fault::BrokenAnswer, read(&table, operation)).await;
    }
}

#[tokio::test]
async fn sending_messages_and_events_is_attempted_8_times() {
    let world = World::new().await;
    let Clients { sqs, bus, .. } = world.clients();
    for fault in [Fault::Throttle, Fault::LostAnswer] {
        world.faults.plan("SendMessage", fault, 0, u32::MAX);
        let url = world.stack.queue_url("liked-add");
        assert!(sqs.send_message().queue_url(url).message_body("{}").send().await.is_err());
        assert_eq!(world.faults.calm(), ATTEMPTS, "{fault:?}");
        world.faults.plan("PutEvents", fault, 0, u32::MAX);
        assert!(bus.put_events().send().await.is_err());
        assert_eq!(world.faults.calm(), ATTEMPTS, "{fault:?}");
    }
}

#[tokio::test]
async fn an_aws_call_times_out_before_the_function_does() {
    let world = World::builder().unlimited_pages().start().await;
    world.faults.plan("UpdateItem", Fault::NoAnswer, 0, u32::MAX);
    let failed = world.app().table.write(increment("a")).await;
    assert!(matches!(failed, Err(Error::Internal(_))), "{failed:?}");
    // Each attempt times out after 3 seconds. The whole call times out during the third attempt.
    assert_eq!(world.faults.calm(), 3);
}

#[tokio::test]
async fn concurrent_writes_succeed_despite_200_conflicts() {
    let world = World::new().await;
    let app = world.app();
    world.faults.plan("UpdateItem", Fault::Conflict, 0, 200);
    let written = join_all((0..100).map(|_| app.table.write(increment("a")))).await;
    assert_eq!(written.into_iter().filter(Result::is_ok).count(), 100);
    assert_eq!(world.faults.calm(), 200);
    assert_eq!(count(&app, "a").await, 100);
}

#[tokio::test]
async fn a_throttled_request_can_be_retried_after_a_second() {
    let world = World::new().await;
    world.faults.plan("Query", Fault::Throttle, 0, u32::MAX);
    let busy = world.anyone.get("/posts/news-feed").await;
    assert_eq!(busy.refused(429, "TOO_MANY_REQUESTS"), "too many requests: try again in a second");
    assert_eq!(busy.header("retry-after"), Some("1"));
    assert_ne!(world.faults.calm(), 0);
    world.anyone.get("/posts/news-feed").await.ok();
}

#[tokio::test]
async fn a_write_with_too_many_conflicts_can_be_retried_later() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hot").await;
    let group = bob.chats_with("ann").await;
    let requests = [
        (post.path("/reply"), json!({ "content": "me too" })),
        (post.path("/quote"), json!({ "content": "look" })),
        (post.path("/repost"), json!({})),
        ("/user/ann/follower".to_owned(), json!({ "isFollowing": true })),
        (format!("/message-group/{group}/messages"), json!({ "content": "hello" })),
    ];
    let send_all = || join_all(requests.iter().map(|(path, body)| bob.post(path, body.clone())));
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, CONFLICTS);
    let answers = send_all().await;
    world.faults.calm();
    for answer in answers {
        answer.refused(429, "TOO_MANY_REQUESTS");
        assert_eq!(answer.header("retry-after"), Some("1"), "{answer}");
    }
    for again in send_all().await {
        assert!((200..300).contains(&again.status), "{again}");
    }
    let post = ann.sees(&post).await;
    let counts = ["repliesCount", "quotesCount", "repostsCount"].map(|field| post[field].clone());
    assert_eq!(counts, [json!(1), json!(1), json!(1)]);
}
