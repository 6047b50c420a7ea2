//! Workers: what continues itself comes to an end, what is killed is done again, and what can never succeed is put
//! aside.

mod bounds;
mod dead_letters;
mod pages;

use futures::future::join_all;
use tests::{Person, World};

/// Puts a message into a queue.
pub(crate) async fn put(world: &World, queue: &str, body: &str) {
    let send = world.clients().sqs.send_message().queue_url(world.stack.queue_url(queue));
    send.message_body(body).send().await.unwrap();
}

/// Takes the messages out of a queue's dead letters.
async fn letters(world: &World, queue: &str) -> Vec<String> {
    let (sqs, url) = (world.clients().sqs, world.stack.queue_url(&format!("{queue}-dead-letters")));
    let received = sqs.receive_message().queue_url(&url).max_number_of_messages(10).send().await.unwrap();
    let messages = received.messages.unwrap_or_default();
    for message in &messages {
        let receipt = message.receipt_handle.as_deref().unwrap();
        sqs.delete_message().queue_url(&url).receipt_handle(receipt).send().await.unwrap();
    }
    messages.into_iter().filter_map(|it| it.body).collect()
}

/// Forgets what waits in a queue.
async fn empty(world: &World, queue: &str) {
    world.clients().sqs.purge_queue().queue_url(world.stack.queue_url(queue)).send().await.unwrap();
}

/// So many people who follow somebody.
async fn fans(world: &World, of: &Person, many: usize) -> Vec<Person> {
    let names: Vec<_> = (0..many).map(|number| format!("fan{number}")).collect();
    let fans = join_all(names.iter().map(|it| world.person(it))).await;
    for fan in &fans {
        fan.follows(of).await;
    }
    world.settle().await;
    fans
}

/// What FOLLOWING shows to each.
async fn feeds(readers: &[Person]) -> Vec<Vec<serde_json::Value>> {
    let feed = async |it: &Person| it.get("/posts/news-feed?type=FOLLOWING").await.ok().column("content");
    join_all(readers.iter().map(feed)).await
}
