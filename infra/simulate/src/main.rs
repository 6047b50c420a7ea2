//! `make simulate`: prints a table of the days and one of the circles' sizes.

use anyhow::Result;
use clap::Parser;
use simulate::{Scale, run, shares, table};

/// Lets circles live for a while, and checks the invariants at the end of each day.
#[derive(Parser)]
struct Arguments {
    /// What it is seeded with: the same seed, the same days.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Circles of each size.
    #[arg(long, default_value_t = 40)]
    circles: usize,
    /// The sizes: members that a circle begins with.
    #[arg(long, value_delimiter = ',', default_values_t = [5, 20, 100])]
    sizes: Vec<usize>,
    /// Days.
    #[arg(long, default_value_t = 30)]
    days: usize,
    /// Of 1,000 calls to AWS, so many go wrong.
    #[arg(long, default_value_t = 2)]
    faults: u32,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { seed, circles, sizes, days, faults } = Arguments::parse();
    let scale = Scale { seed, circles, sizes, days, faults };
    let days = run(&scale, |day| eprintln!("day {}: {} circles alive", day.number, day.alive)).await?;
    println!("{}", table(&days));
    println!("{}", shares(&days));
    Ok(())
}
