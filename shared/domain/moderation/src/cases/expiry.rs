//! The end of evidence. 30 days after a decision, the evidence is erased. 30 days after a user deleted their account,
//! the undecided cases about the user are closed too.

use base::{Chore, Due, DuePage, UserId, due};
use platform::{App, Deadline, Error, Result, Row, Write};

use super::{Case, EvidenceEnd, Outcome, close::closing_writes, evidence, row};
use crate::{AnyPost, ReportStatus};

/// Sends a chore that processes the first page of expired evidence, if any.
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<EvidenceEnd, _>(app, Due::Evidence, Chore::EraseEvidence).await
}

/// Erases the expired evidence, page by page until the deadline.
pub async fn pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    due::pages(app, deadline, Due::Evidence, page, |end| erase(app, end), Chore::EraseEvidence).await
}

/// Erases the evidence. Keeps the evidence of a reopened case, unless the author deleted their account. Has no effect if
/// the case changes meanwhile.
async fn erase(app: &App, end: EvidenceEnd) -> Result<()> {
    let case: Option<Case> = app.table.get(&row::key(end.case)).await?;
    let mut writes = vec![Write::delete(end.key()).equals("at", end.at).into()];
    if let Some(case) = case {
        let case_writes = case_writes(app, &case).await?;
        let evidence = if case_writes.is_empty() { None } else { evidence::find(app, case.id()).await? };
        writes.extend(case_writes);
        writes.extend(evidence.map(|evidence| evidence.delete_writes(app)).unwrap_or_default());
    }
    match app.table.transact(writes).await {
        Err(Error::WriteConflict) => Ok(()),
        erased => erased,
    }
}

/// Returns the writes of a case whose evidence is erased. A deleted post can then no longer be restored, so its files
/// are released. If the author deleted their account, an undecided case is closed. Returns no writes if the evidence is
/// kept.
async fn case_writes(app: &App, case: &Case) -> Result<Vec<Write>> {
    if case.decision().is_some() {
        let case_write = Case { deleted_at: None, ..case.clone() }.replace_write(case);
        return Ok([case_write].into_iter().chain(release_write(app, case).await?).collect());
    }
    let outcome = || Outcome::new(ReportStatus::Resolved, Vec::new(), app.now());
    let is_closed = case.author == UserId::NONE;
    Ok(if is_closed { closing_writes(app, case, outcome(), None) } else { Vec::new() })
}

/// Returns the write that releases the files of a post that moderation deleted. Returns `None` if the post has no
/// files, or was not deleted by moderation.
async fn release_write(app: &App, case: &Case) -> Result<Option<Write>> {
    let Some(post) = case.post() else { return Ok(None) };
    let post = AnyPost::find(app, post).await?.filter(|post| case.has_deleted(post));
    Ok(post.and_then(|post| post.release_write(app)))
}
