//! `/me/moderation` and `/me/reports`: moderation decisions about the caller, appeals, and the caller's reports.

use axum::extract::State;
use domain::{
    Position, PostId, ReportId,
    moderation::{
        appeals::{self, AppealDraft, Appealed},
        author_decision::{self, AuthorDecisionView},
        ban,
        reports::{self, OwnReport},
    },
};
use platform::{App, Cursor};
use runtime::{
    Appellant, Caller, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList,
};

/// List moderation decisions about the caller
///
/// Returns one decision for each post, newest decision first. The `id` of a decision about the caller is the caller's
/// public ID. A decision has its `measures`, the reason, and whether the judge, an administrator or a user decided. The
/// response does not name the administrator or the reporter. A notification about a decision has the type `MODERATION`,
/// the target type `MODERATION_DECISION`, and the decision's `id` as `targetId`.
///
/// A banned user can use this operation with the token from the header `x-appeal-token` of the refused sign-in.
#[utoipa::path(get, path = "/me/moderation", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<Position>),
    responses((status = 200, body = ListEnvelope<AuthorDecisionView>)))]
pub(crate) async fn list_own_moderation(
    State(app): State<App>,
    Appellant { id, is_banned }: Appellant,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<AuthorDecisionView> {
    Ok(List(match is_banned {
        true => ban::list(&app, id, cursor).await?,
        false => author_decision::list(&app, id, cursor).await?,
    }))
}

/// Appeal a decision that hid a post, or a ban
///
/// Each decision that hid a post can be appealed once. A second appeal returns 400, and so does an appeal for a post that
/// is deleted or visible again. The caller is notified of the outcome.
///
/// A banned user appeals the ban with their public ID as `postId`, and with the token from the header `x-appeal-token`
/// of the refused sign-in. Each ban can be appealed once. Granting the appeal lifts the ban.
#[utoipa::path(post, path = "/me/moderation/{postId}/appeal", tag = "users",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["write:posts"])),
    params(("postId" = PostId, Path,)),
    request_body(content = AppealDraft, example = json!({"text": "I quoted the threat in order to report it."})),
    responses((status = 201, body = Envelope<Appealed>)))]
pub(crate) async fn appeal_moderation(
    State(app): State<App>,
    Appellant { id, .. }: Appellant,
    Path(post): Path<PostId>,
    draft: Input<AppealDraft>,
) -> Respond<Appealed> {
    Ok(Reply::created(appeals::appeal(&app, id, post, draft.body, &draft.once).await?))
}

/// List the caller's reports
///
/// Returns reports with their outcomes, newest first. Notifications of type `MODERATION` and target type `REPORT` have
/// the report's `id` as `targetId`.
#[utoipa::path(get, path = "/me/reports", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<ReportId>),
    responses((status = 200, body = ListEnvelope<OwnReport>)))]
pub(crate) async fn list_own_reports(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<ReportId>>,
) -> RespondList<OwnReport> {
    Ok(List(reports::own(&app, caller.id, cursor).await?))
}
