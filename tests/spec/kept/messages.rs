//! Durability of queue messages and of their order, delays and receive counts.

use std::{path::Path, time::Duration};

use aws_sdk_sqs::types::{Message, MessageSystemAttributeName, SendMessageBatchRequestEntry};
use local::{Options, QueueState, Stack};

use super::DataDirectory;
use crate::stack::manual;

/// A template with a queue that moves a message to a dead-letter queue after three receives.
const WITH_A_QUEUE: &str = r#"
Resources:
  Letters: { Type: AWS::SQS::Queue, Properties: {} }
  Work:
    Type: AWS::SQS::Queue
    Properties:
      RedrivePolicy: { deadLetterTargetArn: !GetAtt Letters.Arn, maxReceiveCount: 3 }
"#;

#[tokio::test]
async fn sent_messages_keep_their_order_after_a_kill_of_the_stack() {
    let directory = DataDirectory::new("sent");
    let queue = Queue::open(&directory.0).await;
    queue.send("0", 0).await;
    let rest: Vec<_> = (1..10).map(|n| n.to_string()).collect();
    queue.send_batch(&rest).await;
    drop(queue);

    let queue = Queue::open(&directory.0).await;
    let bodies = queue.receive(10, 30).await.into_iter().map(|message| message.body.unwrap());
    assert_eq!(bodies.collect::<Vec<_>>(), ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

#[tokio::test]
async fn deleted_messages_stay_deleted_after_a_kill_of_the_stack() {
    let directory = DataDirectory::new("deleted");
    let queue = Queue::open(&directory.0).await;
    queue.send_batch(&["done".to_owned(), "not done".to_owned()]).await;
    let done = queue.receive(1, 30).await.remove(0);
    queue.delete(&done.receipt_handle.unwrap()).await;
    drop(queue);

    let queue = Queue::open(&directory.0).await;
    let left = queue.receive(10, 30).await;
    assert_eq!(left.iter().map(|message| message.body.as_deref().unwrap()).collect::<Vec<_>>(), ["not done"]);
    queue.sqs.purge_queue().queue_url(queue.stack.queue_url("work")).send().await.unwrap();
    drop(queue);

    assert_eq!(counts(&Queue::open(&directory.0).await), (0, 0, 0, 0));
}

#[tokio::test]
async fn an_in_flight_message_is_visible_after_a_kill_of_the_stack() {
    let directory = DataDirectory::new("in-flight");
    let mut queue = Queue::open(&directory.0).await;
    queue.send("too often", 0).await;
    for receives in ["1", "2", "3"] {
        let message = queue.receive(1, 40_000).await.remove(0);
        let count = MessageSystemAttributeName::ApproximateReceiveCount;
        assert_eq!(message.attributes.unwrap()[&count], receives);
        assert_eq!(counts(&queue), (0, 1, 0, 0));
        drop(queue);
        queue = Queue::open(&directory.0).await;
        assert_eq!(counts(&queue), (1, 0, 0, 0));
    }
    assert!(queue.receive(1, 30).await.is_empty());
    drop(queue);

    assert_eq!(counts(&Queue::open(&directory.0).await), (0, 0, 0, 1));
}

#[tokio::test]
async fn a_message_delay_survives_a_kill_of_the_stack() {
    let directory = DataDirectory::new("delayed");
    let queue = Queue::open(&directory.0).await;
    queue.send("later", 60).await;
    queue.stack.advance(Duration::from_secs(59)).await.unwrap();
    drop(queue);

    let queue = Queue::open(&directory.0).await;
    assert_eq!(counts(&queue), (0, 0, 1, 0));
    queue.stack.advance(Duration::from_secs(1)).await.unwrap();
    assert_eq!(counts(&queue), (1, 0, 0, 0));
}

#[tokio::test]
async fn an_old_receipt_handle_deletes_no_message_after_a_crash() {
    let directory = DataDirectory::new("receipt");
    let queue = Queue::open(&directory.0).await;
    queue.send("old", 0).await;
    let old = queue.receive(1, 30).await.remove(0).receipt_handle.unwrap();
    queue.delete(&old).await;
    drop(queue);

    let queue = Queue::open(&directory.0).await;
    queue.send("new", 0).await;
    queue.receive(1, 30).await;
    queue.delete(&old).await;
    assert_eq!(counts(&queue), (0, 1, 0, 0));
}

/// A stack with one queue, and an SQS client.
struct Queue {
    stack: Stack,
    sqs: aws_sdk_sqs::Client,
}

impl Queue {
    async fn open(directory: &Path) -> Self {
        let options = Options { data: Some(directory.to_owned()), ..manual(WITH_A_QUEUE) };
        let stack = Stack::start(options).await.unwrap();
        Self { sqs: aws_sdk_sqs::Client::new(stack.sdk_config()), stack }
    }

    async fn send(&self, body: &str, delay: i32) {
        let send = self.sqs.send_message().queue_url(self.stack.queue_url("work"));
        send.message_body(body).delay_seconds(delay).send().await.unwrap();
    }

    async fn send_batch(&self, bodies: &[String]) {
        let entry = |body: &String| SendMessageBatchRequestEntry::builder().id(body.replace(' ', "-"));
        let entries = bodies.iter().map(|body| entry(body).message_body(body).build().unwrap());
        let send = self.sqs.send_message_batch().queue_url(self.stack.queue_url("work"));
        send.set_entries(Some(entries.collect())).send().await.unwrap();
    }

    async fn receive(&self, max: i32, visibility: i32) -> Vec<Message> {
        let receive = self.sqs.receive_message().queue_url(self.stack.queue_url("work"));
        let receive = receive.message_system_attribute_names(MessageSystemAttributeName::All);
        let received = receive.max_number_of_messages(max).visibility_timeout(visibility).send().await;
        received.unwrap().messages.unwrap_or_default()
    }

    async fn delete(&self, receipt: &str) {
        let delete = self.sqs.delete_message().queue_url(self.stack.queue_url("work"));
        delete.receipt_handle(receipt).send().await.unwrap();
    }
}

/// Returns the numbers of visible, in-flight, delayed and dead-letter messages.
fn counts(queue: &Queue) -> (usize, usize, usize, usize) {
    let QueueState { visible, in_flight, delayed, dead, .. } = queue.stack.queues().remove(0);
    (visible, in_flight, delayed, dead)
}
