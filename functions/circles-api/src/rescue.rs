//! Saving a circle by a CPR, or by giving karma.

use axum::{extract::State, http::header::CACHE_CONTROL, response::IntoResponse};
use domain::{
    CircleId,
    circles::{
        self, SacrificeDraft, Sacrificed,
        cpr::{self, CprBegun, CprDraft, CprStatus},
    },
};
use platform::App;
use runtime::{Caller, Envelope, Input, Path, Reply, Respond, Result};

/// Start a CPR
///
/// Requires OWNER or ADMIN. The circle must have less than 10% of its maximum HP. Creates a post that members comment
/// on. `targetComments` is the number of comments that save the circle (5 to 100). A comment counts if it is written
/// within 24 hours and gets a score of at least 6. A comment that is deleted before the end does not count. A saved
/// circle gets 50 EXP. Its HP rise to half of the maximum of its new level. If comments have not been judged after 24
/// hours, the CPR continues for up to another hour. The hourly drain continues during the CPR.
///
/// A circle at level 1 cannot have a CPR. A circle at level 2 can have one CPR a week. A circle at level 3 or higher
/// can have two. Weeks are ISO weeks in UTC. A caller who gave karma within 48 hours can start a CPR, but cannot comment
/// on its post. Returns 409 if a CPR is active. Members get the events `cpr:started` and `cpr:resolved`.
#[utoipa::path(post, path = "/circles/{publicId}/cpr", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["write:circles"])),
    params(("publicId" = CircleId, Path,)),
    request_body(content = CprDraft, example = json!({"targetComments": 5})),
    responses(
        (status = 201, body = Envelope<CprBegun>),
        (status = 409, description = "`CONFLICT`: a CPR is active")))]
pub(crate) async fn begin_cpr(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    draft: Input<CprDraft>,
) -> Respond<CprBegun> {
    Ok(Reply::created(cpr::begin(&app, caller.id, circle, draft.body, &draft.once).await?))
}

/// Read the status of a circle's CPR
///
/// Returns the active CPR, or else the latest CPR. The response is never cached.
#[utoipa::path(get, path = "/circles/{publicId}/cpr/status", tag = "circles",
    extensions(("x-status" = json!("proposed"))), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<CprStatus>)))]
pub(crate) async fn get_cpr_status(
    State(app): State<App>,
    Path(circle): Path<CircleId>,
) -> Result<impl IntoResponse> {
    let status: CprStatus = cpr::status(&app, circle).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Reply::ok(status)))
}

/// Give karma to a circle
///
/// Members only. 1 karma gives 10 HP. The circle gains at most 50% of its maximum HP, and the caller pays only for HP
/// that the circle gains. For 48 hours, the caller cannot write posts or comments in the circle. Doing so returns 403
/// with the time at which the restriction ends. The caller can still start a CPR. The caller earns the circle's badge by
/// giving karma for the first time. Returns 409 if the circle or the karma changed during the request. Read both again,
/// and retry.
#[utoipa::path(post, path = "/circles/{publicId}/sacrifice", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["write:circles"])),
    params(("publicId" = CircleId, Path,)),
    request_body(content = SacrificeDraft, example = json!({"karmaAmount": 3})),
    responses(
        (status = 200, body = Envelope<Sacrificed>),
        (status = 409, description = "`CONFLICT`: the circle or the karma changed during the request")))]
pub(crate) async fn sacrifice_karma(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    draft: Input<SacrificeDraft>,
) -> Respond<Sacrificed> {
    Ok(Reply::ok(circles::sacrifice(&app, caller.id, circle, draft.body, &draft.once).await?))
}
