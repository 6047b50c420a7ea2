//! Decides on appeals. A granted appeal shows the hidden post again, or lifts the ban.

use std::borrow::Cow;

use accounts::SanctionChange;
use base::{AppealId, CaseId, ReasonText, UserId};
use ledger::audit::{self, AuditAction};
use people::Administrator;
use platform::{App, Error, HOUR_SECONDS, Index, Result, Row, Write, retry_on_conflict};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Appeal, AppealStatus, key};
use crate::{
    any_post::AnyPost,
    author_decision::{self, AuthorDecision, ShownAction, notice_writes},
    ban, cases, statistics,
};

const DECIDED: Error = Error::Invalid(Cow::Borrowed("this appeal has already been decided"));
const OWN: &str = "you cannot decide on your own appeal";
const OWN_DECISION: &str =
    "you made the appealed decision. For 3 days after the appeal, only others can decide on the appeal.";
/// After an appeal, only other administrators can decide on it for this time. Then the administrator who made the
/// appealed decision can also decide, because there may be no other administrator.
const OTHERS_SECONDS: i64 = 72 * HOUR_SECONDS;

/// The action that an administrator takes on an appeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AppealAction {
    /// Keep the post hidden, or the user banned.
    Uphold,
    /// Show the post again, or lift the ban.
    Grant,
}

/// A decision on an appeal.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppealDecision {
    /// The action to take.
    pub action: AppealAction,
    /// The reason, visible only to administrators.
    pub admin_note: Option<ReasonText>,
}

/// An appeal, with the appealed decision and the post.
struct Context {
    appeal: Appeal,
    /// The appealed decision. `None` if the author was deleted, or if a later decision replaced the appealed decision.
    appealed: Option<AuthorDecision>,
    /// The post. `None` if it was deleted, or if the appeal is against a ban.
    post: Option<AnyPost>,
}

