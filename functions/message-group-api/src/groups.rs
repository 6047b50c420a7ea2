//! `/message-group`: creating, listing, changing, reading and muting message groups.

use axum::extract::State;
use domain::{
    GroupId, Position,
    conversations::{
        self, Conversation, GroupChange, GroupDraft, GroupMuteRequest, GroupMuted, GroupView, ReadMark,
        ReadRequest,
    },
};
use platform::{App, Cursor};
use runtime::{Caller, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// Create a message group
///
/// The caller becomes a member. Unknown usernames are ignored. A private group has exactly two members. If the two
/// users already have a private group, returns 200 with that group. A crowd is a group of 3 to 98 members. A crowd can
/// have a `name`. Returns 403 if a block exists between two members. The error names neither member.
#[utoipa::path(post, path = "/message-group", tag = "message-group", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    request_body(content = GroupDraft, example = json!({"type": "PRIVATE", "members": ["bob"]})),
    responses((status = 201, body = Envelope<GroupView>), (status = 200, description = "The existing private group of the two users", body = Envelope<GroupView>)))]
pub(crate) async fn create_message_group(
    State(app): State<App>,
    caller: Caller,
    draft: Input<GroupDraft>,
) -> Respond<GroupView> {
    let opened = conversations::create(&app, caller.id, draft.body, &draft.once).await?;
    Ok(if opened.is_earlier { Reply::ok(opened.group) } else { Reply::created(opened.group) })
}

/// List the caller's message groups
///
/// The group with the newest message comes first. `unreadCount` is the number of other members' messages after the
/// caller's read mark. Two members of a crowd do not see each other if a block exists between them.
#[utoipa::path(get, path = "/message-group", tag = "message-group", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<Position>),
    responses((status = 200, body = ListEnvelope<Conversation>)))]
pub(crate) async fn list_message_groups(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<Conversation> {
    Ok(List(conversations::list(&app, caller.id, cursor).await?))
}

/// Read a message group
///
/// Members only. Returns the group with all its members. Two members of a crowd do not see each other if a block exists
/// between them.
#[utoipa::path(get, path = "/message-group/{publicId}", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(("publicId" = GroupId, Path,)),
    responses((status = 200, body = Envelope<Conversation>)))]
pub(crate) async fn get_message_group(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
) -> Respond<Conversation> {
    Ok(Reply::ok(conversations::find(&app, caller.id, group).await?))
}

/// Mark a message group as read
///
/// Marks messages up to `lastSeenMessageId` as read. Without a body, marks all messages. The read mark never moves
/// back.
#[utoipa::path(patch, path = "/message-group/{publicId}/read", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = Option<ReadRequest>, example = json!({"lastSeenMessageId": "01KGB5T9G0A1B2C3D4E5F6G7H8"})),
    responses((status = 200, body = Envelope<ReadMark>)))]
pub(crate) async fn mark_message_group_read(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Input { body, .. }: Input<Option<ReadRequest>>,
) -> Respond<ReadMark> {
    Ok(Reply::ok(conversations::mark_read(&app, caller.id, group, body.unwrap_or_default()).await?))
}

/// Change the name or the picture of a crowd
///
/// Any member can change the name and the picture. `null` clears a field. The picture is a URL, as in a profile. An
/// upload of the caller is not deleted while it is the picture of a crowd. A field that already has the value is not
/// changed. Returns 403 for a private group.
#[utoipa::path(patch, path = "/message-group/{publicId}", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = GroupChange, example = json!({"name": "Sunday runners"})),
    responses((status = 200, body = Envelope<GroupView>)))]
pub(crate) async fn change_message_group(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Input { body: request, .. }: Input<GroupChange>,
) -> Respond<GroupView> {
    Ok(Reply::ok(conversations::change(&app, caller.id, group, request).await?))
}

/// Mute or unmute a message group
///
/// Without a body, the mute is toggled. The caller gets no new notifications about messages in a muted group. The
/// messages still count as unread, and are still pushed to realtime connections.
#[utoipa::path(post, path = "/message-group/{publicId}/mute", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = Option<GroupMuteRequest>, example = json!({"isMuted": true})),
    responses((status = 200, body = Envelope<GroupMuted>)))]
pub(crate) async fn mute_message_group(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Input { body, once }: Input<Option<GroupMuteRequest>>,
) -> Respond<GroupMuted> {
    Ok(Reply::ok(conversations::mute(&app, caller.id, group, body.unwrap_or_default(), &once).await?))
}
