//! The DynamoDB client during faults: conflicts, throttling and lost responses.

mod attempts;

use platform::{
    App, Error,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};
use tests::{Fault, World};

#[derive(Debug, Serialize, Deserialize)]
struct Counter {
    pk: String,
    sk: String,
    count: i64,
}

impl Row for Counter {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}

#[tokio::test]
async fn conflicts_and_throttles_are_retried() {
    let world = World::new().await;
    let app = world.app();
    for fault in [Fault::Conflict, Fault::Throttle] {
        world.faults.plan("UpdateItem", fault, 0, 4);
        world.faults.plan("TransactWriteItems", fault, 0, 4);
        app.table.write(increment("a")).await.unwrap();
        app.table.transact(vec![increment("a"), increment("b")]).await.unwrap();
        assert_eq!(world.faults.calm(), 8);
    }
    assert_eq!((count(&app, "a").await, count(&app, "b").await), (4, 2));
}

#[tokio::test]
async fn a_lost_response_does_not_repeat_a_transaction() {
    let world = World::new().await;
    let app = world.app();
    world.faults.next("TransactWriteItems", Fault::LostAnswer);
    app.table.transact(vec![increment("a"), increment("b")]).await.unwrap();
    assert_eq!(world.faults.calm(), 1);
    assert_eq!((count(&app, "a").await, count(&app, "b").await), (1, 1));
}

#[tokio::test]
async fn unprocessed_items_of_a_batch_are_retried() {
    let world = World::new().await;
    let app = world.app();
    let counters: Vec<_> = (0..25).map(|number| counter(&format!("{number:02}"))).collect();
    world.faults.plan("BatchWriteItem", Fault::Unprocessed, 0, 3);
    app.table.batch_write(&counters, &[]).await.unwrap();
    let keys: Vec<_> = counters.iter().map(Row::key).collect();
    world.faults.plan("BatchGetItem", Fault::Unprocessed, 0, 3);
    let found: Vec<Counter> = app.table.batch_get(&keys).await.unwrap();
    assert_eq!((found.len(), world.faults.calm()), (25, 6));
}

#[tokio::test]
async fn a_failed_condition_is_not_retried() {
    let world = World::new().await;
    let app = world.app();
    let create = || Write::create(&counter("a")).or(Error::Conflict("taken"));
    app.table.write(create()).await.unwrap();
    let (refused, cost) = world.cost_of(app.table.write(create())).await;
    assert!(matches!(refused, Err(Error::Conflict("taken"))), "{refused:?}");
    assert_eq!(cost.calls, 1);
}

#[tokio::test]
async fn measured_costs_match_what_aws_bills() {
    let world = World::new().await;
    let app = world.app();
    let (_, write) = world.cost_of(app.table.write(Write::put(&counter("a")))).await;
    assert_eq!((write.calls, write.rru, write.wru), (1, 0.0, 1.0));
    let (_, both) = world.cost_of(app.table.transact(vec![increment("a"), increment("b")])).await;
    assert_eq!((both.calls, both.rru, both.wru), (1, 0.0, 4.0));
    let (_, read) = world.cost_of(app.table.get::<Counter>(&key("a"))).await;
    assert_eq!((read.calls, read.rru, read.wru), (1, 1.0, 0.0));
    let query = Query::partition("COUNTER").limit(10);
    let (_, list) = world.cost_of(app.table.query::<Counter>(&query)).await;
    assert_eq!((list.calls, list.rru, list.wru), (1, 0.5, 0.0));
}

fn key(sk: &str) -> Key {
    Key::new("COUNTER", sk)
}

fn counter(sk: &str) -> Counter {
    Counter { pk: "COUNTER".to_owned(), sk: sk.to_owned(), count: 0 }
}

fn increment(sk: &str) -> Write {
    Write::update(key(sk)).add("count", 1)
}

async fn count(app: &App, sk: &str) -> i64 {
    app.table.get::<Counter>(&key(sk)).await.unwrap().unwrap().count
}
