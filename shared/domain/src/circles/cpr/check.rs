//! The end of a CPR that did not succeed.

use platform::{
    App,
    error::{Error, Result},
    queues::Job,
    settings::QueueUrls,
    table::Write,
};
use serde::{Deserialize, Serialize};

use super::{
    super::{Due, due},
    Cpr, MEANWHILE,
};
use crate::circles::CprResolved;

/// A message to the CPR check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum CprJob {
    /// It is time to look.
    Check,
    /// Some of those that are over.
    Page {
        /// Of which shard.
        shard: u8,
        /// The last one of the page before; none at first.
        after: Option<String>,
    },
}

/// Ends what is over and did not succeed, and tells; again changes nothing. A page: 25 of them, 2 calls, 4 WRU
/// and an event each.
///
/// # Errors
/// Internal: the message comes again.
pub async fn check(app: &App, job: CprJob) -> Result<()> {
    match job {
        CprJob::Check => {
            due::begin::<Cpr, _>(app, Due::Cpr, |shard| CprJob::Page { shard, after: None }).await
        }
        CprJob::Page { shard, after } => {
            let next = |after| CprJob::Page { shard, after: Some(after) };
            due::page(app, (Due::Cpr, shard), after, next, |it| fail(app, it)).await
        }
    }
}

async fn fail(app: &App, cpr: Cpr) -> Result<()> {
    let now = app.now();
    let failed = Cpr { resolved_at: Some(now), success: Some(false), unpublished: true, ..cpr.clone() };
    if !cpr.unpublished {
        match app.table.write(failed.step(&cpr)).await {
            // It succeeded, or another began.
            Err(Error::Conflict(_)) => return Ok(()),
            done => done?,
        }
    }
    let (circle_id, session_id, created_at) = (cpr.circle, cpr.id, cpr.resolved_at.unwrap_or(now));
    app.events.publish(&CprResolved { circle_id, session_id, success: false, created_at }).await?;
    match app.table.write(Cpr { unpublished: false, ..failed }.published()).await {
        Err(Error::Conflict(_)) => Ok(()),
        done => done,
    }
}

impl Cpr {
    /// The step by which its end is published; refused with a conflict when another began.
    fn published(&self) -> Write {
        Write::reindex(self).set("untold", false).equals("id", self.id).or(MEANWHILE)
    }
}

impl Job for CprJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.cpr_check, "CPR_CHECK_QUEUE_URL")
    }
}
