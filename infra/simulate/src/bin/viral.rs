//! `make simulate-viral`: prints how long a minute of a viral post's likes takes to be counted, and what becomes of its
//! replies meanwhile.

use anyhow::{Result, ensure};
use clap::Parser;
use simulate::viral::{Model, Replies, run};

/// The likes of a minute are counted within five.
const COUNTED_WITHIN_SECONDS: f64 = 300.0;

/// Counts the likes of one post with the like worker's own code.
#[derive(Parser)]
struct Arguments {
    /// Likes that wait.
    #[arg(long, default_value_t = 20_000)]
    likes: usize,
    /// The seconds are also computed for so many, at the same pace: 5,000 a second for a minute.
    #[arg(long, default_value_t = 300_000)]
    told: usize,
    /// `MaximumConcurrency` of the template.
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
    /// `BatchSize` of the template.
    #[arg(long, default_value_t = 970)]
    batch: usize,
    /// Milliseconds of a transaction.
    #[arg(long, default_value_t = 25)]
    transaction: u64,
    /// Milliseconds of any other call.
    #[arg(long, default_value_t = 8)]
    call: u64,
    /// Replies a second meanwhile.
    #[arg(long, default_value_t = 10)]
    replies: u32,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { likes, told, concurrency, batch, transaction, call, replies } = Arguments::parse();
    let (transaction_millis, call_millis) = (transaction, call);
    let model = Model { likes, concurrency, batch_size: batch, transaction_millis, call_millis, replies };
    let outcome = run(&model).await?;
    let pace = likes as f64 / outcome.seconds;
    println!("{likes} likes of one post: {:.0} seconds, {pace:.0} a second", outcome.seconds);
    let (transactions, conflicts, failed) = (outcome.transactions, outcome.conflicts, outcome.failed);
    println!("{transactions} transactions, {conflicts} conflicts, {failed} messages came again");
    let seconds = told as f64 / pace;
    println!("{told} likes at this pace: {seconds:.0} seconds");
    show(&outcome.replies);
    ensure!(seconds <= COUNTED_WITHIN_SECONDS, "the likes are not counted within five minutes");
    ensure!(outcome.replies.refused.is_empty(), "replies were refused: {:?}", outcome.replies.refused);
    Ok(())
}

fn show(Replies { written, refused }: &Replies) {
    let millis =
        |percent: usize| written.get(written.len() * percent / 100).map_or(0, |took| took.as_millis());
    println!("{} replies: 201, {} refused", written.len(), refused.len());
    println!("a reply took {} ms, of 100 one {} ms", millis(50), millis(99));
}
