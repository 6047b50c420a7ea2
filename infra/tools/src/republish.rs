//! Redelivers the outboxes of a period.

use anyhow::Result;
use clap::Args;
use domain::operations::republish::{Window, republish};
use platform::{App, time::Time};

use crate::pages::read_all;

/// Period in which the outboxes were written.
#[derive(Args)]
pub(crate) struct When {
    /// Start of the period, for example 2026-01-31T09:30:00Z.
    #[arg(long)]
    since: Time,
    /// End of the period. The default is now.
    #[arg(long)]
    until: Option<Time>,
}

/// Reads the whole table, and redelivers the outboxes of the period.
pub(crate) async fn run(app: &App, When { since, until }: When) -> Result<()> {
    let window = Window { since, until: until.unwrap_or(app.now()) };
    let writes = read_all("writes", async |from| republish(app, window, from).await).await?;
    println!("redelivered the outboxes of {writes} writes");
    Ok(())
}
