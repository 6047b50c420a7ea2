//! After account deletion, the table has no data about the user except what KEYS.md lists.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};
use tests::{PASSWORD, Person, Post, World};
use ulid::Ulid;

use super::{flush_notifications, runs_deletions};
use crate::{
    circles::{asks, creates_circle, earns, joins},
    recounts::drifts,
    scale::{Item, all_rows},
    uploads,
};

const MONTH_SECONDS: i64 = 30 * 24 * 3600;

/// Returns each row that contains one of the texts, as `pk / sk: text`. Omits rows that expire within 30 days.
pub(crate) async fn rows_with(world: &World, texts: &[&str]) -> Vec<String> {
    let now = world.app().now().seconds();
    let mut found = Vec::new();
    for item in all_rows(world).await {
        let place = format!("{} / {}", text(&item, "pk"), text(&item, "sk"));
        let expires = item.get("ttl").and_then(|ttl| ttl.as_n().ok()).and_then(|ttl| ttl.parse::<i64>().ok());
        if expires.is_some_and(|at| at <= now + MONTH_SECONDS) {
            continue;
        }
        for text in texts.iter().filter(|text| contains(&item, text)) {
            found.push(format!("{place}: {text}"));
        }
    }
    found.sort();
    found
}

fn text<'a>(item: &'a Item, name: &str) -> &'a str {
    item[name].as_s().unwrap()
}

fn contains(item: &Item, text: &str) -> bool {
    let id = text.parse::<Ulid>().ok().map(|id| id.to_bytes());
    item.values().any(|value| value_contains(value, text, id.as_ref()))
}

fn value_contains(value: &AttributeValue, text: &str, id: Option<&[u8; 16]>) -> bool {
    match value {
        AttributeValue::S(value) => value.to_lowercase().contains(&text.to_lowercase()),
        AttributeValue::B(value) => id.is_some_and(|id| value.as_ref().windows(16).any(|part| part == id)),
        AttributeValue::L(list) => list.iter().any(|value| value_contains(value, text, id)),
        AttributeValue::M(map) => {
            map.iter().any(|(name, value)| name.contains(text) || value_contains(value, text, id))
        }
        _ => false,
    }
}

/// Creates rows of every kind for `ann`, with the word "qwijibo", and returns one of her posts.
pub(super) async fn fill_account(world: &World, ann: &Person, [bob, eve, dan]: [&Person; 3]) -> Post {
    let theirs = bob.writes("a post of bob").await;
    let mine = ann.posts(json!({ "content": "qwijibo #qwijibo", "mentions": [bob.id] })).await;
    ann.patch(&mine.path(""), json!({ "content": "qwijibo again #qwijibo" })).await.ok();
    let secret = json!({ "content": "qwijibo secret", "visibility": "PRIVATE" });
    ann.posts(secret).await;
    ann.likes(&theirs).await;
    ann.post("/hashtags/qwijibo/follow", Value::Null).await.ok();
    ann.post(&theirs.path("/save"), json!({})).await.ok();
    let answer = ann.replies(&theirs, "qwijibo reply").await;
    ann.quotes(&theirs, "qwijibo quote").await;
    ann.reposts(&theirs).await;
    let report = json!({ "reason": "qwijibo reason", "type": "post" });
    ann.post(&theirs.path("/report"), report).await.ok();
    gets_replies(&mine, [bob, eve, dan]).await;
    eve.replies(&answer, "of eve too").await;
    gets_mentions(ann, &mine, [bob, eve]).await;
    for (one, other) in [(ann, bob), (bob, ann), (eve, ann), (dan, ann), (ann, dan)] {
        one.follows(other).await;
    }
    eve.unfollows(ann).await;
    ann.unfollows(dan).await;
    befriends(ann, bob, "accept").await;
    befriends(eve, ann, "accept").await;
    befriends(dan, ann, "cancel").await;
    eve.post(&ann.path("/mute"), json!({})).await.ok();
    ann.post(&eve.path("/mute"), json!({})).await.ok();
    ann.blocks(dan).await;
    let profile = json!({ "name": "Annabella Qwijibo", "bio": "qwijibo bio" });
    ann.post("/auth/profile", profile).await.ok();
    sets_private_data(ann, bob).await;
    sends_messages(ann).await;
    circles(world, ann, [bob, eve]).await;
    let ticket = uploads::begins(ann, "image/png", 5).await;
    assert_eq!(uploads::put(&ticket, "image/png", b"hello").await, 200);
    ann.signs_in().await;
    flush_notifications(world).await;
    mine
}

/// Makes other users like, answer and share the post. Two shares are then deleted, and one is hidden.
async fn gets_replies(mine: &Post, [bob, eve, dan]: [&Person; 3]) {
    bob.likes(mine).await;
    let reply = bob.replies(mine, "of bob").await;
    eve.replies(&reply, "of eve, further down").await;
    bob.reposts(mine).await;
    eve.quotes(mine, "of eve").await;
    let deleted = [eve.quotes(mine, "no more").await, eve.reposts(mine).await];
    for share in deleted {
        eve.deletes(&share).await;
    }
    let hidden = dan.quotes(mine, "not for lists").await;
    bob.post(&hidden.path("/hide"), Value::Null).await.ok();
}

/// Makes other users mention and report `ann`.
async fn gets_mentions(ann: &Person, mine: &Post, [bob, eve]: [&Person; 2]) {
    eve.posts(json!({ "content": "hello", "mentions": [ann.id] })).await;
    bob.post("/me/drafts", json!({ "content": "you?", "mentions": [ann.id, eve.id] })).await.ok();
    for kind in ["post", "user"] {
        bob.post(&mine.path("/report"), json!({ "reason": "no", "type": kind })).await.ok();
    }
}

