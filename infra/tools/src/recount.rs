//! Counters beside the rows that they count.

use std::collections::BTreeSet;

use anyhow::Result;
use domain::operations::recount::{Drift, Recount, fix_drift};
use indicatif::{ProgressBar, ProgressStyle};
use platform::App;

/// Compares the counters of posts and users, all or those of these ids, and mends those that drifted.
pub(crate) async fn recount(app: &App, ids: &[String]) -> Result<()> {
    let suspects = read(app, ids).await?;
    if suspects.is_empty() {
        println!("every counter says what is there");
        return Ok(());
    }
    // What only moved while it was read differs in another way now, or no more.
    let again = read(app, ids).await?;
    for drift in suspects.intersection(&again) {
        let Drift { counter, stored, actual, .. } = drift;
        let done = if fix_drift(app, drift).await? { "mended" } else { "moved meanwhile, left alone" };
        println!("{} {counter}: {stored}, where there are {actual}: {done}", drift.owner());
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
