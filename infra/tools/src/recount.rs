//! Tasks that read the whole table: corrects wrong counters, and rebuilds the search index.

use std::collections::BTreeSet;

use anyhow::Result;
use domain::operations::{
    recount::{Drift, Recount, fix_drift},
    reindex,
};
use indicatif::{ProgressBar, ProgressStyle};
use platform::{App, table::Next};

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
    read_all(async |from| Ok(recount.read(app, from).await?)).await?;
    Ok(recount.drifts().into_iter().collect())
}

/// Indexes all posts and users for searches again.
pub(crate) async fn reindex(app: &App) -> Result<()> {
    let rows = read_all(async |from| Ok(reindex::reindex(app, from).await?)).await?;
    println!("the search index is current ({rows} rows were read)");
    Ok(())
}

/// Shows the progress while `page` reads all pages of the table. Returns the number of rows.
async fn read_all(mut page: impl AsyncFnMut(Option<Next>) -> Result<(usize, Option<Next>)>) -> Result<u64> {
    let style = ProgressStyle::with_template("{spinner} {pos} rows, {per_sec}")?;
    let bar = ProgressBar::no_length().with_style(style);
    let mut from = None;
    loop {
        let (rows, next) = page(from).await?;
        bar.inc(rows as u64);
        match next {
            Some(_) => from = next,
            None => break,
        }
    }
    bar.finish_and_clear();
    Ok(bar.position())
}
