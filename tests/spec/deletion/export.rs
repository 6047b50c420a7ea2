//! Exports of a user's data.

use std::{collections::BTreeSet, io::Read};

use domain::people::users::Role;
use flate2::read::MultiGzDecoder;
use image::ImageFormat;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Fault, PASSWORD, Person, World, send};

use super::{
    export_files::{archived, redirect_of},
    queue_job,
    traces::fill_account,
};
use crate::{
    admin::{change, start_with_root},
    messages::{departs, id, makes, says},
    scale::all_rows,
    uploads::{images::uploads, pictures::picture},
};

pub(crate) async fn requests_export(user: &Person) -> Value {
    let answer = user.post("/auth/export", json!({ "password": PASSWORD })).await.ok();
    assert_eq!(answer.status, 202);
    answer.data().clone()
}

pub(crate) async fn status(user: &Person) -> Value {
    user.get("/auth/export").await.ok().data().clone()
}

/// Returns the lines of the exported file.
pub(crate) async fn lines(user: &Person) -> Vec<Value> {
    let ready = status(user).await;
    assert_eq!(ready["status"], "READY", "{ready}");
    let file = reqwest::get(ready["url"].as_str().unwrap()).await.unwrap();
    assert_eq!(file.status(), 200);
    let (file, mut text) = (file.bytes().await.unwrap(), String::new());
    MultiGzDecoder::new(file.as_ref()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn kinds(lines: &[Value]) -> BTreeSet<&str> {
    lines.iter().map(|line| line["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_export_contains_all_data_of_the_user() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve, dan] = world.people(["annabella", "bob", "eve", "dan"]).await;
    fill_account(&world, &ann, [&bob, &eve, &dan]).await;
    assert_eq!(status(&ann).await, json!({ "status": "NONE" }));
    assert_eq!(requests_export(&ann).await, json!({ "status": "PENDING" }));
    assert_eq!(status(&ann).await, json!({ "status": "PENDING" }));
    world.settle().await;
    let lines = lines(&ann).await;
    assert!(lines.iter().all(|line| line["data"].get("likers").is_none()), "an export contains no likers");
    let expected = [
        "action",
        "sign-in address",
        "badge",
        "relationship",
        "circle post",
        "engagement",
        "first post of a day",
        "follow",
        "friend request",
        "followed hashtags",
        "posts from before a follow",
        "join request",
        "karma",
        "membership",
        "message",
        "notification",
        "post",
        "profile",
        "report",
        "session",
        "post in the feed",
        "unread notification",
        "upload",
        "earlier version of a post",
    ];
    let missing: Vec<_> = expected.iter().filter(|kind| !kinds(&lines).contains(**kind)).collect();
    assert!(missing.is_empty(), "{missing:?} of {:?}", kinds(&lines));
    let texts: Vec<_> = lines.iter().filter_map(|line| line["data"]["content"].as_str()).collect();
    for text in ["qwijibo again #qwijibo", "qwijibo secret", "qwijibo reply", "qwijibo quote", "qwijibo psst"]
    {
        assert_eq!(texts.iter().filter(|found| **found == text).count(), 1, "{text}: {texts:?}");
    }
    let all = json!(lines).to_string();
    assert!(all.contains("qwijibo thoughts") && all.contains("annabella@example.com"));
    for secret in ["argon2", "passwordHash", "blockedBy", "outbox", "gsi1pk"] {
        assert!(!all.contains(secret), "{secret}");
    }
    for person in [&ann, &bob, &eve, &dan] {
        assert!(!all.contains(&person.id), "the export contains the internal ID of {}: {all}", person.name);
    }
    assert!(all.contains(&ann.public_id) && all.contains(&bob.public_id));
    let file = lines.iter().find(|line| line["kind"] == "upload").unwrap();
    let address = file["data"]["url"].as_str().unwrap();
    assert!(address.ends_with(file["data"]["key"].as_str().unwrap()), "{address}");
    let mutes = lines
        .iter()
        .filter(|line| line["kind"] == "relationship" && line["data"]["viewer"] != json!(ann.public_id));
    assert_eq!(mutes.count(), 0, "mutes by others are not exported");
    let reports = lines.iter().filter(|line| line["kind"] == "report");
    let by: Vec<_> = reports.map(|report| report["data"]["reporterId"].as_str().unwrap()).collect();
    assert_eq!(by, [ann.public_id.as_str()], "reports by others are not exported");
}

#[tokio::test]
async fn an_export_contains_no_internal_attribute_names() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve, dan] = world.people(["annabella", "bob", "eve", "dan"]).await;
    fill_account(&world, &ann, [&bob, &eve, &dan]).await;
    requests_export(&ann).await;
    world.settle().await;
    let lines = lines(&ann).await;
    let prefixes = key_prefixes(&world).await;
    let mut names = BTreeSet::new();
    for line in &lines {
        let kind = line["kind"].as_str().unwrap();
        assert!(kind.chars().all(|char| char == ' ' || char == '-' || char.is_ascii_lowercase()), "{kind}");
        collect_names(&line["data"], &mut names);
        let text = line["data"].to_string();
        let found = prefixes.iter().find(|prefix| text.contains(&format!("\"{prefix}#")));
        assert_eq!(found, None, "{line}");
        assert!(!text.contains("\"incoming/"), "{line}");
    }
    let found: Vec<_> = INTERNAL_NAMES.iter().filter(|name| names.contains(**name)).collect();
    assert!(found.is_empty(), "{found:?} in {names:?} of {:?}", kinds(&lines));
}

/// Names of attributes that only the service uses.
const INTERNAL_NAMES: [&str; 28] = [
    "pk",
    "sk",
    "gsi1pk",
    "gsi1sk",
    "gsi2pk",
    "gsi2sk",
    "gsi3pk",
    "gsi3sk",
    "ttl",
    "outbox",
    "shard",
    "likesSeq",
    "seq",
    "place",
    "counted",
    "countedAs",
    "uncountedSince",
    "merges",
    "isMerged",
    "changes",
    "notifiedAs",
    "pictureOf",
    "authorNotified",
    "repostNotified",
    "revision",
    "flushed",
    "entries",
    "lastEvent",
];

/// Returns the prefixes of all keys in the table, which end before the first `#`.
async fn key_prefixes(world: &World) -> BTreeSet<String> {
    let rows = all_rows(world).await;
    let keys = rows.iter().flat_map(|row| ["pk", "sk"].map(|name| row[name].as_s().unwrap().clone()));
    keys.filter_map(|key| key.split_once('#').map(|(prefix, _)| prefix.to_owned())).collect()
}

fn collect_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            names.insert(name.clone());
            collect_names(value, names);
        }),
        Value::Array(items) => items.iter().for_each(|item| collect_names(item, names)),
        _ => {}
    }
}

