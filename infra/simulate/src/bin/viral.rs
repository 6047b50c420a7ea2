//! `make simulate-viral`: prints how long a minute of a viral post's likes takes to be counted.

use anyhow::Result;
use clap::Parser;
use simulate::viral::{Model, Outcome, run};

/// Counts the likes of one post with the like worker's own code.
#[derive(Parser)]
struct Arguments {
    /// Likes that wait.
    #[arg(long, default_value_t = 20_000)]
    likes: usize,
    /// The seconds are also told for so many, at the same pace: 5,000 a second for a minute.
    #[arg(long, default_value_t = 300_000)]
    told: usize,
    /// `MaximumConcurrency` of the template.
    #[arg(long, default_value_t = 4)]
    concurrency: usize,
    /// `BatchSize` of the template.
    #[arg(long, default_value_t = 1_000)]
    batch: usize,
    /// Milliseconds of a transaction.
    #[arg(long, default_value_t = 25)]
    transaction: u64,
    /// Milliseconds of any other call.
    #[arg(long, default_value_t = 8)]
    call: u64,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { likes, told, concurrency, batch, transaction, call } = Arguments::parse();
    let model =
        Model { likes, concurrency, batch_size: batch, transaction_millis: transaction, call_millis: call };
    let outcome = run(&model).await?;
    let pace = likes as f64 / outcome.seconds;
    println!("{likes} likes of one post: {:.0} seconds, {pace:.0} a second", outcome.seconds);
    let Outcome { transactions, conflicts, failed, .. } = outcome;
    println!("{transactions} transactions, {conflicts} conflicts, {failed} messages came again");
    println!("{told} likes at this pace: {:.0} seconds", told as f64 / pace);
    Ok(())
}
