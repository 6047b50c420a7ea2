//! Dead letters, back to the queue where they failed: every job can be done again.

use anyhow::{Context, Result};
use aws_sdk_sqs::{
    Client,
    types::{Message, QueueAttributeName},
};

const TOGETHER: i32 = 10;
/// SQS asks only a few of its servers unless it may wait: an empty answer would mean nothing. An attempt at a call
/// ends after 3 seconds.
const WAIT_SECONDS: i32 = 2;

/// Moves every dead letter of a queue back to it. The queue is `liked-add` locally, the beginning of its name
/// when deployed (`social-prod-LikedAddQueue`), or its address.
pub(crate) async fn redrive(queues: &Client, queue: &str) -> Result<()> {
    let url = address(queues, queue).await?;
    let letters = letters_of(queues, &url).await?;
    let mut moved = 0;
    loop {
        let receive = queues.receive_message().queue_url(&letters).max_number_of_messages(TOGETHER);
        let receive = receive.message_attribute_names("All").wait_time_seconds(WAIT_SECONDS);
        let messages =
            receive.send().await.context("the dead letters were not received")?.messages.unwrap_or_default();
        if messages.is_empty() {
            break;
        }
        for message in &messages {
            give_back(queues, &url, &letters, message).await?;
            moved += 1;
        }
    }
    println!("{moved} messages went back to {queue}");
    Ok(())
}

async fn address(queues: &Client, queue: &str) -> Result<String> {
    if queue.contains("://") {
        return Ok(queue.to_owned());
    }
    let found =
        queues.list_queues().queue_name_prefix(queue).send().await.context("the queues were not listed")?;
    // Its dead letters are beside it under a name of their own.
    let urls = found.queue_urls.unwrap_or_default().into_iter();
    let mut urls = urls.filter(|it| !it.to_lowercase().replace('-', "").contains("deadletters"));
    urls.next().with_context(|| format!("there is no queue {queue}"))
}

async fn letters_of(queues: &Client, url: &str) -> Result<String> {
    let asked =
        queues.get_queue_attributes().queue_url(url).attribute_names(QueueAttributeName::RedrivePolicy);
    let attributes = asked.send().await.context("the queue did not answer")?.attributes.unwrap_or_default();
    let policy =
        attributes.get(&QueueAttributeName::RedrivePolicy).context("the queue has no dead letters")?;
    let policy: serde_json::Value = serde_json::from_str(policy)?;
    let arn = policy["deadLetterTargetArn"].as_str().context("the queue has no dead letters")?;
    let name = arn.rsplit(':').next().unwrap_or_default();
    let found = queues.get_queue_url().queue_name(name).send().await.context("the dead letters are gone")?;
    found.queue_url.context("the dead letters have no address")
}

/// Sent before it is deleted: in between it is there twice, and never not at all.
async fn give_back(queues: &Client, url: &str, letters: &str, message: &Message) -> Result<()> {
    let send = queues.send_message().queue_url(url).message_body(message.body().unwrap_or_default());
    send.set_message_attributes(message.message_attributes.clone()).send().await.context("not sent back")?;
    let receipt = message.receipt_handle().unwrap_or_default();
    queues.delete_message().queue_url(letters).receipt_handle(receipt).send().await.context("not deleted")?;
    Ok(())
}