/// Decides on an appeal. Each appeal can be decided once. Changes the appeal, the post and the audit log in one
/// transaction, and notifies the user who appealed.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the appeal does not exist.
/// - Fails with [`Error::Invalid`] if the appeal was already decided.
/// - Fails with [`Error::Forbidden`] if the administrator wrote the appeal.
/// - Fails with [`Error::Forbidden`] if the administrator made the appealed decision, and 3 days have not passed since
///   the appeal.
/// - Fails with [`Error::Forbidden`] if a moderator decides on the appeal of an administrator, or on a ban.
/// - Fails with [`Error::Forbidden`] if the administrator reported the post.
pub async fn decide(
    app: &App,
    administrator: &Administrator,
    id: AppealId,
    decision: AppealDecision,
) -> Result<Appeal> {
    let (appeal, unbanned) = retry_on_conflict(async || {
        let context = Context::of(app, id).await?;
        context.check_may_decide(app, administrator.id)?;
        administrator.check_may_judge(app, context.appeal.user_id).await?;
        context.check_may_decide_ban(administrator)?;
        if let Some(case) = context.case() {
            cases::check_is_no_reporter(app, administrator.id, case).await?;
        }
        let after = decided(app, administrator.id, &context.appeal, &decision);
        let lifting = context.lift_writes(app, administrator, &after).await?;
        let unbanned = lifting.as_ref().map(|lifting| lifting.user.clone());
        let mut writes = context.decision_writes(app, &after);
        writes.extend(lifting.map(SanctionChange::into_writes).unwrap_or_default());
        writes.extend(context.case_writes(app, administrator.id, &after).await?);
        app.table.transact(writes).await?;
        Ok((after, unbanned))
    })
    .await?;
    if let Some(user) = unbanned {
        accounts::finish_sanction(app, administrator.id, &user).await?;
    }
    Ok(appeal)
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
        let appealed = author_decision::find(app, appeal.user_id, appeal.post_id);
        let (appealed, post) = futures::try_join!(appealed, AnyPost::find(app, appeal.post_id))?;
        Ok(Self {
            appealed: appealed
                .filter(|appealed| appealed.appeal.as_ref().is_some_and(|appeal| appeal.id == id)),
            post: post.filter(|post| !post.is_deleted()),
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

    /// Checks that the user is an administrator if the appeal is against a ban.
    fn check_may_decide_ban(&self, administrator: &Administrator) -> Result<()> {
        let is_ban = self.appealed.as_ref().is_some_and(|ban| ban.action == ShownAction::Banned);
        match is_ban && !administrator.is_admin() {
            true => Err(Error::Forbidden("only administrators can decide on an appeal against a ban".into())),
            false => Ok(()),
        }
    }

    /// Returns the case of the appealed decision. `None` if there is no such decision, or for a ban without a case.
    fn case(&self) -> Option<CaseId> {
        let appealed = self.appealed.as_ref()?;
        let is_ban = appealed.action == ShownAction::Banned;
        if is_ban { appealed.case } else { Some(cases::Case::id_for(appealed.post)) }
    }

    /// Returns the decision that the decided appeal `after` reverses, or `None` if the appeal is denied.
    fn reversed(&self, after: &Appeal) -> Option<&AuthorDecision> {
        let is_granted = after.status == AppealStatus::Granted;
        self.appealed.as_ref().filter(|appealed| is_granted && appealed.restored_at.is_none())
    }

    /// Returns the post to show again, and the decision that hid the post. Returns `None` if the decided appeal `after`
    /// is denied, or if the post was shown or deleted meanwhile.
    fn restored(&self, after: &Appeal) -> Option<(&AnyPost, &AuthorDecision)> {
        let restored = self.post.as_ref().zip(self.reversed(after));
        restored.filter(|(post, appealed)| post.is_hidden_by(appealed.decider))
    }

    /// Returns the ban to lift, or `None` if the decided appeal `after` is denied or not about a ban.
    fn lifted(&self, after: &Appeal) -> Option<&AuthorDecision> {
        self.reversed(after).filter(|reversed| reversed.action == ShownAction::Banned)
    }

    /// Returns the writes that lift the ban, or `None` if there is no ban to lift.
    async fn lift_writes(
        &self,
        app: &App,
        administrator: &Administrator,
        after: &Appeal,
    ) -> Result<Option<SanctionChange>> {
        let ban = self.lifted(after).and_then(|ban| Some((ban.user, ban.ban_at?)));
        match ban {
            Some(ban) => ban::lift_writes(app, administrator, ban, after.admin_note.as_ref()).await,
            None => Ok(None),
        }
    }

    /// Returns the writes that change the case. If the appeal against a hidden post is granted, they show the post and
    /// dismiss the case. Otherwise, they record the lifted ban or the denied appeal. The post does not change if it was
    /// shown, hidden again or deleted meanwhile.
    async fn case_writes(&self, app: &App, by: UserId, after: &Appeal) -> Result<Vec<Write>> {
        let note = after.admin_note.clone();
        match self.reversed(after) {
            Some(ban) if ban.action == ShownAction::Banned => {
                cases::lifted_writes(app, ban.case.zip(ban.ban_at), (by, note)).await
            }
            Some(hidden) => cases::dismissal_writes(app, (by, note), hidden.post, self.restored(after)).await,
            None => self.denial_writes(app, by, after).await,
        }
    }

    /// Returns the writes that record a denied appeal in the history of its case.
    async fn denial_writes(&self, app: &App, by: UserId, after: &Appeal) -> Result<Vec<Write>> {
        let case = self.case().filter(|_| after.status == AppealStatus::Upheld);
        cases::denied_appeal_writes(app, case, by, after.admin_note.clone()).await
    }

    /// Returns the writes that store the decided appeal `after`. If the appeal is granted, the writes also end the
    /// appealed decision.
    fn decision_writes(&self, app: &App, after: &Appeal) -> Vec<Write> {
        let (now, note) = (app.now(), after.admin_note.as_ref().map(ToString::to_string));
        let audit_write = audit::record_write(app, after.decided_by, after.audit_action(), after.id, note);
        let audit_write = match self.restored(after) {
            Some((post, _)) => post.then_republish(audit_write),
            None => audit_write,
        };
        let author_decision_write = self.appealed.as_ref().map(|appealed| {
            let write = appealed.appeal_write(after.id, after.status);
            if self.reversed(after).is_some() { write.set("restoredAt", now) } else { write }
        });
        let notices = self.appealed.as_ref().map(|appealed| notice_writes(app, appealed.user, appealed.post));
        let count_write = statistics::appeal_write(app, after.id.random(), after.status);
        let writes =
            [after.decision_write(), audit_write, count_write].into_iter().chain(author_decision_write);
        writes.chain(notices.into_iter().flatten()).collect()
    }
}

impl Appeal {
    /// Returns the write that stores the decision. Fails with a conflict if the appeal was decided meanwhile.
    fn decision_write(&self) -> Write {
        let write = Write::update(self.key()).set("status", self.status);
        let write = write.index_key(Index::Gsi1, Some(self.status_index_key()));
        let write = write.set_or_remove("adminNote", self.admin_note.as_ref());
        let write = write.set("decidedBy", self.decided_by).set("decidedAt", self.decided_at);
        write.equals("status", AppealStatus::Pending)
    }

    fn audit_action(&self) -> AuditAction {
        match self.status {
            AppealStatus::Granted => AuditAction::GrantAppeal,
            AppealStatus::Pending | AppealStatus::Upheld | AppealStatus::Closed => AuditAction::DenyAppeal,
        }
    }
}
