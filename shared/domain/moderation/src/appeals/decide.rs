//! Deciding on an appeal: the post stays hidden, or is shown again.

use std::borrow::Cow;

use base::{
    ids::{AppealId, UserId},
    reasons::ReasonText,
};
use ledger::audit::{self, AuditAction};
use people::users::Administrator;
use platform::{
    App,
    error::{Error, Result},
    retry_on_conflict,
    table::{Index, Row, Write},
    time::HOUR_SECONDS,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Appeal, AppealStatus, key};
use crate::{
    enforcement::{self, Enforcement, notice_writes},
    written::Written,
};

const DECIDED: Error = Error::Invalid(Cow::Borrowed("this appeal is decided already"));
const OWN: &str = "this appeal is yours";
const OWN_DECISION: &str =
    "you hid this post: somebody else decides within three days, and you only after that";
/// How long an appeal waits for somebody else than who hid the post. There may be nobody.
const OTHERS_SECONDS: i64 = 72 * HOUR_SECONDS;

/// What to do about an appeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AppealAction {
    /// Let the decision stand.
    Uphold,
    /// Show the post again.
    Grant,
}

/// A decision on an appeal.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppealDecision {
    /// What to do.
    pub action: AppealAction,
    /// The reason, for administrators.
    pub admin_note: Option<ReasonText>,
}

/// What a decision depends on.
struct Context {
    appeal: Appeal,
    /// None when its author left, or when it is about an earlier decision.
    enforcement: Option<Enforcement>,
    /// None when it was deleted.
    post: Option<Written>,
}

/// Decides on an appeal, once: changes the appeal, the post and the audit log in one transaction, and notifies the
/// author.
///
/// # Errors
/// [`Error::NotFound`] when there is no such appeal; [`Error::Invalid`] when it is decided; [`Error::Forbidden`] for
/// who made it, within three days for who hid the post, and for a moderator about an administrator's.
pub async fn decide(
    app: &App,
    administrator: &Administrator,
    id: AppealId,
    decision: AppealDecision,
) -> Result<Appeal> {
    retry_on_conflict(async || {
        let context = Context::of(app, id).await?;
        context.check_may_decide(app, administrator.id)?;
        administrator.check_may_judge(app, context.appeal.user_id).await?;
        let after = decided(app, administrator.id, &context.appeal, &decision);
        app.table.transact(context.decision_writes(app, &after)).await?;
        Ok(after)
    })
    .await
}

fn decided(app: &App, admin: UserId, appeal: &Appeal, decision: &AppealDecision) -> Appeal {
    let status = match decision.action {
        AppealAction::Uphold => AppealStatus::Upheld,
        AppealAction::Grant => AppealStatus::Granted,
    };
    Appeal {
        status,
        admin_note: decision.admin_note.clone(),
        decided_by: Some(admin),
        decided_at: Some(app.now()),
        ..appeal.clone()
    }
}

impl Context {
    async fn of(app: &App, id: AppealId) -> Result<Self> {
        let appeal: Appeal = app.table.get(&key(id)).await?.ok_or(Error::NotFound("appeal"))?;
        let enforcement = enforcement::find(app, appeal.user_id, appeal.post_id);
        let (enforcement, post) = futures::try_join!(enforcement, Written::find(app, appeal.post_id))?;
        Ok(Self {
            enforcement: enforcement.filter(|it| it.appeal.as_ref().is_some_and(|it| it.id == id)),
            post: post.filter(|it| !it.is_deleted()),
            appeal,
        })
    }

    fn check_may_decide(&self, app: &App, admin: UserId) -> Result<()> {
        let Appeal { user_id, hidden_by, created_at, status, .. } = self.appeal;
        let waits_for_others = app.now() < created_at.plus_seconds(OTHERS_SECONDS);
        match () {
            () if user_id == admin => Err(Error::Forbidden(OWN.into())),
            () if status != AppealStatus::Pending => Err(DECIDED),
            () if hidden_by == Some(admin) && waits_for_others => Err(Error::Forbidden(OWN_DECISION.into())),
            () => Ok(()),
        }
    }

    /// The post is shown again where the appeal is granted, and nobody else showed, hid or deleted it since.
    fn decision_writes(&self, app: &App, after: &Appeal) -> Vec<Write> {
        let (now, note) = (app.now(), after.admin_note.as_ref().map(ToString::to_string));
        let audit_write = audit::record_write(app, after.decided_by, after.deed(), after.id, note);
        let restored = self.post.as_ref().zip(self.enforcement.as_ref());
        let restored = restored.filter(|(post, it)| {
            after.status == AppealStatus::Granted && it.restored_at.is_none() && post.is_hidden()
        });
        let (audit_write, post_write) = match restored {
            Some((post, _)) => {
                (post.then_republish(audit_write), Some(post.hidden_write(false).set("moderatedAt", now)))
            }
            None => (audit_write, None),
        };
        let enforcement_write = self.enforcement.as_ref().map(|it| {
            let write = it.appeal_write(after.id, after.status);
            if restored.is_some() { write.set("restoredAt", now) } else { write }
        });
        let notices = self.enforcement.as_ref().map(|it| notice_writes(app, it.user, it.post));
        let writes =
            [after.decision_write(), audit_write].into_iter().chain(post_write).chain(enforcement_write);
        writes.chain(notices.into_iter().flatten()).collect()
    }
}

impl Appeal {
    /// Stores the decision. Stale when another was faster.
    fn decision_write(&self) -> Write {
        let write = Write::update(self.key()).set("status", self.status);
        let write = write.index_key(Index::Gsi1, Some(self.status_index_key()));
        let write = write.set_or_remove("adminNote", self.admin_note.as_ref());
        let write = write.set("decidedBy", self.decided_by).set("decidedAt", self.decided_at);
        write.equals("status", AppealStatus::Pending)
    }

    fn deed(&self) -> AuditAction {
        match self.status {
            AppealStatus::Granted => AuditAction::GrantAppeal,
            AppealStatus::Pending | AppealStatus::Upheld => AuditAction::DenyAppeal,
        }
    }
}
