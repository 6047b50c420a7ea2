//! `make simulate-fame`: prints how long a post takes to 5,000 followers, and how long the marking of an author's follows takes, and what it waits for.

use anyhow::Result;
use clap::Parser;
use simulate::fame::{Model, fan_out, run};

/// Lets an author become popular, and marks the follows with the timeline worker's own code.
#[derive(Parser)]
struct Arguments {
    /// Followers of the author.
    #[arg(long, default_value_t = 60_000)]
    follows: usize,
    /// The minutes are also told for so many followers, at the same pace.
    #[arg(long, default_value_t = 2_000_000)]
    told: usize,
    /// Followers of an author who is not popular: the most that FANOUT_MAX_FOLLOWERS lets a post be brought to.
    #[arg(long, default_value_t = 5_000)]
    few: usize,
    /// How much faster than real it runs. A machine that is too slow for it shows as fewer marks a second.
    #[arg(long, default_value_t = 0.5)]
    speed: f64,
    /// Milliseconds of a read.
    #[arg(long, default_value_t = 5.0)]
    read: f64,
    /// Milliseconds of a write.
    #[arg(long, default_value_t = 8.0)]
    write: f64,
    /// Milliseconds of a function's processor that a call takes: 0.25 of a whole one, of which 256 MB have a seventh.
    #[arg(long, default_value_t = 1.7)]
    cpu: f64,
    /// Write units a second of a partition of an index.
    #[arg(long, default_value_t = 1_000.0)]
    partition: f64,
    /// `MaximumConcurrency` of the template.
    #[arg(long, default_value_t = 20)]
    concurrency: usize,
    /// `BatchSize` of the template.
    #[arg(long, default_value_t = 5)]
    batch: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { follows, told, few, speed, read, write, cpu, partition, concurrency, batch } =
        Arguments::parse();
    let model = Model {
        follows,
        speed,
        read_millis: read,
        write_millis: write,
        cpu_millis: cpu,
        partition_units: partition,
        concurrency,
        batch_size: batch,
    };
    let (seconds, counts) = fan_out(&Model { follows: few, ..model.clone() }).await?;
    println!(
        "a post to {few} followers: {seconds:.1} seconds, {} calls, {:.0} WRU",
        counts.calls, counts.wru
    );
    let outcome = run(&model).await?;
    let (counts, [done, failed]) = (&outcome.counts, [outcome.messages, outcome.failed]);
    let times = told as f64 / follows as f64;
    println!(
        "{follows} follows: {:.1} minutes, {} marks, {} unmarked",
        outcome.minutes, counts.marks, outcome.unmarked
    );
    println!("the author is merged: {}", outcome.is_merged);
    println!("{} calls, {} throttled; {done} messages done, {failed} failed", counts.calls, counts.throttles);
    println!("{:.0} RRU, {:.0} WRU: {:.2} dollars", counts.rru, counts.wru, counts.dollars());
    println!(
        "{:.0} marks a second: {} binds",
        counts.marks as f64 / outcome.minutes / 60.0,
        outcome.binds(&model)
    );
    println!(
        "{told} follows at this pace: {:.0} minutes, {:.2} dollars",
        outcome.minutes * times,
        counts.dollars() * times
    );
    Ok(())
}
