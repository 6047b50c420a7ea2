//! `make simulate-viral`: prints the time to count a viral post's likes, and the duration of replies during the count.

use anyhow::{Result, ensure};
use clap::Parser;
use simulate::viral::{Model, Replies, run};

/// Maximum time to count the extrapolated number of likes.
const COUNTING_MAX_SECONDS: f64 = 300.0;

/// Counts the likes of one post with the product's code.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    model: Model,
    /// Number of likes to extrapolate the time for. The default is 5,000 per second for a minute.
    #[arg(long, default_value_t = 300_000)]
    extrapolated: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { model, extrapolated } = Arguments::parse();
    let (likes, outcome) = (model.likes, run(&model).await?);
    let rate = likes as f64 / outcome.seconds;
    println!("{likes} likes on one post: {:.0} seconds, {rate:.0} per second", outcome.seconds);
    let (transactions, conflicts, failed) = (outcome.transactions, outcome.conflicts, outcome.failed);
    println!("{transactions} transactions, {conflicts} conflicts, {failed} retried messages");
    let seconds = extrapolated as f64 / rate;
    println!("{extrapolated} likes at this rate: {seconds:.0} seconds");
    print_replies(&outcome.replies);
    ensure!(seconds <= COUNTING_MAX_SECONDS, "counting the likes takes more than five minutes");
    ensure!(outcome.replies.failed.is_empty(), "replies failed: {:?}", outcome.replies.failed);
    Ok(())
}

fn print_replies(Replies { written, failed }: &Replies) {
    let millis =
        |percent: usize| written.get(written.len() * percent / 100).map_or(0, |took| took.as_millis());
    println!("{} replies created, {} failed", written.len(), failed.len());
    println!("time of a reply: median {} ms, 99th percentile {} ms", millis(50), millis(99));
}
