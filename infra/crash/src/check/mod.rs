//! Checks of the data after all work is done.

mod delivery;
mod texts;
mod toggles;

use anyhow::{Context, Result};
use futures::{StreamExt, stream};
use serde_json::Value;

use crate::{api::Api, crowd::Crowd, journal::Journal, report::Finding};

const CONCURRENCY: usize = 8;

/// Compares the acknowledged writes with the data. Returns one result per check.
pub(crate) async fn all(api: &Api, crowd: &Crowd, journals: &[Journal]) -> Result<Vec<Finding>> {
    let mut findings = texts::all(api, crowd, journals).await?;
    findings.extend(delivery::all(api, crowd, journals).await?);
    findings.extend(toggles::all(api, crowd, journals).await?);
    findings.push(dead_letters(api).await?);
    Ok(findings)
}

async fn dead_letters(api: &Api) -> Result<Finding> {
    let queues = api.get(None, "/_local/queues").await?;
    let queues = queues.as_array().context("the list of queues is missing")?;
    // The relay's dead letters have no source queue, so their queue is listed like other queues.
    let is_dead = |queue: &&Value| {
        queue["dead"] != 0 || (queue["name"] == "relay-dead-letters" && queue["visible"] != 0)
    };
    let dead = queues.iter().filter(is_dead).map(ToString::to_string);
    Ok(Finding { rule: "no queue has dead letters", checked: queues.len(), problems: dead.collect() })
}

/// Runs `check` for each item, a few at a time. `check` returns an error text, or `None` if the item is correct.
async fn each<T>(
    rule: &'static str,
    all: impl IntoIterator<Item = T>,
    check: impl AsyncFn(T) -> Option<String>,
) -> Finding {
    let all: Vec<T> = all.into_iter().collect();
    let checked = all.len();
    let problems =
        stream::iter(all).map(|item| check(item)).buffered(CONCURRENCY).filter_map(async |problem| problem);
    Finding { rule, checked, problems: problems.collect().await }
}
