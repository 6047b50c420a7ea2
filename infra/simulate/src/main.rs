//! `make simulate`: prints a table of the days, and writes a plot of them.

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use simulate::{Scale, plot, run, table};

/// Lets circles live for a while, and checks the invariants at the end of each day.
#[derive(Parser)]
struct Arguments {
    /// What it is seeded with: the same seed, the same days.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Circles.
    #[arg(long, default_value_t = 1000)]
    circles: usize,
    /// People, each in one circle.
    #[arg(long, default_value_t = 5000)]
    members: usize,
    /// Days.
    #[arg(long, default_value_t = 30)]
    days: usize,
    /// Hours that go by at a time: what was missed is caught up. A divisor of 24.
    #[arg(long, default_value_t = 6)]
    step: usize,
    /// Of 1,000 calls to AWS, so many go wrong.
    #[arg(long, default_value_t = 2)]
    faults: u32,
    /// Where the plot goes.
    #[arg(long, default_value = "target/circles.svg")]
    plot: PathBuf,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { seed, circles, members, days, step, faults, plot } = Arguments::parse();
    let scale = Scale { seed, circles, members, days, step, faults };
    let days = run(&scale, |day| eprintln!("day {}: {} circles alive", day.number, day.alive)).await?;
    println!("{}", table(&days));
    plot::draw(&days, &plot)?;
    println!("{}", plot.display());
    Ok(())
}
