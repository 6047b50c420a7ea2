//! Administrators decide on reports; their word is the last.

use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Row, Write},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{ReportId, UserId},
    ledger::{
        audit::{self, Deed},
        statistics::{self, Count},
    },
    moderation::reports::{self, Report, ReportStatus, TargetType},
    posts::{self, Post},
    reasons::ReasonText,
};

const TRIES: usize = 4;
const CHANGED: Error = Error::Conflict("the report was changed meanwhile");

/// What to do about a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecisionAction {
    /// Let it stand; what only the evaluation had hidden is shown again.
    Dismiss,
    /// Hide the post from lists.
    Hide,
    /// Delete the post.
    Delete,
}

/// A decision to be made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What to do.
    pub action: DecisionAction,
    /// Why.
    pub admin_note: Option<ReasonText>,
}

/// How a report stands now.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// Which.
    pub id: ReportId,
    /// What was decided.
    pub status: ReportStatus,
    /// Why.
    pub admin_note: Option<ReasonText>,
}

/// Decides on a report, or decides again: the report, the post and the log in one transaction. 4
/// calls, 2 RRU, up to 38 WRU; for a post of type POST 1 send. While proposed features are off it
/// does nothing.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] for hiding or deleting somebody.
pub async fn decide(app: &App, admin: UserId, id: ReportId, decision: Decision) -> Result<Decided> {
    if !*app.settings.proposed_features {
        return Ok(Decided { id, status: ReportStatus::Pending, admin_note: None });
    }
    for _ in 0..TRIES {
        let report = reports::find(app, id).await?;
        let post = reported_post(app, &report, decision.action).await?;
        let after = decided(app, admin, &report, &decision);
        let effect = post.as_ref().map(|it| effect(app, it, &report, decision.action)).unwrap_or_default();
        let note = decision.admin_note.as_ref().map(ToString::to_string);
        let record = audit::record(app, admin, decision.action.deed(), id, note);
        let pending = (report.status == ReportStatus::Pending)
            .then(|| statistics::count(id.random(), Count::ReportsPending, -1));
        let writes = [verdict(&report, &after), record].into_iter().chain(pending).chain(effect).collect();
        match app.table.transact(writes).await {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        }
        if let Some(post) = post {
            posts::republish(app, &post).await?;
        }
        return Ok(Decided { id, status: after.status, admin_note: after.admin_note });
    }
    Err(Error::internal(anyhow::anyhow!("a report kept changing while it was decided")))
}

/// The post that a report is about, as it is now; none when it is about somebody.
async fn reported_post(app: &App, report: &Report, action: DecisionAction) -> Result<Option<Post>> {
    match (report.target_type, action) {
        (TargetType::User, DecisionAction::Dismiss) => Ok(None),
        (TargetType::User, _) => {
            Err(Error::invalid("action", "must be dismiss for a person, who can be banned instead"))
        }
        _ => {
            let id = report.target_id.parse().map_err(Error::internal)?;
            app.table.get::<Post>(&posts::key(id)).await
        }
    }
}

fn decided(app: &App, admin: UserId, report: &Report, decision: &Decision) -> Report {
    Report {
        status: decision.action.status(),
        admin_note: decision.admin_note.clone(),
        decided_by: Some(admin),
        decided_at: Some(app.now()),
        ..report.clone()
    }
}

fn verdict(before: &Report, after: &Report) -> Write {
    let place = Key::new(reports::with_status(after.status), after.id.to_string());
    let write = Write::update(after.key()).set("status", after.status).index_key(Index::Gsi1, Some(place));
    let write = write.set_or_remove("adminNote", after.admin_note.as_ref());
    let write = write.set("decidedBy", after.decided_by).set("decidedAt", after.decided_at);
    write.equals("status", before.status).or(CHANGED)
}

/// What becomes of the post; nothing, when it is gone.
fn effect(app: &App, post: &Post, report: &Report, action: DecisionAction) -> Vec<Write> {
    if post.is_deleted {
        return Vec::new();
    }
    let now = app.now();
    let (post_write, other_writes) = match action {
        DecisionAction::Delete => (posts::delete_write(post, now), posts::uncount_writes(post, now)),
        DecisionAction::Hide => (posts::set_hidden_write(post, true), Vec::new()),
        DecisionAction::Dismiss => {
            (posts::set_hidden_write(post, post.is_hidden && !undone_by(post, report)), Vec::new())
        }
    };
    [post_write.set("moderatedAt", now)].into_iter().chain(other_writes).collect()
}

/// Whether dismissing a report shows the post again: when no administrator hid it, or this did.
fn undone_by(post: &Post, report: &Report) -> bool {
    post.moderated_at.is_none() || report.status == ReportStatus::Hidden
}

impl DecisionAction {
    fn status(self) -> ReportStatus {
        match self {
            Self::Dismiss => ReportStatus::Dismissed,
            Self::Hide => ReportStatus::Hidden,
            Self::Delete => ReportStatus::Deleted,
        }
    }

    fn deed(self) -> Deed {
        match self {
            Self::Dismiss => Deed::DismissReport,
            Self::Hide => Deed::HideReported,
            Self::Delete => Deed::DeleteReported,
        }
    }
}
