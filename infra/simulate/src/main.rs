//! `make simulate`: prints a table of the days, and a table of surviving circles by size.

use anyhow::Result;
use clap::Parser;
use simulate::{Scale, run, shares, table};

/// Simulates circles and checks the invariants after each day.
#[derive(Parser)]
struct Arguments {
    /// Seed of the random numbers. The same seed results in the same days.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of circles of each size.
    #[arg(long, default_value_t = 40)]
    circles: usize,
    /// Initial sizes of circles in members, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [5, 20, 100])]
    sizes: Vec<usize>,
    /// Number of days.
    #[arg(long, default_value_t = 30)]
    days: usize,
    /// Number of failing calls to AWS per 1,000 calls.
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
