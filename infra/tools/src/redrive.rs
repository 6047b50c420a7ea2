//! Moves dead letters back to their queue. This is safe because all jobs can be repeated.

use anyhow::{Context, Result};
use aws_sdk_sqs::{
    Client,
    types::{Message, QueueAttributeName},
};

const BATCH_MESSAGES: i32 = 10;
/// Duration of long polling, which returns no messages only if the queue is empty. Must be less than the SDK's timeout of
/// 3 seconds.
const WAIT_SECONDS: i32 = 2;

/// Moves all dead letters of a queue back to the queue. `queue` is the queue's URL, name, or prefix of the name
/// (`social-prod-LikedAddQueue`).
pub(crate) async fn redrive(queues: &Client, queue: &str) -> Result<()> {
    let url = queue_url(queues, queue).await?;
    let dead_letters = dead_letter_url(queues, &url).await?;
    let mut moved = 0;
    loop {
        let receive =
            queues.receive_message().queue_url(&dead_letters).max_number_of_messages(BATCH_MESSAGES);
        let receive = receive.message_attribute_names("All").wait_time_seconds(WAIT_SECONDS);
        let messages =
            receive.send().await.context("failed to receive the dead letters")?.messages.unwrap_or_default();
        if messages.is_empty() {
            break;
        }
        for message in &messages {
            move_back(queues, &url, &dead_letters, message).await?;
            moved += 1;
        }
    }
    println!("moved {moved} messages back to {queue}");
    Ok(())
}

async fn queue_url(queues: &Client, queue: &str) -> Result<String> {
    if queue.contains("://") {
        return Ok(queue.to_owned());
    }
    let found =
        queues.list_queues().queue_name_prefix(queue).send().await.context("failed to list the queues")?;
    // Skips the dead-letter queue, whose name has the same prefix.
    let urls = found.queue_urls.unwrap_or_default().into_iter();
    let mut urls = urls.filter(|url| !url.to_lowercase().replace('-', "").contains("deadletters"));
    urls.next().with_context(|| format!("the queue {queue} does not exist"))
}

async fn dead_letter_url(queues: &Client, url: &str) -> Result<String> {
    let request =
        queues.get_queue_attributes().queue_url(url).attribute_names(QueueAttributeName::RedrivePolicy);
    let attributes =
        request.send().await.context("failed to read the queue's attributes")?.attributes.unwrap_or_default();
    let policy =
        attributes.get(&QueueAttributeName::RedrivePolicy).context("the queue has no dead-letter queue")?;
    let policy: serde_json::Value = serde_json::from_str(policy)?;
    let arn = policy["deadLetterTargetArn"].as_str().context("the queue has no dead-letter queue")?;
    let name = arn.rsplit(':').next().unwrap_or_default();
    let found = queues
        .get_queue_url()
        .queue_name(name)
        .send()
        .await
        .context("failed to find the dead-letter queue")?;
    found.queue_url.context("the dead-letter queue has no URL")
}

/// Sends the message, and then deletes the dead letter. A failure between the two steps duplicates the message.
async fn move_back(queues: &Client, url: &str, dead_letters: &str, message: &Message) -> Result<()> {
    let send = queues.send_message().queue_url(url).message_body(message.body().unwrap_or_default());
    send.set_message_attributes(message.message_attributes.clone())
        .send()
        .await
        .context("failed to send the message")?;
    let receipt = message.receipt_handle().unwrap_or_default();
    queues
        .delete_message()
        .queue_url(dead_letters)
        .receipt_handle(receipt)
        .send()
        .await
        .context("failed to delete the dead letter")?;
    Ok(())
}
