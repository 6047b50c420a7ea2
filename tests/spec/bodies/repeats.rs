//! A repeated PATCH request has no further effect.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Person, World};

use crate::{
    admin::administrator,
    messages::{id, makes, says},
};

#[tokio::test]
async fn a_repeated_answer_to_a_friend_request_has_no_effect() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    ann.befriends(&bob).await;
    repeats(&bob, "/me/friend-requests/ann/accept").await;
    ann.befriends(&cleo).await;
    repeats(&cleo, "/me/friend-requests/ann/cancel").await;
    repeats(&ann, "/me/friend-requests/cleo/cancel").await;
    cleo.patch("/me/friend-requests/ann/accept", Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_repeated_read_mark_has_no_effect() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    let message = id(&says(&ann, &group, "hi").await);
    bob.replies(&ann.writes("hello").await, "hi").await;
    world.settle().await;
    world.advance_and_settle(40).await;
    let notification = ann.get("/notification").await.ok().rows()[0]["publicId"].as_str().unwrap().to_owned();
    repeats(&ann, &format!("/notification/{notification}/read")).await;
    repeats(&ann, "/notification/read-all").await;
    repeats(&bob, &format!("/chat/{message}/seen")).await;
    repeats(&bob, &format!("/message-group/{group}/read")).await;
}

#[tokio::test]
async fn a_repeated_administrator_action_has_no_effect() {
    let world = World::new().await;
    let admin = administrator(&world, "root", Role::Admin).await;
    let people = world.people(["ann", "bob", "cleo"]).await;
    for (user, action) in people.iter().zip(["ban", "lock", "temp-ban"]) {
        repeats(&admin, &format!("/admin/users/{}/{action}", user.id)).await;
        repeats(&admin, &format!("/admin/users/{}/unlock", user.id)).await;
    }
    let quest = json!({ "code": "LIKE_7", "action": "LIKE_CREATED", "requirement": 7 });
    admin.post("/admin/daily-quests", quest).await.ok();
    repeats(&admin, "/admin/daily-quests/LIKE_7/disable").await;
}

#[tokio::test]
async fn an_edit_to_the_current_values_has_no_effect() {
    let (world, [ann, _bob, _cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let body = json!({ "content": "hello", "visibility": "FRIEND", "sensitive": true, "spoiler": "the end" });
    let post = ann.posts(body.clone()).await;
    has_no_effect(&world, &ann, &post.path(""), body).await;
    assert!(ann.get(&post.path("/history")).await.ok().rows().is_empty());

    let crowd = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let path = format!("/message-group/{crowd}");
    ann.patch(&path, json!({ "name": "Runners", "avatar": "https://example.com/a.png" })).await.ok();
    has_no_effect(&world, &ann, &path, json!({ "name": "Runners", "avatar": "https://example.com/a.png" }))
        .await;
    has_no_effect(&world, &ann, &path, json!({ "name": "Runners" })).await;

    let circle = ann.post("/circles", json!({ "name": "Readers", "description": "Books" })).await.ok();
    let path = format!("/circles/{}", id(&circle));
    has_no_effect(&world, &ann, &path, json!({ "name": "Readers", "description": "Books" })).await;

    let preferences = "/me/notification-preferences";
    ann.patch(preferences, json!({ "LIKE": { "push": false } })).await.ok();
    let all = ann.get(preferences).await.ok().data().clone();
    has_no_effect(&world, &ann, preferences, all).await;
}

#[tokio::test]
async fn a_circle_post_edit_to_the_same_text_has_no_effect() {
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = ann.post("/circles", json!({ "name": "Readers" })).await.ok();
    let posts = format!("/circles/{}/posts", id(&circle));
    let post = id(&ann.post(&posts, json!({ "content": "hello again" })).await.ok());
    world.settle().await;
    let path = format!("/posts/{post}");
    has_no_effect(&world, &ann, &path, json!({ "content": "hello again" })).await;
}

#[tokio::test]
async fn an_edit_without_fields_is_refused() {
    let (_world, [ann, _bob, _cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    let crowd = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let message = id(&says(&ann, &crowd, "hi").await);
    let circle = id(&ann.post("/circles", json!({ "name": "Readers" })).await.ok());
    let posts = format!("/circles/{circle}/posts");
    let circle_post = id(&ann.post(&posts, json!({ "content": "hello again" })).await.ok());
    let post_fields = "the body must have content, visibility, ";
    let draft = ann.post("/me/drafts", json!({ "content": "hello" })).await.ok().data()["id"].clone();
    for (path, missing) in [
        (post.path(""), post_fields),
        (format!("/posts/{circle_post}"), post_fields),
        (format!("/message-group/{crowd}/messages/{message}"), "content: is required"),
        (format!("/message-group/{crowd}"), "the body must have "),
        (format!("/circles/{circle}"), "the body must have "),
        (format!("/me/drafts/{}", draft.as_str().unwrap()), "the body must have "),
        ("/me/notification-preferences".to_owned(), "the body must have "),
    ] {
        ann.patch(&path, json!({})).await.invalid(missing);
    }
}

/// Sends a PATCH without a body, then twice with an empty body. Panics if the responses differ.
async fn repeats(user: &Person, path: &str) {
    let first = user.patch(path, Value::Null).await.ok();
    for _ in 0..2 {
        assert_eq!(user.patch(path, json!({})).await.ok().body, first.body, "{path}");
    }
}

/// Sends an edit. Panics if it changes the object or writes a row other than the session.
async fn has_no_effect(world: &World, user: &Person, path: &str, body: Value) {
    let before = user.get(path).await.body["data"].clone();
    world.advance(60).await;
    let (answer, cost) = world.cost_of(user.patch(path, body)).await;
    let after = answer.ok().data().clone();
    assert_eq!((cost.wru, cost.messages, cost.announcements), (1.0, 0, 0), "{path}");
    // The response to the GET request can have fields that the response to the edit lacks.
    for (field, value) in after.as_object().unwrap() {
        assert_eq!(value, &before[field], "{path}: {field}");
    }
}
