//! Converts the IDs of users in an export to public IDs. Rows contain internal IDs.

use base::ids::{UserId, public_text};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use ulid::Ulid;

/// Attributes with the ID of a user, or with a list of such IDs.
const USERS: [&str; 23] = [
    "answeredById",
    "approvedById",
    "author",
    "authorId",
    "createdById",
    "followerId",
    "followingId",
    "invitedById",
    "lastActorId",
    "mentions",
    "originAuthor",
    "other",
    "owner",
    "reader",
    "receiverId",
    "recipient",
    "reportedUserId",
    "reporterId",
    "sender",
    "senderId",
    "user",
    "userId",
    "viewer",
];
/// Attributes with packed IDs of users. See [`base::packed`].
const PACKED: [&str; 2] = ["actors", "by"];
/// Kinds of actions in the action log whose `targetId` is a user.
const ACTIONS_ON_USERS: [&str; 3] = ["FOLLOW_FOLLOWING_CREATED", "FLOW_FOLLOWER_CREATED", "INVITE_SENT"];

/// Converts the IDs of users in the attributes `data` of a row.
pub(super) fn make_ids_public(kind: &str, data: &mut Value) {
    if kind == "profile" {
        make_public_at(data, "id");
    }
    if data["targetType"] == "USER" || ACTIONS_ON_USERS.iter().any(|action| data["type"] == *action) {
        make_public_at(data, "targetId");
    }
    make_public_in_fields(data);
}

fn make_public_at(data: &mut Value, name: &str) {
    data.get_mut(name).into_iter().for_each(make_public);
}

fn make_public_in_fields(data: &mut Value) {
    match data {
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| match name.as_str() {
            name if PACKED.contains(&name) => unpack(value),
            name if USERS.contains(&name) && !value.is_object() => make_public(value),
            _ => make_public_in_fields(value),
        }),
        Value::Array(values) => values.iter_mut().for_each(make_public_in_fields),
        _ => {}
    }
}

fn make_public(value: &mut Value) {
    match value {
        Value::String(id) => *id = public_text(std::mem::take(id)),
        Value::Array(ids) => ids.iter_mut().for_each(make_public),
        _ => {}
    }
}

/// Replaces packed IDs with a list of public IDs.
fn unpack(value: &mut Value) {
    let bytes = value.as_str().and_then(|text| BASE64_STANDARD.decode(text).ok());
    let Some(bytes) = bytes else { return make_public(value) };
    let (ids, _) = bytes.as_chunks();
    *value = ids.iter().map(|id| json!(UserId::from(Ulid::from_bytes(*id)).public())).collect();
}
