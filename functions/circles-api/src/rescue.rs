//! Saving a circle by CPR or karma.

use axum::{extract::State, http::header::CACHE_CONTROL, response::IntoResponse};
use domain::{
    circles::{
        self, SacrificeDraft, Sacrificed,
        cpr::{self, CprBegun, CprDraft, CprStatus},
    },
    ids::CircleId,
};
use platform::App;
use runtime::Result;
use runtime::{
    caller::Caller,
    http::{Create, Envelope, Path, Reply, Respond},
};

/// Begin a CPR
///
/// For the circle's OWNER and ADMINs, below 10 % of its HP. It makes a post. `targetComments` comments below the
/// post, 5 to 100, written within 24 hours and judged 6 or more, save the circle: it gets half of its HP, and 50 EXP.
/// Comments that are not judged yet when the 24 hours are over are waited for, an hour at most. The drain goes on
/// meanwhile. In an ISO week (UTC) a circle of level 1 has no CPR, of level 2 one, from level 3 on
/// two. 409 while one is active. It is published to members as `cpr:started` and `cpr:resolved`.
#[utoipa::path(post, path = "/circles/{publicId}/cpr", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["write:circles"])),
    params(("publicId" = CircleId, Path,)),
    request_body(content = CprDraft, example = json!({"targetComments": 5})),
    responses(
        (status = 201, body = Envelope<CprBegun>),
        (status = 409, description = "a CPR is under way already")))]
pub(crate) async fn begin_cpr(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    draft: Create<CprDraft>,
) -> Respond<CprBegun> {
    Ok(Reply::created(cpr::begin(&app, caller.id, circle, draft.body, &draft.once).await?))
}

/// Read the status of a circle's CPR
///
/// The status of the active CPR, else of the last. Never cached.
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
/// Members only. 1 karma gives 10 HP. A sacrifice gives at most 50 % of the circle's maximum, and takes only the
/// karma that is used. The giver may not write in the circle for 48 hours, and gets the circle's badge the first
/// time. 409 when the circle or the karma changed at the same moment: read both again, and repeat.
#[utoipa::path(post, path = "/circles/{publicId}/sacrifice", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["write:circles"])),
    params(("publicId" = CircleId, Path,)),
    request_body(content = SacrificeDraft, example = json!({"karmaAmount": 3})),
    responses(
        (status = 200, body = Envelope<Sacrificed>),
        (status = 409, description = "circle or karma changed at the same moment")))]
pub(crate) async fn sacrifice_karma(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    draft: Create<SacrificeDraft>,
) -> Respond<Sacrificed> {
    Ok(Reply::ok(circles::sacrifice(&app, caller.id, circle, draft.body, &draft.once).await?))
}
