//! `/message-group/{publicId}/members`: joining and leaving crowds.

use axum::extract::State;
use domain::{
    GroupId, UserId,
    conversations::{self, Departed, GroupMember, GroupView, MemberDraft},
    people::UserRef,
};
use platform::{App, Cursor};
use runtime::{
    Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList, UserCursor,
};

/// Leave a crowd
///
/// Returns 403 for a private group. The caller can no longer read the group. The caller's messages stay. If the owner
/// leaves, the longest-standing member becomes the owner. A crowd is deleted when its last member leaves.
#[utoipa::path(post, path = "/message-group/{publicId}/leave", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    responses((status = 200, body = Envelope<Departed>)))]
pub(crate) async fn leave_message_group(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Departed> {
    Ok(Reply::ok(conversations::leave(&app, caller.id, group, &once).await?))
}

/// Add a member to a crowd
///
/// Any member can add users. The new member can read only later messages. Returns 200 if the user is already a member.
/// Returns 403 if a block exists between the user and a member, but does not name the member. A crowd can have at most
/// 98 members. A user can add 100 members an hour.
#[utoipa::path(post, path = "/message-group/{publicId}/members", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = MemberDraft, example = json!({"username": "dan"})),
    responses((status = 201, body = Envelope<GroupView>),
        (status = 200, description = "The user is already a member", body = Envelope<GroupView>)))]
pub(crate) async fn add_message_group_member(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    draft: Input<MemberDraft>,
) -> Respond<GroupView> {
    let joined = conversations::add(&app, caller.id, group, draft.body, &draft.once).await?;
    Ok(if joined.is_earlier { Reply::ok(joined.group) } else { Reply::created(joined.group) })
}

/// List the members of a message group
///
/// Members only. Returns members, oldest account first. Two members of a crowd do not see each other if a block exists
/// between them.
#[utoipa::path(get, path = "/message-group/{publicId}/members", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(("publicId" = GroupId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<GroupMember>)))]
pub(crate) async fn list_message_group_members(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    UserCursor(cursor): UserCursor,
) -> RespondList<GroupMember> {
    Ok(List(conversations::list_members(&app, caller.id, group, cursor).await?))
}

/// Remove a member from a crowd
///
/// Owner only. The owner cannot remove themselves. The removed member can no longer read the group. Their messages
/// stay.
#[utoipa::path(delete, path = "/message-group/{publicId}/members/{userId}", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    params(("publicId" = GroupId, Path,), ("userId" = UserRef, Path,)),
    responses((status = 200, body = Envelope<Departed>)))]
pub(crate) async fn remove_message_group_member(
    State(app): State<App>,
    caller: Caller,
    Path((group, user)): Path<(GroupId, UserId)>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Departed> {
    Ok(Reply::ok(conversations::remove(&app, caller.id, group, user, &once).await?))
}
