//! `make simulate`: prints tables of the days and of the circles' survival by size.

use anyhow::Result;
use clap::Parser;
use simulate::{Scale, run, shares, table};

/// Simulates circles and checks the invariants after each day.
#[derive(Parser)]
struct Arguments {
    /// Seed of the random numbers. The same seed gives the same days.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Circles of each size.
    #[arg(long, default_value_t = 40)]
    circles: usize,
    /// Members of a circle at the beginning, as a list. Each size has its own circles.
    #[arg(long, value_delimiter = ',', default_values_t = [5, 20, 100])]
    sizes: Vec<usize>,
    /// Number of days.
    #[arg(long, default_value_t = 30)]
    days: usize,
    /// Failing calls to AWS, per 1,000.
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
