//! Compares counters with the counted rows, and corrects wrong counters.

use std::collections::BTreeSet;

use anyhow::Result;
use domain::operations::recount::{Drift, Recount, fix_drift};
use indicatif::{ProgressBar, ProgressStyle};
use platform::App;

/// Corrects wrong counters of the posts and users in `ids`. Checks all posts and users if `ids` is empty.
pub(crate) async fn recount(app: &App, ids: &[String]) -> Result<()> {
    let suspects = read(app, ids).await?;
    if suspects.is_empty() {
        println!("all counters are correct");
        return Ok(());
    }
    // If a counter only changed during the first read, it does not have the same difference in the second read.
    let confirmed = read(app, ids).await?;
    for drift in suspects.intersection(&confirmed) {
        let Drift { counter, stored, actual, .. } = drift;
        let result = if fix_drift(app, drift).await? { "corrected" } else { "skipped, because it changed" };
        println!("{} {counter}: {stored} instead of {actual}, {result}", drift.owner());
    }
    Ok(())
}

async fn read(app: &App, ids: &[String]) -> Result<BTreeSet<Drift>> {
    let mut recount = Recount::of(ids.iter().cloned());
    let style = ProgressStyle::with_template("{spinner} {pos} rows, {per_sec}")?;
    let bar = ProgressBar::no_length().with_style(style);
    let mut from = None;
    loop {
        let (rows, next) = recount.read(app, from).await?;
        bar.inc(rows as u64);
        match next {
            Some(_) => from = next,
            None => break,
        }
    }
    bar.finish_and_clear();
    Ok(recount.drifts().into_iter().collect())
}
