//! Circles themselves.

use axum::extract::State;
use domain::{
    circles::{
        self, CircleDraft, CircleEdit, CircleView, DeletedCircle, DiscoverQuery, HandOver, MemberView,
    },
    ids::CircleId,
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Body, Create, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};
/// Create a circle
///
/// The caller becomes its OWNER. It begins with the 500 HP of level 1, and loses HP at every full hour. The limit is 3
/// circles a day.
#[utoipa::path(post, path = "/circles", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])),
    request_body(content = CircleDraft,
        example = json!({"name": "Night readers", "description": "One book a month, and what it did to us"})),
    responses((status = 201, body = Envelope<CircleView>)))]
pub(crate) async fn create_circle(
    State(app): State<App>,
    caller: Caller,
    draft: Create<CircleDraft>,
) -> Respond<CircleView> {
    Ok(Reply::created(circles::create_within_limit(&app, caller.id, draft.body, &draft.once).await?))
}

/// List the caller's circles
///
/// The newest first. A dead circle stays in the list until it is purged, 24 hours after its death.
#[utoipa::path(get, path = "/circles", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<CircleId>),
    responses((status = 200, body = ListEnvelope<CircleView>)))]
pub(crate) async fn list_circles(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<CircleId>>,
) -> RespondList<CircleView> {
    Ok(List(circles::list(&app, caller.id, cursor).await?))
}

/// Find circles
///
/// `new` has the newest circle first, `active` that in which somebody wrote last, `dying` those with less than 10 %
/// of their HP, the one that dies first first. A new circle is there at once; in which one somebody wrote is known
/// within an hour. `role` is null: nobody learns who is in which.
#[utoipa::path(get, path = "/circles/discover", tag = "circles", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(DiscoverQuery),
    responses((status = 200, body = ListEnvelope<CircleView>)))]
pub(crate) async fn discover_circles(
    State(app): State<App>,
    _: Option<Caller>,
    Query(query): Query<DiscoverQuery>,
) -> RespondList<CircleView> {
    Ok(List(circles::discover(&app, query).await?))
}

/// Read a circle
///
/// `role` is the caller's role in it; null without a token, and for a caller who is not a member. 404 once the
/// circle died.
#[utoipa::path(get, path = "/circles/{publicId}", tag = "circles", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<CircleView>)))]
pub(crate) async fn get_circle(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(circle): Path<CircleId>,
) -> Respond<CircleView> {
    Ok(Reply::ok(circles::view(&app, caller.map(|it| it.id), circle).await?))
}

/// Edit a circle
///
/// For its OWNER: `name`, `description`, or both; an empty description takes it away. Invitations keep the name that
/// they were written with. It is published to members as `circle:updated`.
#[utoipa::path(patch, path = "/circles/{publicId}", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    request_body(content = CircleEdit, example = json!({"name": "Late readers", "description": "Two books a month"})),
    responses((status = 200, body = Envelope<CircleView>)))]
pub(crate) async fn edit_circle(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Body(edit): Body<CircleEdit>,
) -> Respond<CircleView> {
    Ok(Reply::ok(circles::edit(&app, caller.id, circle, edit).await?))
}

/// Delete a circle
///
/// For its OWNER. It is a 404 from then on, and members hear `energy:changed` to the stage `Dead`. Its posts and
/// members are purged 24 hours later. It gets no stone in the museum, because it did not die; whoever gave it karma
/// keeps the badge.
#[utoipa::path(delete, path = "/circles/{publicId}", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<DeletedCircle>)))]
pub(crate) async fn delete_circle(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
) -> Respond<DeletedCircle> {
    Ok(Reply::ok(circles::delete(&app, caller.id, circle).await?))
}

/// Hand a circle over
///
/// For its OWNER, to another member: who becomes OWNER, and the caller ADMIN. Does what appointing an `OWNER` does.
/// When an owner deletes their account, the eldest ADMIN inherits, else the eldest member.
#[utoipa::path(post, path = "/circles/{publicId}/owner", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    request_body(content = HandOver, example = json!({"username": "bob"})),
    responses((status = 200, body = Envelope<MemberView>)))]
pub(crate) async fn hand_circle_over(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Body(to): Body<HandOver>,
) -> Respond<MemberView> {
    Ok(Reply::ok(circles::hand_over(&app, caller.id, circle, to).await?))
}
