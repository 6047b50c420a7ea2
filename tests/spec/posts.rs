//! Writing, reading, editing and deleting posts.

mod changes;
mod drafts;
mod limits;
mod pins;
mod polls;
mod previews;
mod privacy;
mod repeats;
mod replies;
mod saved;
mod shares;
mod warnings;

use domain::ledger::action_log::Action;
use platform::table::{Query, Row};
use serde_json::{Value, json};
use tests::{Person, Post, World};

use crate::uploads;

#[tokio::test]
async fn the_response_contains_all_fields_of_the_post() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let ticket = uploads::begins(&ann, "image/png", 5).await;
    let post = ann
        .posts(json!({
            "content": "Hello #World, #again",
            "mentions": [bob.id],
            "media": [{"id": ticket["id"], "key": ticket["key"], "url": ticket["url"], "alt": "A cat"}],
            "replyPermission": "followers",
        }))
        .await;
    let (upload, time) = (&post.json["media"][0], "2026-01-01T00:00:00.000Z");
    let media = json!({
        "id": upload["id"], "key": upload["key"], "alt": "A cat", "status": "PENDING",
        "url": null, "type": null, "width": null, "height": null, "blurhash": null, "still": null,
    });
    let user = json!({
        "publicId": ann.public_id, "username": "ann", "name": "ann", "avatar": null, "isVerified": true,
    });
    let expected = json!({
        "publicId": post.id, "kind": "POST", "type": "POST", "visibility": "PUBLIC", "user": user,
        "content": "Hello #World, #again", "topic": "world", "mentions": [bob.public_id], "media": [media],
        "poll": null, "preview": null, "sensitive": false, "spoiler": null,
        "replyPermission": "FOLLOWERS", "quotePermission": "EVERYONE", "repliesLocked": false,
        "parentPublicId": null, "origin": null, "originPostId": null, "originPublicId": null,
        "likesCount": 0, "repliesCount": 0, "repostsCount": 0, "quotesCount": 0,
        "isLiked": false, "isQuoted": false, "isReposted": false, "isSaved": false,
        "isDeleted": false, "isGhost": false, "isHidden": false,
        "createdAt": time, "updatedAt": time, "deletedAt": null, "pinnedAt": null,
    });
    assert_eq!(post.json, expected);
}

#[tokio::test]
async fn a_post_is_returned_as_it_was_written() {
    let (world, [ann]) = World::with(["ann"]).await;
    let post = ann.writes("Hello").await;
    assert_eq!(ann.sees(&post).await, post.json);
    assert_eq!(world.anyone.get(&post.path("")).await.ok().data(), &post.json);
}

#[tokio::test]
async fn the_content_of_a_post_has_1_to_5000_characters() {
    let (_world, [ann]) = World::with(["ann"]).await;
    ann.writes(&"ế".repeat(5000)).await;
    for content in ["", " \n ", &"x".repeat(5001)] {
        let answer = ann.post("/posts", json!({ "content": content })).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "content: must have 1 to 5000 characters");
    }
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 1, "nothing was written");
}

#[tokio::test]
async fn the_error_for_an_invalid_post_names_the_field() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let six: Vec<_> = (0..6).map(|_| ann.id.clone()).collect();
    let long = "x".repeat(101);
    let media = json!({"id": "m", "key": "k", "url": "https://example.com/m"});
    let upload = uploads::begins(&ann, "image/png", 5).await["id"].clone();
    for (field, value) in [
        ("mentions", json!(six)),
        ("mentions", json!([ann.id, ann.id])),
        ("mentions", json!(["01ARZ3NDEKTSV4RRFFQ69G5FAW"])),
        ("mentions", json!(["no.such.user"])),
        ("mentions", json!("ann")),
        ("media", json!(vec![media; 11])),
        ("media", json!([{"id": "m", "key": "k", "url": "javascript:alert(1)"}])),
        ("media", json!([{"url": "https://example.com/m"}])),
        ("media", json!([{"id": crate::routes::UNKNOWN_ID}])),
        ("media", json!([[upload, null, null, null]])),
        ("topic", json!(long)),
        ("topic", json!("two words")),
        ("visibility", json!("SECRET")),
        ("replyPermission", json!("SOME")),
        ("content", json!(5)),
        ("content", Value::Null),
    ] {
        let mut body = json!({ "content": "x" });
        body[field] = value;
        let answer = ann.post("/posts", body.clone()).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with(field), "{body}: {message}");
    }
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 0, "nothing was written");
}

#[tokio::test]
async fn a_mention_can_be_the_id_or_public_id_of_a_user() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let public = bob.get("/auth/me").await.ok().data()["publicId"].clone();
    for id in [json!(bob.id), public.clone()] {
        let post = ann.posts(json!({ "content": "hi", "mentions": [id] })).await;
        assert_eq!(post.json["mentions"], json!([bob.public_id]));
    }
    let both = ann.post("/posts", json!({ "content": "hi", "mentions": [bob.id, public] })).await;
    assert_eq!(both.refused(400, "VALIDATION_FAILED"), "mentions: must not contain a user twice");
}

