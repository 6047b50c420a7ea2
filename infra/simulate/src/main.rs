//! `make simulate`: prints a table of the days, and a table of surviving circles by size.

use anyhow::Result;
use clap::Parser;
use simulate::{Scale, run, shares, table};

#[tokio::main]
async fn main() -> Result<()> {
    let scale = Scale::parse();
    let days = run(&scale, |day| eprintln!("day {}: {} circles alive", day.number, day.alive)).await?;
    println!("{}", table(&days));
    println!("{}", shares(&days));
    Ok(())
}
