//! The number of attempts per AWS call, and the error after the last attempt.

use futures::future::join_all;
use platform::{
    Error, Result,
    app::Clients,
    table::{Query, Row, Table},
};
use tests::{Fault, World};

use super::{Counter, count, counter, increment, key};

/// Maximum number of attempts per AWS call.
const ATTEMPTS: u32 = 8;
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

#[tokio::test]
async fn a_failing_write_returns_throttled_after_8_attempts() {
    let world = World::new().await;
    let table = world.app().table.clone();
    for fault in [Fault::Conflict, Fault::Throttle] {
        world.faults.plan("UpdateItem", fault, 0, u32::MAX);
        let failed = table.write(increment("a")).await;
        assert!(matches!(failed, Err(Error::Throttled(_))), "{failed:?}");
        assert_eq!(world.faults.calm(), ATTEMPTS, "{fault:?}");
        world.faults.plan("TransactWriteItems", fault, 0, u32::MAX);
        let failed = table.transact(vec![increment("a"), increment("b")]).await;
        assert!(matches!(failed, Err(Error::Throttled(_))), "{failed:?}");
        assert_eq!(world.faults.calm(), ATTEMPTS, "{fault:?}");
    }
}

#[tokio::test]
async fn a_failing_read_returns_throttled_after_8_attempts() {
    let world = World::new().await;
    let table = world.app().table.clone();
    for operation in READS {
        world.faults.plan(operation, Fault::Throttle, 0, u32::MAX);
        let failed = read(&table, operation).await;
        assert!(matches!(failed, Err(Error::Throttled(_))), "{operation}: {failed:?}");
        assert_eq!(world.faults.calm(), ATTEMPTS, "{operation}");
    }
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
        world.faults.plan(operation, Fault::BrokenAnswer, 0, u32::MAX);
        let failed = read(&table, operation).await;
        assert!(matches!(failed, Err(Error::Internal(_))), "{operation}: {failed:?}");
        assert_eq!(world.faults.calm(), ATTEMPTS, "{operation}");
    }
}

#[tokio::test]
async fn a_write_without_a_response_fails_after_8_attempts() {
    let world = World::new().await;
    world.faults.plan("UpdateItem", Fault::LostAnswer, 0, u32::MAX);
    let failed = world.app().table.write(increment("a")).await;
    assert!(matches!(failed, Err(Error::Internal(_))), "{failed:?}");
    assert_eq!(world.faults.calm(), ATTEMPTS);
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
async fn unprocessed_batch_items_are_attempted_8_times() {
    let world = World::new().await;
    let table = world.app().table.clone();
    let counters: Vec<_> = (0..25).map(|number| counter(&format!("{number:02}"))).collect();
    let keys: Vec<_> = counters.iter().map(Row::key).collect();
    world.faults.plan("BatchWriteItem", Fault::BarelyProcessed, 0, u32::MAX);
    let failed = table.batch_write(&counters, &[]).await;
    assert!(matches!(failed, Err(Error::Throttled(_))), "{failed:?}");
    assert_eq!(world.faults.calm(), ATTEMPTS);
    world.faults.plan("BatchGetItem", Fault::BarelyProcessed, 0, u32::MAX);
    let failed = table.batch_get::<Counter>(&keys).await.map(drop);
    assert!(matches!(failed, Err(Error::Throttled(_))), "{failed:?}");
    assert_eq!(world.faults.calm(), ATTEMPTS);
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