#[tokio::test]
async fn the_topic_of_a_post_defaults_to_its_first_hashtag() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for (body, topic) in [
        (json!({"content": "no tag"}), Value::Null),
        (json!({"content": "two #First #second"}), json!("first")),
        (json!({"content": "a #found", "topic": "#Said"}), json!("said")),
        (json!({"content": "#Cafe\u{301}"}), json!("café")),
    ] {
        assert_eq!(ann.posts(body.clone()).await.json["topic"], topic, "{body}");
    }
}

#[tokio::test]
async fn reports_on_posts_and_circles_start_an_evaluation() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    let path = post.path("/report");
    // Each report sends a message that notifies webhooks. For posts and circles, a second message starts the
    // evaluation.
    for (kind, jobs) in [("post", 2), ("user", 1), ("circle", 2), ("post", 2)] {
        let report = bob.post(&path, json!({ "reason": "spam", "type": kind }));
        let (answer, cost) = world.cost_of(report).await;
        assert_eq!(json!([answer.status, answer.ok().data()["status"]]), json!([201, "PENDING"]));
        assert_eq!(cost.messages, jobs, "{kind}");
    }
    ann.post(&path, json!({ "reason": "mine", "type": "post" })).await.refused(400, "VALIDATION_FAILED");
    for body in [
        json!({"type": "post"}),
        json!({"reason": " ", "type": "post"}),
        json!({"reason": "x", "type": "POST"}),
        json!({"reason": "x".repeat(1001), "type": "post"}),
    ] {
        bob.post(&path, body).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn an_unknown_post_is_not_found() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for id in ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "not-an-id", "%00"] {
        ann.get(&format!("/posts/{id}")).await.refused(404, "NOT_FOUND");
        ann.post(&format!("/posts/{id}/like"), json!({ "isLiked": true })).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn the_action_log_has_each_action_once_per_target_and_day() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    for _ in 0..2 {
        bob.likes(&post).await;
        world.settle().await;
        bob.unlikes(&post).await;
        world.settle().await;
        let quote = bob.quotes(&post, "look").await;
        bob.deletes(&quote).await;
        let repost = bob.reposts(&post).await;
        bob.deletes(&repost).await;
        let reply = bob.replies(&post, "me too").await;
        bob.deletes(&reply).await;
    }
    let of_post = |kind: &str| format!("ACTION#{kind}#2026-01-01#{}", post.id);
    let kinds = ["LIKE_CREATED", "QUOTE_CREATED", "QUOTE_DELETED", "SHARE_CREATED", "SHARE_DELETED"];
    assert_eq!(logged(&world, &bob).await, kinds.map(of_post));
    assert_eq!(logged(&world, &ann).await, [of_post("POST_CREATED")]);
    ann.deletes(&post).await;
    assert_eq!(logged(&world, &ann).await, [of_post("POST_CREATED"), of_post("POST_DELETED")]);
    world.advance(24 * 60 * 60).await;
    let late = ann.signs_in().await.writes("a day later").await;
    let next = format!("ACTION#POST_CREATED#2026-01-02#{}", late.id);
    assert!(logged(&world, &ann).await.contains(&next));
}

/// Returns the sort keys of the rows in a user's action log.
async fn logged(world: &World, person: &Person) -> Vec<String> {
    let query = Query::partition(format!("USER#{}", person.id)).prefix("ACTION#");
    let actions: Vec<Action> = world.app().table.query(&query).await.unwrap();
    actions.iter().map(|action| action.key().sk).collect()
}

/// Starts a world whose setting `ENFORCE_VISIBILITY` is `enforced`, and creates these users.
pub(crate) async fn world_enforcing<const N: usize>(
    enforced: &str,
    names: [&str; N],
) -> (World, [Person; N]) {
    World::builder().settings(&[("ENFORCE_VISIBILITY", enforced)]).start_with(names).await
}

/// Returns all write requests on another user's post, as paths and bodies.
fn writes_with(post: &Post) -> [(String, Value); 7] {
    [
        ("/like", json!({ "isLiked": true })),
        ("/reply", json!({ "content": "x" })),
        ("/quote", json!({ "content": "x" })),
        ("/repost", Value::Null),
        ("/save", Value::Null),
        ("/report", json!({ "reason": "x", "type": "post" })),
        ("/hide", Value::Null),
    ]
    .map(|(route, body)| (post.path(route), body))
}

/// Lets two users follow each other, which makes them friends.
pub(crate) async fn are_friends(one: &Person, other: &Person) {
    one.follows(other).await;
    other.follows(one).await;
}

fn counts(post: &Value) -> [i64; 3] {
    ["repliesCount", "repostsCount", "quotesCount"].map(|count| post[count].as_i64().unwrap())
}
