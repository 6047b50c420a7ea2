//! Decisions that ban a user.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{PASSWORD, World, send};

use super::{case, rules, undoes};
use crate::{
    admin::{administrator, change},
    auth::second_factor::{enrolls, opens},
    moderation::reports,
};

#[tokio::test]
async fn only_administrators_can_ban_with_a_decision_and_undo_it() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let [first, second] = [ann.writes("one").await, ann.writes("two").await];
    for post in [&first, &second] {
        reports(&bob, &post.id, json!({})).await;
    }
    let ban = json!({ "actions": ["delete", "ban"] });
    rules(&moderator, &first.id, ban.clone()).await.refused(403, "FORBIDDEN");
    rules(&root, &first.id, ban).await.ok();
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    world.settle().await;
    let other = case(&root, &second.id).await;
    assert_eq!((&other["status"], &other["outcome"]["actions"]), (&json!("RESOLVED"), &json!(["ban"])));
    undoes(&moderator, &first.id).await.refused(403, "FORBIDDEN");
    undoes(&root, &first.id).await.ok();
    let ann = ann.signs_in().await;
    ann.get("/auth/me").await.ok();
    bob.sees(&first).await;
    let audit = root.get(&format!("/admin/audit?target={}", ann.public_id)).await.ok();
    assert_eq!(audit.column("action"), ["UNLOCK_USER", "BAN_USER"]);
}

#[tokio::test]
async fn a_banned_user_can_appeal() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let other = administrator(&world, "other", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let ann = world.person("ann").await;
    let ban = json!({ "reason": "Spam", "bannedUntil": "2030-01-31T09:30:00.000Z" });
    root.patch(&format!("/admin/users/{}/ban", ann.id), ban).await.ok();
    let body = json!({ "identifier": "ann", "password": tests::PASSWORD });
    let wrong = json!({ "identifier": "ann", "password": "wrong password" });
    world.anyone.post("/auth/login", wrong).await.refused(401, "UNAUTHORIZED");
    let refused = world.anyone.post("/auth/login", body.clone()).await;
    let message = refused.refused(403, "FORBIDDEN").to_owned();
    for part in ["2030-01-31T09:30:00.000Z", "Spam", &ann.public_id] {
        assert!(message.contains(part), "{part} in {message}");
    }
    let token = refused.header("x-appeal-token").unwrap().to_owned();
    let banned = world.anyone.with_token(&token);
    let decisions = banned.get("/me/moderation").await.ok();
    let row = &decisions.rows()[0];
    assert_eq!(json!([row["id"], row["measure"], row["reason"]]), json!([ann.public_id, "BANNED", "Spam"]));
    for path in ["/auth/me", "/posts/news-feed?type=FOLLOWING", "/me/reports"] {
        banned.get(path).await.refused(401, "UNAUTHORIZED");
    }
    let path = format!("/me/moderation/{}/appeal", ann.public_id);
    let appeal = banned.post(&path, json!({ "text": "It was not me." })).await.ok();
    banned.post(&path, json!({ "text": "Once more." })).await.invalid("you can only appeal once");
    assert_eq!(banned.get("/me/moderation").await.ok().rows()[0]["appeal"]["status"], "PENDING");
    let path = format!("/admin/appeals/{}", appeal.data()["id"].as_str().unwrap());
    moderator.patch(&path, json!({ "action": "grant" })).await.refused(403, "FORBIDDEN");
    other.patch(&path, json!({ "action": "grant" })).await.ok();
    let ann = ann.signs_in().await;
    assert!(ann.get("/me/moderation").await.ok().rows()[0]["restoredAt"].is_string());
    world.advance(15 * 60 + 1).await;
    banned.get("/me/moderation").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn an_undo_lifts_only_the_ban_of_the_same_decision() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
    rules(&root, &post.id, json!({ "actions": ["temp-ban"], "reason": "Spam" })).await.ok();
    rules(&moderator, &post.id, json!({ "actions": ["dismiss"] })).await.refused(403, "FORBIDDEN");
    let longer =
        json!({ "actions": ["temp-ban"], "reason": "Spam", "bannedUntil": "2027-06-05T00:00:00.000Z" });
    world.advance(1).await;
    rules(&root, &post.id, longer).await.ok();
    let account = case(&root, &post.id).await["account"].clone();
    assert_eq!(account["bannedUntil"], "2027-06-05T00:00:00.000Z");
    world.advance(1).await;
    let ban = format!("/admin/users/{}/ban", ann.id);
    root.patch(&ban, json!({ "reason": "Spam" })).await.ok();
    undoes(&root, &post.id).await.ok();
    assert_eq!(case(&root, &post.id).await["account"]["status"], "BANNED");
}

#[tokio::test]
async fn a_case_with_a_ban_can_be_dismissed_only_after_an_undo() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    let user = ann.get("/auth/me").await.ok().data()["publicId"].as_str().unwrap().to_owned();
    for ban in ["ban", "temp-ban"] {
        rules(&root, &user, json!({ "actions": [ban], "reason": "Spam" })).await.ok();
        rules(&root, &user, json!({ "actions": ["dismiss"] }))
            .await
            .invalid("actions: must not be `dismiss`");
        undoes(&root, &user).await.ok();
    }
    rules(&root, &user, json!({ "actions": ["dismiss"] })).await.ok();
    ann.signs_in().await;
}

#[tokio::test]
async fn a_banned_user_gets_an_appeal_token_after_both_factors() {
    let (world, [ann]) = World::with(["ann"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let (authenticator, _) = enrolls(&world, &ann).await;
    change(&root, &ann, "ban", Value::Null).await.ok();
    let without = opens(&world.anyone, "ann", PASSWORD, None).await;
    without.refused(401, "SECOND_FACTOR_REQUIRED");
    assert_eq!(without.header("x-appeal-token"), None);
    let code = authenticator.code(&world);
    let body = json!({ "identifier": "ann", "password": PASSWORD, "code": code });
    let request = world.anyone.request(Method::POST, "/auth/login").json(&body);
    let refused = send(request.header("origin", "https://app.example.com")).await;
    refused.refused(403, "FORBIDDEN");
    let exposed = refused.header("access-control-expose-headers").unwrap();
    assert!(exposed.split(',').any(|name| name == "x-appeal-token"), "{exposed}");
    world.anyone.with_token(refused.header("x-appeal-token").unwrap()).get("/me/moderation").await.ok();
}
