//! How long a post takes to the last of its author's followers, while these are few enough for timelines of their own.

use ::tests::World;
use anyhow::{Context, Result, ensure};
use domain::{ids::PostId, jobs::TimelineJob};

use super::{
    Model,
    network::{Counts, Network},
};

/// Brings a post to the timelines of so many followers with the timeline worker's own code. Returns the seconds of the
/// model until the last has it, and what was asked.
///
/// # Errors
/// The stack does not answer, or a follower does not have the post.
pub async fn fan_out(model: &Model) -> Result<(f64, Counts)> {
    let world = World::in_time(&[]).await;
    let ann = world.person("ann").await;
    let post: PostId = ann.writes("hello").await.id.parse().context("an id")?;
    let author = ann.id.parse().context("an id")?;
    let network = Network::new(model, author, world.app().now());
    super::is_followed(&world, author, model.follows).await?;
    let job = TimelineJob::FanOut { post, author: Some(author), after: None, rounds: Default::default() };
    let send = world.clients().sqs.send_message().queue_url(world.stack.queue_url("timeline"));
    send.message_body(serde_json::to_string(&job)?).send().await?;
    let (minutes, _) = super::work(&world, model, &network).await?;
    let reached = entries(&world, post).await?;
    ensure!(reached == model.follows, "{reached} of {} followers have the post", model.follows);
    Ok((minutes * 60.0, network.counts()))
}

/// The timelines that have the post, beside its author's own.
async fn entries(world: &World, post: PostId) -> Result<usize> {
    let scan = world.unwatched_dynamodb().scan().table_name(world.table_name());
    let pages = scan.projection_expression("sk").into_paginator().items().send();
    let rows = pages.collect::<Result<Vec<_>, _>>().await?;
    let sk = format!("TIMELINE#{post}");
    let entries = rows.iter().filter(|row| row.get("sk").and_then(|it| it.as_s().ok()) == Some(&sk));
    Ok(entries.count().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_post_comes_to_every_follower() {
        let model = Model {
            follows: 1_200,
            speed: 1.0,
            read_millis: 1.0,
            write_millis: 1.0,
            cpu_millis: 0.0,
            partition_units: 1_000.0,
            concurrency: 2,
            batch_size: 5,
        };
        let (seconds, counts) = fan_out(&model).await.unwrap();
        assert!(seconds > 0.0 && counts.wru > 1_200.0, "{counts:?}");
    }
}
