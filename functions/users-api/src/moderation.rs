//! `/me/moderation`: what moderation did to the caller's posts, and appeals against it.

use axum::extract::State;
use domain::{
    ids::{Position, PostId, ReportId},
    moderation::{
        appeals::{self, AppealDraft, Appealed},
        enforcement::{self, EnforcementView},
        reports::{self, OwnReport},
    },
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Create, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// List what moderation did to the caller's posts
///
/// The newest decision first, one for each post: what was done, why, and whether the judge or an administrator did it;
/// neither which administrator nor who reported it. A notification `MODERATION` of the target `MODERATION_DECISION`
/// leads here; its `targetId` is the `id`.
#[utoipa::path(get, path = "/me/moderation", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<Position>),
    responses((status = 200, body = ListEnvelope<EnforcementView>)))]
pub(crate) async fn list_own_moderation(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<EnforcementView> {
    Ok(List(enforcement::list(&app, caller.id, cursor).await?))
}

/// Appeal against what was hidden
///
/// Once for each decision that hid a post; 400 after that, for a post that was deleted, and for one that is shown
/// again. The caller is notified when it is decided.
#[utoipa::path(post, path = "/me/moderation/{postId}/appeal", tag = "users",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["write:posts"])),
    params(("postId" = PostId, Path,)),
    request_body(content = AppealDraft, example = json!({"text": "I quoted the threat in order to report it."})),
    responses((status = 201, body = Envelope<Appealed>)))]
pub(crate) async fn appeal_moderation(
    State(app): State<App>,
    caller: Caller,
    Path(post): Path<PostId>,
    draft: Create<AppealDraft>,
) -> Respond<Appealed> {
    Ok(Reply::created(appeals::appeal(&app, caller.id, post, draft.body, &draft.once).await?))
}

/// List the caller's reports
///
/// The newest first, each with its outcome. A notification `MODERATION` of the target `REPORT` leads here; its `targetId` is
/// the `id`.
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
