//! Converts the IDs of users in an export to public IDs. Rows contain internal IDs.

use base::ids::{UserId, public_text};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use ulid::Ulid;

/// Attributes with the ID of a user, or with a list of such IDs.
const USERS: [&str; 25] = [
    "answeredById",
    "approvedById",
    "author",
    "authorId",
    "createdById",
    "followerId",
    "followingId",
    "headAuthor",
    "invitedById",
    "lastActorId",
    "mentions",
    "originAuthor",
    "other",
    "owner",
    "pictureOf",
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
const ABOUT_USERS: [&str; 3] = ["FOLLOW_FOLLOWING_CREATED", "FLOW_FOLLOWER_CREATED", "INVITE_SENT"];

pub(super) fn publish(kind: &str, data: &mut Value) {
    if kind == "profile" {
        publish_at(data, "id");
    }
    if data["targetType"] == "USER" || ABOUT_USERS.iter().any(|action| data["type"] == *action) {
        publish_at(data, "targetId");
    }
    publish_fields(data);
}

fn publish_at(data: &mut Value, name: &str) {
    data.get_mut(name).into_iter().for_each(publish_ids);
}

fn publish_fields(data: &mut Value) {
    match data {
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| match name.as_str() {
            name if PACKED.contains(&name) => unpack(value),
            name if USERS.contains(&name) && !value.is_object() => publish_ids(value),
            _ => publish_fields(value),
        }),
        Value::Array(values) => values.iter_mut().for_each(publish_fields),
        _ => {}
    }
}

fn publish_ids(value: &mut Value) {
    match value {
        Value::String(id) => *id = public_text(std::mem::take(id)),
        Value::Array(ids) => ids.iter_mut().for_each(publish_ids),
        _ => {}
    }
}

/// Replaces packed IDs with a list of public IDs.
fn unpack(value: &mut Value) {
    let bytes = value.as_str().and_then(|text| BASE64_STANDARD.decode(text).ok());
    let Some(bytes) = bytes else { return publish_ids(value) };
    let (ids, _) = bytes.as_chunks();
    *value = ids.iter().map(|id| json!(UserId::from(Ulid::from_bytes(*id)).public())).collect();
}
