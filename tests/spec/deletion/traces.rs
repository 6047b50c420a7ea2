//! What is left in the table of somebody who left: nothing, but what KEYS.md says must stay.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};
use tests::{Person, Post, World};
use ulid::Ulid;

use super::{is_erased, is_told};
use crate::{
    circles::{asks, earns, founds, joins},
    recounts::drifts,
    uploads,
};

type Item = std::collections::HashMap<String, AttributeValue>;

const MONTH_SECONDS: i64 = 30 * 24 * 3600;

/// The rows, as `pk / sk: text`, that say one of these texts, or have one of them as an id, and do not expire within 30
/// days.
pub(crate) async fn rows_with(world: &World, texts: &[&str]) -> Vec<String> {
    let now = world.app().now().seconds();
    let mut found = Vec::new();
    for item in all(world).await {
        let place = format!("{} / {}", text(&item, "pk"), text(&item, "sk"));
        let expires = item.get("ttl").and_then(|it| it.as_n().ok()).and_then(|it| it.parse::<i64>().ok());
        if expires.is_some_and(|it| it <= now + MONTH_SECONDS) {
            continue;
        }
        for text in texts.iter().filter(|it| says(&item, it)) {
            found.push(format!("{place}: {text}"));
        }
    }
    found.sort();
    found
}

async fn all(world: &World) -> Vec<Item> {
    let (client, mut items, mut from) = (world.unwatched_dynamodb(), Vec::new(), None);
    loop {
        let page = client.scan().table_name(world.table_name()).set_exclusive_start_key(from);
        let page = page.send().await.unwrap();
        items.extend(page.items.unwrap_or_default());
        from = page.last_evaluated_key;
        if from.is_none() {
            return items;
        }
    }
}

fn text<'a>(item: &'a Item, name: &str) -> &'a str {
    item[name].as_s().unwrap()
}

fn says(item: &Item, text: &str) -> bool {
    let id = text.parse::<Ulid>().ok().map(|it| it.to_bytes());
    item.values().any(|it| value_says(it, text, id.as_ref()))
}

fn value_says(value: &AttributeValue, text: &str, id: Option<&[u8; 16]>) -> bool {
    match value {
        AttributeValue::S(it) => it.to_lowercase().contains(&text.to_lowercase()),
        AttributeValue::B(it) => id.is_some_and(|id| it.as_ref().windows(16).any(|part| part == id)),
        AttributeValue::L(it) => it.iter().any(|it| value_says(it, text, id)),
        AttributeValue::M(it) => it.iter().any(|(name, it)| name.contains(text) || value_says(it, text, id)),
        _ => false,
    }
}

/// Does one of everything that leaves a row, in the words of "qwijibo".
pub(super) async fn lives(world: &World, ann: &Person, [bob, eve, dan]: [&Person; 3]) -> Post {
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
    is_answered(&mine, [bob, eve, dan]).await;
    eve.replies(&answer, "of eve too").await;
    is_named(ann, &mine, [bob, eve]).await;
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
    chooses(ann, bob).await;
    talks(ann).await;
    circles(world, ann, [bob, eve]).await;
    let ticket = uploads::begins(ann, "image/png", 5).await;
    assert_eq!(uploads::put(&ticket, "image/png", b"hello").await, 200);
    ann.signs_in().await;
    is_told(world).await;
    mine
}

