//! Converts a row to a line of an export.

use platform::{
    App, Result,
    table::{JsonRow, Row},
};
use serde_json::{Value, json};

use super::users;

pub(super) const PAGE_ROWS: usize = 250;
/// Attributes that are never exported: credentials, other users' blocks and likes, and notes of administrators.
const HIDDEN: [&str; 14] = [
    "passwordHash",
    "secretHash",
    "seed",
    "secret",
    "subscription",
    "blockedBy",
    "assistantNote",
    "confidence",
    "adminNote",
    "decidedBy",
    "decidedAt",
    "hiddenBy",
    "suspendedBy",
    "likers",
];
const INTERNAL: [&str; 23] = [
    "authorNotified",
    "changes",
    "counted",
    "countedAs",
    "entries",
    "flushed",
    "hasDevices",
    "hasPreferences",
    "isMerged",
    "isPopular",
    "lastEvent",
    "likesSeq",
    "merges",
    "notifiedAs",
    "notifiedAt",
    "pictureOf",
    "place",
    "reactionsSeq",
    "repostNotified",
    "revision",
    "seq",
    "shard",
    "uncountedSince",
];
/// Attributes of uploads that are never exported: the key of the deleted original.
const OF_UPLOADS: [&str; 1] = ["source"];
/// Attributes with the content of a post.
const CONTENT: [&str; 6] = ["content", "spoiler", "media", "poll", "preview", "topic"];
/// Names of row kinds in exports, by the lower-case first part of the sort key. Other kinds have that part as their
/// name.
const KINDS: [(&str, &str); 25] = [
    ("address", "sign-in address"),
    ("barrier", "relationship"),
    ("circlepost", "circle post"),
    ("claim", "claimed quest"),
    ("drafts", "count of drafts"),
    ("enforced", "moderation decision"),
    ("engaged", "engagement"),
    ("firstpost", "first post of a day"),
    ("freq", "friend request"),
    ("hashtags", "followed hashtags"),
    ("invite", "invitation"),
    ("join", "join request"),
    ("joined", "posts from before a follow"),
    ("judged", "quest progress"),
    ("leftgroup", "group that the user left"),
    ("member", "membership"),
    ("msg", "message"),
    ("mutes", "muted words and threads"),
    ("notice", "security notice"),
    ("notif", "notification"),
    ("preferences", "notification preferences"),
    ("timeline", "post in the feed"),
    ("tokens", "application tokens"),
    ("unread", "unread notification"),
    ("version", "earlier version of a post"),
];
/// The lines of a page, and the cursor of the next page.
pub(super) type Lines = (Vec<Value>, Option<String>);

/// Converts a row to a line of an export, without hidden attributes and with public IDs of users. Omits the content of a
/// post that moderation deleted, because this content is evidence.
pub(super) fn line(row: JsonRow) -> Value {
    let kind = kind(&row);
    let content = if is_deleted_by_moderation(&row) { &CONTENT[..] } else { &[] };
    let of_upload = if kind == "upload" { &OF_UPLOADS[..] } else { &[] };
    let mut data = row.without(&[&HIDDEN[..], &INTERNAL, content, of_upload].concat());
    users::make_ids_public(&kind, &mut data);
    json!({ "kind": kind, "data": data })
}

/// Returns whether moderation deleted the post. Such a deletion sets `deletedAt` and `moderatedAt` to the same time, and a
/// later decision increases `moderatedAt`. Moderation does not change a post that its author deleted.
pub(super) fn is_deleted_by_moderation(row: &JsonRow) -> bool {
    let times = row.text("deletedAt").zip(row.text("moderatedAt"));
    times.is_some_and(|(deleted, moderated)| deleted <= moderated)
}

/// Adds the file's URL to a line if the line is an upload with a public file.
pub(super) fn add_url(app: &App, line: &mut Value) -> Result<()> {
    if line["kind"] == "upload"
        && line["data"]["isHidden"] != true
        && let Some(key) = line["data"]["key"].as_str()
    {
        line["data"]["url"] = uploads::address(app, key)?.into();
    }
    Ok(())
}

/// Returns the public name of a row's kind.
pub(super) fn kind(row: &JsonRow) -> String {
    let sk = row.key().sk;
    let stored = sk.split('#').next().unwrap_or_default().to_lowercase();
    let public = KINDS.iter().find(|(kind, _)| *kind == stored).map(|(_, public)| (*public).to_owned());
    public.unwrap_or(stored)
}
