//! How long an author with millions of followers takes to become merged: the timeline worker's own code against the
//! embedded stack, whose answers about the followers are a model of DynamoDB's latencies and limits.

mod fan_out;
mod lambda;
mod network;

use std::time::Instant;

use ::tests::World;
use anyhow::{Context, Result, ensure};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::{ids::UserId, jobs::TimelineJob, people::users};
pub use fan_out::fan_out;
use futures::future::try_join_all;
use lambda::{Done, Worker};
pub use network::Counts;
use network::Network;
use platform::deadline::Deadline;

/// Dollars of us-east-1, on demand, November 2026.
const DOLLARS_A_MILLION_WRU: f64 = 0.625;
const DOLLARS_A_MILLION_RRU: f64 = 0.125;

/// What is modelled. Times are in milliseconds of the model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Followers of the author.
    pub follows: usize,
    /// How much faster than real the model runs; below 1 slower.
    pub speed: f64,
    /// What a read takes on the way and in DynamoDB.
    pub read_millis: f64,
    /// What a write takes.
    pub write_millis: f64,
    /// What a call costs a function in processor time, by its share of a processor.
    pub cpu_millis: f64,
    /// The write units a second of one partition of an index.
    pub partition_units: f64,
    /// `MaximumConcurrency` of the worker.
    pub concurrency: usize,
    /// `BatchSize` of the worker.
    pub batch_size: usize,
}

/// What became of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Minutes of the model.
    pub minutes: f64,
    /// What was asked.
    pub counts: Counts,
    /// Messages that were done.
    pub messages: u64,
    /// Messages that failed, each time.
    pub failed: u64,
    /// Follows that were never marked.
    pub unmarked: usize,
    /// Whether the author is merged.
    pub is_merged: bool,
}

impl Counts {
    /// What the table is paid for it.
    pub fn dollars(&self) -> f64 {
        (self.wru * DOLLARS_A_MILLION_WRU + self.rru * DOLLARS_A_MILLION_RRU) / 1e6
    }
}

impl Outcome {
    /// What the marking waited for: the partition of the index when most of its units were taken.
    pub fn binds(&self, model: &Model) -> &'static str {
        let taken = self.counts.marks as f64 / (self.minutes * 60.0 * model.partition_units);
        if taken > 0.8 { "the index partition" } else { "the lanes" }
    }
}

/// Lets an author with so many followers become popular, and waits until the queue is empty.
///
/// # Errors
/// The stack does not answer.
pub async fn run(model: &Model) -> Result<Outcome> {
    let world = World::in_time(&[]).await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    let author: UserId = ann.id.parse().context("an id")?;
    let network = Network::new(model, author, world.app().now());
    is_followed(&world, author, model.follows).await?;
    begin(&world, model, post.id.parse().context("an id")?).await?;
    let (minutes, done) = work(&world, model, &network).await?;
    let found = users::find(&world.app(), author).await?.context("the author")?;
    Ok(Outcome {
        minutes,
        counts: network.counts(),
        messages: done.iter().map(|it| it.messages).sum(),
        failed: done.iter().map(|it| it.failed).sum(),
        unmarked: network.unmarked(),
        is_merged: found.is_merged,
    })
}

/// Works until the queue is empty. Returns the minutes of the model.
async fn work(world: &World, model: &Model, network: &Network) -> Result<(f64, Vec<Done>)> {
    let started = Instant::now();
    let workers = (0..model.concurrency).map(|_| Worker::new(world, model, network));
    let workers = workers.collect::<Result<Vec<_>>>()?;
    let work = workers.into_iter().map(Worker::work_alone);
    let done = try_join_all(work).await?.into_iter().collect::<Result<Vec<_>>>()?;
    let last = done.iter().map(|it| it.last).max().unwrap_or(started);
    Ok(((last - started).as_secs_f64() * model.speed / 60.0, done))
}

async fn is_followed(world: &World, author: UserId, follows: usize) -> Result<()> {
    let update = world.unwatched_dynamodb().update_item().table_name(world.table_name());
    let update = update.key("pk", AttributeValue::S(author.partition()));
    let update = update.key("sk", AttributeValue::S("PROFILE".to_owned()));
    let update = update.update_expression("SET followersCount = :many");
    let update = update.expression_attribute_values(":many", AttributeValue::N(follows.to_string()));
    update.send().await.map(drop).context("the number of followers")
}

/// A fan-out finds that the author has become popular. What it has sent is sent here: the relay has no part in this.
async fn begin(world: &World, model: &Model, post: domain::ids::PostId) -> Result<()> {
    let app = lambda::app(world, world.clients())?;
    // No follower is in the table: the fan-out itself is another matter.
    let job = TimelineJob::FanOut { post, author: None, after: None, rounds: Default::default() };
    domain::feeds::timelines::work(&app, &Deadline::after_pages(1), job).await?;
    let rows = world.unwatched_dynamodb().scan().table_name(world.table_name()).send().await?;
    let outboxes = rows.items().iter().filter_map(|row| row.get("outbox")?.as_s().ok());
    let mut sent = 0;
    for text in outboxes.filter(|it| it.contains(r#""gather""#)) {
        let outbox: serde_json::Value = serde_json::from_str(text)?;
        for message in outbox["send"].as_array().into_iter().flatten() {
            let send = world.clients().sqs.send_message().queue_url(world.stack.queue_url("timeline"));
            send.message_body(message["body"].to_string()).send().await?;
            sent += 1;
        }
    }
    ensure!(sent > 0, "{} followers make nobody popular", model.follows);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn everybody_is_marked_and_the_author_is_merged() {
        let model = Model {
            follows: 6_000,
            speed: 1.0,
            read_millis: 5.0,
            write_millis: 8.0,
            cpu_millis: 0.0,
            partition_units: 1_000.0,
            concurrency: 5,
            batch_size: 5,
        };
        let outcome = run(&model).await.unwrap();
        assert!(outcome.is_merged && outcome.unmarked == 0, "{outcome:?}");
        assert_eq!(outcome.failed, 0, "a throttle fails no message: {outcome:?}");
        assert!(outcome.minutes > 5.9 / 60.0, "nobody passes the limit: {outcome:?}");
    }
}