/// What others write below a post: lists show some of it.
async fn is_answered(mine: &Post, [bob, eve, dan]: [&Person; 3]) {
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

/// Others mention and report her.
async fn is_named(ann: &Person, mine: &Post, [bob, eve]: [&Person; 2]) {
    eve.posts(json!({ "content": "hello", "mentions": [ann.id] })).await;
    bob.post("/me/drafts", json!({ "content": "you?", "mentions": [ann.id, eve.id] })).await.ok();
    for kind in ["post", "user"] {
        bob.post(&mine.path("/report"), json!({ "reason": "no", "type": kind })).await.ok();
    }
}

/// What is of herself alone: drafts, words, preferences, a device, a token, a second factor; and her vote.
async fn chooses(ann: &Person, bob: &Person) {
    ann.post("/me/drafts", json!({ "content": "qwijibo draft", "mentions": [bob.id] })).await.ok();
    ann.post("/me/muted-words", json!({ "word": "qwijibo word" })).await.ok();
    let kinds = ann.get("/me/notification-preferences").await.ok();
    let kinds = kinds.data().as_object().unwrap().keys();
    let silent: Value = kinds.map(|kind| (kind.clone(), json!({ "push": false }))).collect();
    ann.patch("/me/notification-preferences", silent).await.ok();
    ann.post("/auth/tokens", json!({ "name": "qwijibo bot", "scopes": ["read"] })).await.ok();
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

async fn talks(ann: &Person) {
    let group = ann.chats_with("bob").await;
    ann.post(&format!("/message-group/{group}/messages"), json!({ "content": "qwijibo psst" })).await.ok();
    let crowd = json!({ "type": "crowd", "members": ["bob", "eve"] });
    let crowd = ann.post("/message-group", crowd).await.ok();
    let path = format!("/message-group/{}/messages", crowd.data()["publicId"].as_str().unwrap());
    ann.post(&path, json!({ "content": "qwijibo all" })).await.ok();
}

async fn circles(world: &World, ann: &Person, [bob, eve]: [&Person; 2]) {
    let [own, theirs, other] =
        [founds(ann, "Own").await, founds(bob, "Theirs").await, founds(bob, "Other").await];
    joins(bob, &own, ann).await;
    ann.post(&own.path("/invitations"), json!({ "username": "eve" })).await.ok();
    bob.post(&theirs.path("/invitations"), json!({ "username": ann.name })).await.ok();
    ann.post(&theirs.path("/invitations/accept"), Value::Null).await.ok();
    asks(ann, &other).await.ok();
    asks(eve, &theirs).await.ok();
    for circle in [&own, &theirs] {
        let text = "qwijibo thoughts about reading in the evening, and why they matter";
        let post = ann.post(&circle.path("/posts"), json!({ "content": text })).await.ok();
        let body = json!({ "content": format!("{} or not", "a comment of bob on it"), "parentId": post.data()["publicId"] });
        let comment = bob.post(&circle.path("/posts"), body).await.ok();
        let text = "qwijibo thoughts of her own about what bob said of the evening";
        let body = json!({ "content": text, "parentId": comment.data()["publicId"] });
        ann.post(&circle.path("/posts"), body).await.ok();
    }
    world.settle().await;
    own.feels(world, -100, 0).await;
    earns(world, ann, 9).await;
    ann.post(&own.path("/sacrifice"), json!({ "karmaAmount": 1 })).await.ok();
}

/// What must stay names her by her id alone: stubs of her messages, and what an administrator did.
fn must_stay(row: &str) -> bool {
    let (place, text) = row.rsplit_once(": ").unwrap();
    let kind = place.split_once(" / ").unwrap();
    let is_id = text.parse::<Ulid>().is_ok();
    match kind {
        ("AUDIT", _) => true,
        // How many posts have a hashtag, which is nobody's: none.
        (pk, _) if pk.starts_with("HASHTAGS#") => !is_id,
        (pk, sk) if pk.starts_with("GROUP#") => is_id && sk.starts_with("MSG#"),
        _ => false,
    }
}

#[tokio::test]
async fn nothing_is_left_of_somebody_who_left_but_what_must_stay() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve, dan] = world.people(["annabella", "bob", "eve", "dan"]).await;
    let mine = lives(&world, &ann, [&bob, &eve, &dan]).await;
    let texts = [ann.id.as_str(), "annabella", "qwijibo"];
    assert!(rows_with(&world, &texts).await.len() > 100, "a life");
    ann.leaves().await;
    is_erased(&world).await;
    let left = rows_with(&world, &texts).await;
    let wrong: Vec<_> = left.iter().filter(|it| !must_stay(it)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(drifts(&world.app(), &[]).await, []);
    let bob = bob.signs_in().await;
    bob.get(&mine.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_file_goes_with_its_owner() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let photo = uploads::pictures::photo(400, 300, 1);
    let upload = uploads::images::uploads(&world, &ann, "image/jpeg", photo).await;
    let shown = reqwest::get(upload["sizes"]["small"].as_str().unwrap()).await.unwrap();
    let kept = shown.headers()["cache-control"].to_str().unwrap();
    assert_eq!(kept, "public, max-age=86400, immutable", "a day later no cache has it either");
    ann.leaves().await;
    is_erased(&world).await;
    for size in ["large", "medium", "small"] {
        let address = upload["sizes"][size].as_str().unwrap();
        assert_eq!(reqwest::get(address).await.unwrap().status(), 404, "{size}");
    }
}
