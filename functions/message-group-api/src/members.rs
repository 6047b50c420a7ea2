//! `/message-group/{publicId}/members`: who comes into a crowd, and who goes.

use axum::extract::State;
use domain::{
    conversations::{self, Departed, GroupMember, GroupView, Joined, MemberDraft},
    ids::{GroupId, UserId},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Create, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Leave a message group
///
/// A crowd only: 403 for a private group. The caller reads nothing of it any more; what they wrote stays. When its owner
/// leaves, the eldest member owns it; it ends with its last member.
#[utoipa::path(post, path = "/message-group/{publicId}/leave", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    responses((status = 200, body = Envelope<Departed>)))]
pub(crate) async fn leave_message_group(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
) -> Respond<Departed> {
    Ok(Reply::ok(conversations::leave(&app, caller.id, group).await?))
}

/// Add somebody to a crowd
///
/// Any member can. The new member reads what is written from then on. 200 for somebody who is a member already. Where a
/// block stands between them and any member it answers 403, which names nobody. A crowd has at most 98 members; a user adds
/// at most 100 people an hour.
#[utoipa::path(post, path = "/message-group/{publicId}/members", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = MemberDraft, example = json!({"username": "dan"})),
    responses((status = 201, body = Envelope<GroupView>),
        (status = 200, description = "They are a member already.", body = Envelope<GroupView>)))]
pub(crate) async fn add_message_group_member(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    draft: Create<MemberDraft>,
) -> Respond<GroupView> {
    Ok(match conversations::add(&app, caller.id, group, draft.body, &draft.once).await? {
        Joined::New(group) => Reply::created(group),
        Joined::Already(group) => Reply::ok(group),
    })
}

/// List the members of a message group
///
/// Members only, the oldest account first. In a crowd, people whom a block separates do not see each other.
#[utoipa::path(get, path = "/message-group/{publicId}/members", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(("publicId" = GroupId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<GroupMember>)))]
pub(crate) async fn list_message_group_members(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<GroupMember> {
    Ok(List(conversations::list_members(&app, caller.id, group, cursor).await?))
}

/// Remove a member from a crowd
///
/// Only its owner can, and nobody themselves. What the member wrote stays; they read nothing of the group any more.
#[utoipa::path(delete, path = "/message-group/{publicId}/members/{userId}", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    params(("publicId" = GroupId, Path,), ("userId" = UserId, Path,)),
    responses((status = 200, body = Envelope<Departed>)))]
pub(crate) async fn remove_message_group_member(
    State(app): State<App>,
    caller: Caller,
    Path((group, user)): Path<(GroupId, UserId)>,
) -> Respond<Departed> {
    Ok(Reply::ok(conversations::remove(&app, caller.id, group, user).await?))
}
