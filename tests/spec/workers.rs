//! Workers: limits on jobs that need several messages, recovery after a kill, and dead letters.

mod bounds;
mod cut_off;
mod dead_letters;
mod due;
mod failures;
mod gone;
mod outcomes;
mod pages;
mod races;
mod separate_queues;

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Person, World};

use crate::timeline;

/// Sends a message to a queue.
pub(crate) async fn put(world: &World, queue: &str, body: &str) {
    let send = world.clients().sqs.send_message().queue_url(world.stack.queue_url(queue));
    send.message_body(body).send().await.unwrap();
}

/// Removes and returns up to ten dead letters of a queue.
async fn take_dead_letters(world: &World, queue: &str) -> Vec<String> {
    take_messages(world, &format!("{queue}-dead-letters")).await
}

/// Removes and returns up to ten messages of a queue.
async fn take_messages(world: &World, queue: &str) -> Vec<String> {
    let (sqs, url) = (world.clients().sqs, world.stack.queue_url(queue));
    let received = sqs.receive_message().queue_url(&url).max_number_of_messages(10).send().await.unwrap();
    let messages = received.messages.unwrap_or_default();
    for message in &messages {
        let receipt = message.receipt_handle.as_deref().unwrap();
        sqs.delete_message().queue_url(&url).receipt_handle(receipt).send().await.unwrap();
    }
    messages.into_iter().filter_map(|message| message.body).collect()
}

/// Removes all messages of a queue. Returns the job with the tag `tag`.
async fn waiting(world: &World, queue: &str, tag: &str) -> Value {
    world.stack.drain_streams().await;
    let jobs = take_messages(world, queue).await;
    let jobs = jobs.iter().map(|job| serde_json::from_str::<Value>(job).unwrap());
    jobs.into_iter().find(|job| job["job"] == tag).unwrap()
}

/// Processes a job whose message count has reached the limit, so it cannot send another message.
async fn put_last(world: &World, queue: &str, mut job: Value, messages_max: u32) {
    job["messages"] = json!(messages_max - 1);
    put(world, queue, &job.to_string()).await;
    let report = world.stack.settle(None).await.unwrap();
    assert_eq!(report.failed, 0, "{job}");
}

/// Sends the only dead letter of a queue to the queue again, as an operator does. Then delivers all messages.
async fn redrive(world: &World, queue: &str) -> String {
    let dead = take_dead_letters(world, queue).await;
    let [dead] = <[String; 1]>::try_from(dead).unwrap_or_else(|dead| panic!("{dead:?}"));
    put(world, queue, &dead).await;
    world.settle().await;
    dead
}

/// Deletes all messages of a queue.
pub(crate) async fn purge(world: &World, queue: &str) {
    world.clients().sqs.purge_queue().queue_url(world.stack.queue_url(queue)).send().await.unwrap();
}

/// Creates followers of a user, and delivers all messages.
async fn fans(world: &World, of: &Person, count: usize) -> Vec<Person> {
    let fans = timeline::fans(world, of, 0..count).await;
    world.settle().await;
    fans
}

/// Returns the FOLLOWING feed of each reader.
async fn feeds(readers: &[Person]) -> Vec<Vec<Value>> {
    join_all(readers.iter().map(timeline::feed)).await
}
