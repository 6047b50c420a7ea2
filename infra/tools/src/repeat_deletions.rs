//! Repeats account deletions after a restore of the table.

use anyhow::Result;
use clap::Args;
use domain::deletion::repeat_deletions;
use platform::{App, time::Time};

/// The deletions to repeat.
#[derive(Args)]
pub(crate) struct Since {
    /// Time of the backup, for example 2026-01-31T09:30:00Z.
    #[arg(long)]
    since: Time,
}

/// Repeats the account deletions since the backup.
pub(crate) async fn run(app: &App, Since { since }: Since) -> Result<()> {
    let sum = repeat_deletions(app, since).await?;
    println!("repeated {sum} account deletions");
    Ok(())
}
