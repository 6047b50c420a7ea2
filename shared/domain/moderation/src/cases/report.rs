//! Adds a report to the case of its target.

use platform::{App, Result, Write};

use super::{Case, CaseLink, Evidence, evidence, row::key};
use crate::{AnyPost, Report};

/// Returns the writes that add a new report to the case of its target. Opens a case if there is none, and reopens a
/// decided case. `is_doubtful` says whether the reporter's reports are mostly dismissed. The writes fail with a conflict
/// if the case changes meanwhile.
pub(crate) async fn report_writes(
    app: &App,
    report: &Report,
    post: &AnyPost,
    is_doubtful: bool,
) -> Result<Vec<Write>> {
    let link = CaseLink::of(report);
    let before: Option<Case> = app.table.get(&key(report.case_id())).await?;
    let Some(before) = before else {
        let case = Write::create(&Case::of(report, post.id(), is_doubtful));
        return Ok(vec![case, Write::put(&link), Write::put(&Evidence::of(report, post))]);
    };
    let after = before.with(report, post.id(), is_doubtful);
    let mut writes = vec![after.replace_write(&before), Write::put(&link)];
    if after.first_report == report.id {
        let earlier = evidence::find(app, after.id()).await?;
        writes.extend(Evidence::of(report, post).replacing_writes(app, earlier.as_ref()));
    }
    Ok(writes)
}

/// Returns the write that stores the judge's confidence for the post of a report.
pub(crate) fn confidence_write(report: &Report, confidence: f64) -> Write {
    Write::update(key(report.case_id())).set("confidence", confidence).exists()
}
