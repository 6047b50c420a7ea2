//! Creating, finding, editing and deleting circles.

use axum::extract::State;
use domain::{
    CircleId,
    circles::{
        self, CircleDraft, CircleEdit, CircleView, DeletedCircle, DiscoverQuery, HandOver, MemberView,
    },
};
use platform::{App, Cursor};
use runtime::{Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// Create a circle
///
/// The caller becomes the circle's OWNER. The circle starts at level 1 with 500 HP, and loses HP at every full hour. A
/// user can create 3 circles a day.
#[utoipa::path(post, path = "/circles", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])),
    request_body(content = CircleDraft,
        example = json!({"name": "Night readers", "description": "One book a month, and what it did to us"})),
    responses((status = 201, body = Envelope<CircleView>)))]
pub(crate) async fn create_circle(
    State(app): State<App>,
    caller: Caller,
    draft: Input<CircleDraft>,
) -> Respond<CircleView> {
    Ok(Reply::created(circles::create_within_limit(&app, caller.id, draft.body, &draft.once).await?))
}

/// List the caller's circles
///
/// Returns circles, newest first. A dead circle stays listed until it is purged, 24 hours after its death.
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

/// Discover circles
///
/// `new` lists the newest circles first. `active` lists the circle with the most recent post first. `dying` lists
/// circles with less than 10% of their maximum HP. The circle that will die next comes first. New circles are listed
/// immediately. The order of `active` may be up to an hour old. `role` is always null, to keep memberships private.
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
/// `role` is the caller's role in the circle. It is null without a token, and if the caller is not a member. Returns
/// 404 if the circle is dead.
#[utoipa::path(get, path = "/circles/{publicId}", tag = "circles", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<CircleView>)))]
pub(crate) async fn get_circle(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(circle): Path<CircleId>,
) -> Respond<CircleView> {
    Ok(Reply::ok(circles::view(&app, caller.map(|caller| caller.id), circle).await?))
}

/// Edit a circle
///
/// Owner only. The body has `name`, `description`, or both. An empty `description` removes the description. Existing
/// invitations keep the previous name. Members get the event `circle:updated`. An edit that changes
/// nothing has no effect.
#[utoipa::path(patch, path = "/circles/{publicId}", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    request_body(content = CircleEdit, example = json!({"name": "Late readers", "description": "Two books a month"})),
    responses((status = 200, body = Envelope<CircleView>)))]
pub(crate) async fn edit_circle(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { body: edit, .. }: Input<CircleEdit>,
) -> Respond<CircleView> {
    Ok(Reply::ok(circles::edit(&app, caller.id, circle, edit).await?))
}

/// Delete a circle
///
/// Owner only. The circle returns 404 immediately. Members get `energy:changed` with the stage `Dead`. Posts and
/// members are purged 24 hours later. The circle gets no stone in the museum, because it did not die. Users keep the
/// badges for karma that they gave to the circle.
#[utoipa::path(delete, path = "/circles/{publicId}", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<DeletedCircle>)))]
pub(crate) async fn delete_circle(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<DeletedCircle> {
    Ok(Reply::ok(circles::delete(&app, caller.id, circle, &once).await?))
}

/// Transfer a circle to another member
///
/// Owner only. The member becomes OWNER, and the caller becomes ADMIN. Changing the member's role to `OWNER` has the
/// same effect. Returns 400 if the member's account is banned or locked. If an owner leaves, deletes their account, or
/// is banned permanently, the longest-standing ADMIN becomes the owner, or else the longest-standing member. The new
/// owner is notified. An owner who was banned stays a MEMBER. A circle without members is closed.
#[utoipa::path(post, path = "/circles/{publicId}/owner", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    request_body(content = HandOver, example = json!({"username": "bob"})),
    responses((status = 200, body = Envelope<MemberView>)))]
pub(crate) async fn hand_circle_over(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { body: to, once }: Input<HandOver>,
) -> Respond<MemberView> {
    Ok(Reply::ok(circles::hand_over(&app, caller.id, circle, to, &once).await?))
}
