//! Corrects wrong counters, and rebuilds the search index. Both tasks read the whole table.

use std::collections::BTreeSet;

use anyhow::Result;
use domain::operations::{
    recount::{Drift, Recount, fix_drift},
    reindex,
};
use platform::App;

use crate::pages::read_all;

/// Corrects wrong counters of the posts and users in `ids`. Checks all posts and users if `ids` is empty.
pub(crate) async fn recount(app: &App, ids: &[String]) -> Result<()> {
    let suspects = read(app, ids).await?;
    if suspects.is_empty() {
        println!("all counters are correct");
        return Ok(());
    }
    // If a user changed a counter during the first read, the second read does not find the same difference.
    let confirmed = read(app, ids).await?;
    for drift in suspects.intersection(&confirmed) {
        let Drift { counter, stored, actual, .. } = drift;
        let result = if fix_drift(app, drift).await? {
            "corrected"
        } else {
            "skipped, because the counter changed meanwhile"
        };
        println!("{} {counter}: {stored} instead of {actual}, {result}", drift.owner());
    }
    Ok(())
}

async fn read(app: &App, ids: &[String]) -> Result<BTreeSet<Drift>> {
    let mut recount = Recount::of(ids.iter().cloned());
    read_all("rows", async |from| recount.read(app, from).await).await?;
    Ok(recount.drifts().into_iter().collect())
}

/// Rebuilds the search index of all posts and users.
pub(crate) async fn reindex(app: &App) -> Result<()> {
    let rows = read_all("rows", async |from| reindex::reindex(app, from).await).await?;
    println!("the search index is current ({rows} rows were read)");
    Ok(())
}
