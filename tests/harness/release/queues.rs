//! Reads and writes the queued messages of a snapshot.

use aws_sdk_sqs::Client;
use serde::{Deserialize, Serialize};

use crate::world::World;

/// A message and the name of its queue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Message {
    pub(super) queue: String,
    body: String,
}

/// Removes and returns all messages that can be received.
pub(super) async fn take(world: &World, sqs: &Client) -> Vec<Message> {
    let mut taken = Vec::new();
    for queue in world.stack.queues() {
        loop {
            let bodies = receive(sqs, &world.stack.queue_url(&queue.name)).await;
            if bodies.is_empty() {
                break;
            }
            taken.extend(bodies.into_iter().map(|body| Message { queue: queue.name.clone(), body }));
        }
    }
    taken.sort();
    taken
}

/// Receives the next messages from a queue. Received messages stay invisible to later calls.
async fn receive(sqs: &Client, url: &str) -> Vec<String> {
    let receive = sqs.receive_message().queue_url(url).max_number_of_messages(10);
    let messages = receive.send().await.expect("messages").messages.unwrap_or_default();
    messages.into_iter().filter_map(|message| message.body).collect()
}

/// Sends messages to their queues.
pub(super) async fn send(world: &World, sqs: &Client, messages: &[Message]) {
    for Message { queue, body } in messages {
        let send = sqs.send_message().queue_url(world.stack.queue_url(queue)).message_body(body);
        send.send().await.unwrap_or_else(|error| panic!("{queue}: {error}"));
    }
}
