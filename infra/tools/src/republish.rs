//! Delivers the outbox records of a period again.

use anyhow::Result;
use clap::Args;
use domain::operations::republish::{Window, republish};
use indicatif::{ProgressBar, ProgressStyle};
use platform::{App, time::Time};

/// Period in which the outbox records were written.
#[derive(Args)]
pub(crate) struct When {
    /// Start of the period, for example 2026-01-31T09:30:00Z.
    #[arg(long)]
    since: Time,
    /// End of the period. The default is now.
    #[arg(long)]
    until: Option<Time>,
}

/// Reads the whole table, and delivers the period's outbox records again.
pub(crate) async fn run(app: &App, When { since, until }: When) -> Result<()> {
    let window = Window { since, until: until.unwrap_or(app.now()) };
    let bar = ProgressBar::no_length();
    let bar = bar.with_style(ProgressStyle::with_template("{spinner} {pos} writes, {per_sec}")?);
    let mut from = None;
    loop {
        let (found, next) = republish(app, window, from).await?;
        bar.inc(found as u64);
        match next {
            Some(_) => from = next,
            None => break,
        }
    }
    bar.finish_and_clear();
    println!("delivered the outbox records of {} writes again", bar.position());
    Ok(())
}
