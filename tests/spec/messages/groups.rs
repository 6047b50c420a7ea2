//! Creation of groups, and the members of new groups.

use serde_json::{Value, json};
use tests::{Person, World};

use super::{adds, id, makes, opens, private_group, says};
use crate::{
    routes::UNKNOWN_ID,
    setup::{crowd, sorted_statuses},
};

#[tokio::test]
async fn creating_a_private_group_returns_all_fields_of_the_group() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let answer = makes(&ann, "private", &["bob"]).await;
    assert_eq!(answer.status, 201);
    let group = answer.data();
    assert_eq!(json!([group["groupType"], group["createdById"]]), json!(["PRIVATE", ann.public_id]));
    assert_eq!(group["lastMessageAt"], Value::Null);
    assert_eq!(group["createdAt"], "2026-01-01T00:00:00.000Z");
    let members = group["members"].as_array().unwrap().iter();
    let ids: Vec<_> = members.map(|member| &member["userId"]).collect();
    assert_eq!(json!(ids), json!([ann.public_id, bob.public_id]));
    assert_eq!(group["members"][1]["username"], "bob");
}

#[tokio::test]
async fn a_member_can_read_a_group_with_all_its_members() {
    let (world, [ann, bob, _cleo, _dan, _eve, fay]) =
        World::with(["ann", "bob", "cleo", "dan", "eve", "fay"]).await;
    let stranger = world.person("gil").await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo", "dan", "eve"]).await);
    let path = format!("/message-group/{group}");
    says(&ann, &group, "hello").await;
    ann.patch(&path, json!({ "name": "Sunday runners" })).await.ok();
    ann.post(&format!("{path}/members"), json!({ "username": "fay" })).await.ok();
    let shown = bob.get(&path).await.ok().data().clone();
    let listed = bob.get("/message-group").await.ok().rows()[0].clone();
    for field in ["publicId", "name", "createdById", "membersCount", "unreadCount", "lastMessagePreview"] {
        assert_eq!(shown[field], listed[field], "{field}");
    }
    let members = shown["members"].as_array().unwrap();
    assert_eq!((members.len(), &members[0]["username"]), (6, &json!("ann")));
    assert_eq!(members[5]["username"], "fay");
    let late = fay.get(&path).await.ok();
    assert_eq!((&late.data()["lastMessagePreview"], &late.data()["unreadCount"]), (&Value::Null, &json!(0)));
    bob.blocks(&fay).await;
    assert_eq!(bob.get(&path).await.ok().data()["members"].as_array().unwrap().len(), 5);
    stranger.get(&path).await.refused(403, "FORBIDDEN");
    ann.get(&format!("/message-group/{UNKNOWN_ID}")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_group_name_has_the_same_rules_at_creation_and_change() {
    let (_world, [ann, _bob, _cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let names = |name: &str| json!({ "type": "crowd", "members": ["bob", "cleo"], "name": name });
    let made = ann.post("/message-group", names("  Sunday runners ")).await.ok();
    assert_eq!(made.data()["name"], "Sunday runners");
    let path = format!("/message-group/{}", made.data()["publicId"].as_str().unwrap());
    assert_eq!(ann.get("/message-group").await.ok().rows()[0]["name"], "Sunday runners");
    for name in ["", "  ", "\u{200B}", "a\u{202E}b", &"x".repeat(51)] {
        let created = ann.post("/message-group", names(name)).await;
        let changed = ann.patch(&path, json!({ "name": name })).await;
        let message = created.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with("name: "), "{message}");
        assert_eq!(message, changed.refused(400, "VALIDATION_FAILED"));
    }
    let private = json!({ "type": "private", "members": ["bob"], "name": "Us" });
    let answer = ann.post("/message-group", private).await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "name: must be omitted for a private group");
}

#[tokio::test]
async fn an_image_or_file_message_needs_a_url() {
    let (_world, [ann, _bob], group) = private_group().await;
    let path = format!("/message-group/{group}/messages");
    for (kind, what) in [("IMAGE", "picture"), ("FILE", "file")] {
        for content in ["hello", "not a url.png", "javascript:alert(1)", "data:image/png;base64,AA"] {
            let answer = ann.post(&path, json!({ "content": content, "type": kind })).await;
            let message = answer.refused(400, "VALIDATION_FAILED");
            assert_eq!(message, format!("content: must be the URL of the {what}"));
        }
        let url = json!({ "content": "https://example.com/a.png", "type": kind });
        assert_eq!(ann.post(&path, url).await.ok().data()["type"], kind);
    }
    let chat = json!({ "conversationId": group, "content": "hello", "type": "IMAGE" });
    ann.post("/chat/message", chat).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn two_users_have_only_one_private_group() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let first = makes(&ann, "private", &["bob"]).await;
    for again in [makes(&ann, "PRIVATE", &["BOB", "ann"]).await, makes(&bob, "private", &["ann"]).await] {
        assert_eq!((again.status, again.data()), (200, first.data()));
    }
}

#[tokio::test]
async fn concurrent_requests_create_one_private_group() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let (one, other) = futures::join!(makes(&ann, "private", &["bob"]), makes(&bob, "private", &["ann"]));
    assert_eq!(one.data()["publicId"], other.data()["publicId"]);
    assert_eq!(sorted_statuses(&one, &other), [200, 201]);
}

#[tokio::test]
async fn unknown_usernames_do_not_count_as_group_members() {
    let (_world, [ann, _bob, _cleo]) = World::with(["ann", "bob", "cleo"]).await;
    for (kind, members) in [
        ("private", &[][..]),
        ("private", &["ann"]),
        ("private", &["unknown"]),
        ("private", &["bob", "cleo"]),
        ("crowd", &[]),
        ("crowd", &["bob"]),
        ("crowd", &["bob", "BOB", "ann", "unknown"]),
    ] {
        let answer = ann.post("/message-group", json!({ "type": kind, "members": members })).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with("members"), "{kind} {members:?}: {message}");
    }
    for (kind, members, count) in
        [("private", &["unknown", "not a name", "bob"][..], 2), ("crowd", &["bob", "unknown", "cleo"], 3)]
    {
        let group = makes(&ann, kind, members).await;
        assert_eq!(group.data()["members"].as_array().unwrap().len(), count);
    }
}