/// Creates private data of `ann`, such as drafts, muted words, preferences, a device and a vote.
async fn sets_private_data(ann: &Person, bob: &Person) {
    ann.post("/me/drafts", json!({ "content": "qwijibo draft", "mentions": [bob.id] })).await.ok();
    ann.post("/me/muted-words", json!({ "word": "qwijibo word" })).await.ok();
    let kinds = ann.get("/me/notification-preferences").await.ok();
    let kinds = kinds.data().as_object().unwrap().keys();
    let silent: Value = kinds.map(|kind| (kind.clone(), json!({ "push": false }))).collect();
    ann.patch("/me/notification-preferences", silent).await.ok();
    ann.post("/auth/tokens", json!({ "name": "qwijibo bot", "scopes": ["read"], "password": PASSWORD }))
        .await
        .ok();
    ann.post("/auth/totp", Value::Null).await.ok();
    let keys = json!({
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    });
    let endpoint = "https://updates.push.services.mozilla.com/wpush/v2/qwijibo";
    ann.post("/me/devices", json!({ "platform": "web", "endpoint": endpoint, "keys": keys })).await.ok();
    let poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 60 });
    let asked = bob.posts(json!({ "content": "Tea?", "poll": poll })).await;
    ann.post(&asked.path("/vote"), json!({ "options": [0] })).await.ok();
}

async fn befriends(sender: &Person, receiver: &Person, answer: &str) {
    sender.befriends(receiver).await;
    receiver.patch(&format!("/me/friend-requests/{}/{answer}", sender.name), Value::Null).await.ok();
}

async fn sends_messages(ann: &Person) {
    let group = ann.chats_with("bob").await;
    ann.post(&format!("/message-group/{group}/messages"), json!({ "content": "qwijibo psst" })).await.ok();
    let crowd = json!({ "type": "crowd", "members": ["bob", "eve"] });
    let crowd = ann.post("/message-group", crowd).await.ok();
    let path = format!("/message-group/{}/messages", crowd.data()["publicId"].as_str().unwrap());
    ann.post(&path, json!({ "content": "qwijibo all" })).await.ok();
}

async fn circles(world: &World, ann: &Person, [bob, eve]: [&Person; 2]) {
    let [own, theirs, other] = [
        creates_circle(ann, "Own").await,
        creates_circle(bob, "Theirs").await,
        creates_circle(bob, "Other").await,
    ];
    joins(bob, &own, ann).await;
    ann.post(&own.path("/invitations"), json!({ "username": "eve" })).await.ok();
    bob.post(&theirs.path("/invitations"), json!({ "username": ann.name })).await.ok();
    ann.post(&theirs.path("/invitations/accept"), Value::Null).await.ok();
    asks(ann, &other).await.ok();
    asks(eve, &theirs).await.ok();
    for circle in [&own, &theirs] {
        let text = "qwijibo thoughts about reading in the evening, and why they matter";
        let post = ann.post(&circle.path("/posts"), json!({ "content": text })).await.ok();
        let body = json!({ "content": "a comment of bob on it or not", "parentId": post.data()["publicId"] });
        let comment = bob.post(&circle.path("/posts"), body).await.ok();
        let text = "qwijibo thoughts of her own about the comment of bob on the evening";
        let body = json!({ "content": text, "parentId": comment.data()["publicId"] });
        ann.post(&circle.path("/posts"), body).await.ok();
    }
    world.settle().await;
    own.gains(world, -100, 0).await;
    earns(world, ann, 9).await;
    ann.post(&own.path("/sacrifice"), json!({ "karmaAmount": 1 })).await.ok();
}

/// Returns whether a row may stay: a message stub with the user's ID, an audit entry, or pending evidence.
fn must_stay(row: &str) -> bool {
    let (place, text) = row.rsplit_once(": ").unwrap();
    let kind = place.split_once(" / ").unwrap();
    let is_id = text.parse::<Ulid>().is_ok();
    match kind {
        ("AUDIT", _) => true,
        (pk, "EVIDENCE") if pk.starts_with("CASE#") => !is_id,
        // The row counts the posts with a hashtag, which is not personal data.
        (pk, _) if pk.starts_with("HASHTAGS#") => !is_id,
        (pk, sk) if pk.starts_with("GROUP#") => is_id && sk.starts_with("MSG#"),
        _ => false,
    }
}

#[tokio::test]
async fn account_deletion_erases_all_but_documented_rows() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve, dan] = world.people(["annabella", "bob", "eve", "dan"]).await;
    let mine = fill_account(&world, &ann, [&bob, &eve, &dan]).await;
    let texts = [ann.id.as_str(), "annabella", "qwijibo"];
    assert!(rows_with(&world, &texts).await.len() > 100, "the user has too few rows to test their erasure");
    ann.leaves().await;
    runs_deletions(&world).await;
    let left = rows_with(&world, &texts).await;
    let wrong: Vec<_> = left.iter().filter(|row| !must_stay(row)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(drifts(&world.app(), &[]).await, []);
    let bob = bob.signs_in().await;
    bob.get(&mine.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn account_deletion_removes_uploads() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let photo = uploads::pictures::photo(400, 300, 1);
    let upload = uploads::images::uploads(&world, &ann, "image/jpeg", photo).await;
    let shown = reqwest::get(upload["sizes"]["small"].as_str().unwrap()).await.unwrap();
    let kept = shown.headers()["cache-control"].to_str().unwrap();
    assert_eq!(kept, "public, max-age=86400, immutable", "caches keep the file for at most a day");
    ann.leaves().await;
    runs_deletions(&world).await;
    for size in ["large", "medium", "small"] {
        let address = upload["sizes"][size].as_str().unwrap();
        assert_eq!(reqwest::get(address).await.unwrap().status(), 404, "{size}");
    }
}