#[tokio::test]
async fn an_export_during_a_ban_does_not_name_the_administrator() {
    let (world, root, [ann]) = start_with_root(World::builder().without_ticks(), Role::Admin, ["ann"]).await;
    requests_export(&ann).await;
    change(&root, &ann, "ban", json!({ "bannedUntil": "2026-01-02T00:00:00.000Z" })).await.ok();
    world.settle().await;
    change(&root, &ann, "unlock", Value::Null).await.ok();
    let exported = json!(lines(&ann.signs_in().await).await).to_string();
    assert!(exported.contains("bannedUntil"), "{exported}");
    for name in ["suspendedBy", &root.id, &root.public_id] {
        assert!(!exported.contains(name), "{name}: {exported}");
    }
}

#[tokio::test]
async fn a_user_can_run_one_export_at_a_time_and_two_a_day() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    for _ in 0..4 {
        requests_export(&ann).await;
    }
    world.settle().await;
    let first = status(&ann).await["expiresAt"].clone();
    world.advance(60).await;
    requests_export(&ann).await;
    world.settle().await;
    assert_ne!(status(&ann).await["expiresAt"], first);
    ann.post("/auth/export", json!({ "password": PASSWORD })).await.refused(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn an_export_contains_each_row_despite_crashes() {
    for fault in [Fault::Crash, Fault::CrashAfter] {
        let world = World::builder().pages(2).start().await;
        let [ann, bob] = world.people(["ann", "bob"]).await;
        for text in ["one", "two"] {
            ann.likes(&bob.writes(text).await).await;
            ann.writes(text).await;
        }
        uploads(&world, &ann, "image/png", picture(8, 8, ImageFormat::Png)).await;
        requests_export(&ann).await;
        world.faults.plan("UpdateItem", fault, 3, 1);
        world.faults.plan("UpdateItem", fault, 17, 1);
        world.faults.plan("Query", fault, 6, 1);
        world.faults.plan("SendMessage", fault, 1, 1);
        world.settle().await;
        assert_eq!(world.faults.calm(), 4, "{fault:?}");
        let lines = lines(&ann).await;
        let count = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
        assert_eq!((count("post"), count("engagement"), count("profile")), (2, 2, 1), "{fault:?}");
        assert_eq!(archived(&ann).await.len(), 1, "{fault:?}");
    }
}

#[tokio::test]
async fn account_deletion_removes_the_export() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    requests_export(&ann).await;
    world.settle().await;
    let url = status(&ann).await["url"].as_str().unwrap().to_owned();
    let address = redirect_of(&url).await;
    assert_eq!(reqwest::get(&address).await.unwrap().status(), 200);
    ann.leaves().await;
    queue_job(&world, json!({ "job": "erase", "user": ann.id, "run": 99_999_999_999_999_i64 })).await;
    world.settle().await;
    assert_eq!(reqwest::get(&url).await.unwrap().status(), 404);
    let gone = reqwest::get(&address).await.unwrap().status();
    assert_eq!(gone, 403, "S3 answers 403 for missing objects without list permission");
}

#[tokio::test]
async fn an_export_contains_own_messages_in_groups_the_user_left() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve] = world.people(["annabella", "bob", "eve"]).await;
    let left = id(&makes(&ann, "crowd", &["bob", "eve"]).await);
    let path = format!("/message-group/{left}");
    let mine = id(&says(&ann, &left, "my words").await);
    let theirs = id(&says(&bob, &left, "their words").await);
    let reactions = [(&ann, &theirs, "👍"), (&ann, &mine, "🦊"), (&eve, &mine, "🎉"), (&eve, &theirs, "🐝")];
    for (user, message, emoji) in reactions {
        let request = user.request(Method::PUT, &format!("{path}/messages/{message}/reaction"));
        send(request.json(&json!({ "emoji": emoji }))).await.ok();
    }
    ann.patch(&path, json!({ "name": "Ann's idea" })).await.ok();
    departs(&ann, &left).await.ok();
    requests_export(&ann).await;
    world.settle().await;
    let lines = lines(&ann).await;
    let all = json!(lines).to_string();
    assert!(["my words", "👍", "🦊", "Ann's idea"].iter().all(|text| all.contains(text)), "{all}");
    assert!(["their words", "🎉", "🐝", &eve.id].iter().all(|text| !all.contains(text)), "{all}");
}