#[tokio::test]
async fn the_error_for_an_invalid_group_names_the_field() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for (body, field) in [
        (json!({ "members": ["bob"] }), "type"),
        (json!({ "type": "secret", "members": ["bob"] }), "type"),
        (json!({ "type": "private" }), "members"),
        (json!({ "type": "private", "members": "bob" }), "members"),
        (json!({ "type": "crowd", "members": vec!["bob"; 201] }), "members"),
    ] {
        ann.post("/message-group", body).await.invalid(field);
    }
}

#[tokio::test]
async fn a_group_chat_has_at_most_98_members() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = crowd(&world, "fan", 0..98).await;
    let names: Vec<_> = fans.iter().map(|fan| fan.name.as_str()).collect();
    ann.post("/message-group", json!({ "type": "crowd", "members": names })).await.invalid("members");
    let answer =
        ann.post_once("k", "/message-group", json!({ "type": "crowd", "members": names[1..] })).await;
    assert_eq!(answer.ok().data()["members"].as_array().unwrap().len(), 98);
    let growing = id(&makes(&ann, "crowd", &names[2..]).await);
    adds(&ann, &growing, names[0]).await.ok();
    adds(&ann, &growing, names[1]).await.invalid("username");
}

#[tokio::test]
async fn a_new_group_chat_with_a_name_has_at_most_97_members() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = crowd(&world, "fan", 0..97).await;
    let names: Vec<_> = fans.iter().map(|fan| fan.name.as_str()).collect();
    let draft = |members: &[&str]| json!({ "type": "crowd", "name": "Fans", "members": members });
    ann.post("/message-group", draft(&names)).await.invalid("members");
    let created = ann.post_once("k", "/message-group", draft(&names[1..])).await.ok();
    assert_eq!(created.data()["members"].as_array().unwrap().len(), 97);
    let again = ann.post_once("k", "/message-group", draft(&names[1..])).await.ok();
    assert_eq!(again.data()["publicId"], created.data()["publicId"]);
    let unkeyed = ann.post("/message-group", draft(&names[1..])).await.ok();
    assert_eq!((&unkeyed.data()["name"], &unkeyed.data()["membersCount"]), (&json!("Fans"), &json!(97)));
}

#[tokio::test]
async fn a_private_chat_reopens_after_both_users_unblock() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let group = opens(&ann, &["bob"]).await;
    let path = format!("/message-group/{group}/messages");
    let body = json!({ "content": "hi" });
    let block = async |user: &Person, target: &str, blocked: bool| {
        user.post(&format!("/user/{target}/block"), json!({ "isBlocked": blocked })).await.ok();
    };
    block(&ann, "bob", true).await;
    block(&bob, "ann", true).await;
    block(&ann, "bob", false).await;
    for person in [&ann, &bob] {
        person.post(&path, body.clone()).await.refused(403, "FORBIDDEN");
        person.get(&path).await.ok();
    }
    bob.post("/message-group", json!({ "type": "private", "members": ["ann"] }))
        .await
        .refused(403, "FORBIDDEN");
    block(&bob, "ann", false).await;
    says(&ann, &group, "hi").await;

    block(&cleo, "ann", true).await;
    for (kind, members) in [("private", &["cleo"][..]), ("crowd", &["bob", "cleo"])] {
        let draft = json!({ "type": kind, "members": members });
        ann.post("/message-group", draft).await.refused(403, "FORBIDDEN");
    }
    block(&cleo, "ann", false).await;
    opens(&ann, &["cleo"]).await;
}
