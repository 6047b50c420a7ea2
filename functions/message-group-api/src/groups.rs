//! `/message-group`: creating a group, changing, reading and muting it, and listing groups.

use axum::extract::State;
use domain::{
    conversations::{
        self, Conversation, GroupChange, GroupDraft, GroupMuteRequest, GroupMuted, GroupView, Opened,
        ReadMark, ReadRequest,
    },
    ids::{GroupId, Position},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{
        Body, Create, Envelope, List, ListEnvelope, OptionalBody, Path, Query, Reply, Respond, RespondList,
    },
};

/// Create a message group
///
/// The caller is added; a username that nobody has is left out. A private group has exactly two members. When
/// the two already have one, it answers 200 with that group. A crowd has 3 to 98 members. Where any of them blocks
/// another it answers 403, which names nobody.
#[utoipa::path(post, path = "/message-group", tag = "message-group", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:messages"])),
    request_body(content = GroupDraft, example = json!({"type": "PRIVATE", "members": ["bob"]})),
    responses((status = 201, body = Envelope<GroupView>), (status = 200, description = "The two have a group already: this one.", body = Envelope<GroupView>)))]
pub(crate) async fn create_message_group(
    State(app): State<App>,
    caller: Caller,
    draft: Create<GroupDraft>,
) -> Respond<GroupView> {
    Ok(match conversations::create(&app, caller.id, draft.body, &draft.once).await? {
        Opened::New(group) => Reply::created(group),
        Opened::Existing(group) => Reply::ok(group),
    })
}

/// List the caller's message groups
///
/// Newest message first. `unreadCount` counts the messages of others since the caller's read mark. In a crowd, people
/// whom a block separates do not see each other.
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

/// Mark a message group as read
///
/// Up to `lastSeenMessageId`, or up to the newest message without a body. The mark never moves back.
#[utoipa::path(patch, path = "/message-group/{publicId}/read", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = Option<ReadRequest>, example = json!({"lastSeenMessageId": "01KGB5T9G0A1B2C3D4E5F6G7H8"})),
    responses((status = 200, body = Envelope<ReadMark>)))]
pub(crate) async fn mark_message_group_read(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    OptionalBody(request): OptionalBody<ReadRequest>,
) -> Respond<ReadMark> {
    Ok(Reply::ok(conversations::mark_read(&app, caller.id, group, request).await?))
}

/// Change the name or the picture of a crowd
///
/// Any member can; null clears a field. The picture is an address, as that of a profile: an own upload is kept by it,
/// until it has another. 403 for a private group.
#[utoipa::path(patch, path = "/message-group/{publicId}", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = GroupChange, example = json!({"name": "Sunday runners"})),
    responses((status = 200, body = Envelope<GroupView>)))]
pub(crate) async fn change_message_group(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    Body(request): Body<GroupChange>,
) -> Respond<GroupView> {
    Ok(Reply::ok(conversations::change(&app, caller.id, group, request).await?))
}

/// Mute a message group, or end the mute
///
/// Without a body it toggles the mute. The caller is notified of no message in it from then on; messages still count as
/// unread, and come to open connections.
#[utoipa::path(post, path = "/message-group/{publicId}/mute", tag = "message-group",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:messages"])), params(("publicId" = GroupId, Path,)),
    request_body(content = Option<GroupMuteRequest>, example = json!({"isMuted": true})),
    responses((status = 200, body = Envelope<GroupMuted>)))]
pub(crate) async fn mute_message_group(
    State(app): State<App>,
    caller: Caller,
    Path(group): Path<GroupId>,
    OptionalBody(request): OptionalBody<GroupMuteRequest>,
) -> Respond<GroupMuted> {
    Ok(Reply::ok(conversations::mute(&app, caller.id, group, request).await?))
}
