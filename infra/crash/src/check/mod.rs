//! What must hold once nothing is under way any more.

mod reach;
mod texts;
mod ties;

use anyhow::{Context, Result};
use futures::{StreamExt, stream};
use serde_json::Value;

use crate::{api::Api, books::Books, crowd::Crowd, report::Finding};

const AT_ONCE: usize = 8;

/// Compares what was answered with what there is.
pub(crate) async fn all(api: &Api, crowd: &Crowd, books: &[Books]) -> Result<Vec<Finding>> {
    let mut findings = texts::all(api, crowd, books).await?;
    findings.extend(reach::all(api, crowd, books).await?);
    findings.extend(ties::all(api, crowd, books).await?);
    findings.push(dead_letters(api).await?);
    Ok(findings)
}

async fn dead_letters(api: &Api) -> Result<Finding> {
    let queues = api.get(None, "/_local/queues").await?;
    let queues = queues.as_array().context("no queues")?;
    // The relay's dead letters have no queue that they come from, so they are shown as one.
    let is_dead = |queue: &&Value| {
        queue["dead"] != 0 || (queue["name"] == "relay-dead-letters" && queue["visible"] != 0)
    };
    let dead = queues.iter().filter(is_dead).map(ToString::to_string);
    Ok(Finding { what: "no queue has dead letters", checked: queues.len(), wrong: dead.collect() })
}

/// Checks each, several at once; a check says what is wrong, if something is.
async fn each<T>(
    what: &'static str,
    all: impl IntoIterator<Item = T>,
    check: impl AsyncFn(T) -> Option<String>,
) -> Finding {
    let all: Vec<T> = all.into_iter().collect();
    let checked = all.len();
    let wrong = stream::iter(all).map(|it| check(it)).buffered(AT_ONCE).filter_map(async |wrong| wrong);
    Finding { what, checked, wrong: wrong.collect().await }
}
