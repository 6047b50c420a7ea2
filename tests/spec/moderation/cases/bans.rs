//! Decisions that ban a user.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{PASSWORD, send};

use super::{case, rules, undoes};
use crate::{
    admin::{administrator, change, world_with_root},
    auth::second_factor::{enrolls, opens},
    moderation::{
        appeals::{appeals, decides},
        reported_post, reports,
    },
};

#[tokio::test]
async fn only_administrators_can_ban_with_a_decision_and_undo_it() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
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
    assert_eq!(json!([other["status"], other["outcome"]["actions"]]), json!(["RESOLVED", ["ban"]]));
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
    let (world, root, [ann]) = world_with_root(Role::Admin, ["ann"]).await;
    let other = administrator(&world, "other", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let ban = json!({ "reason": "Spam", "bannedUntil": "2030-01-31T09:30:00.000Z" });
    change(&root, &ann, "ban", ban).await.ok();
    opens(&world.anyone, "ann", "wrong password", None).await.refused(401, "UNAUTHORIZED");
    let refused = opens(&world.anyone, "ann", PASSWORD, None).await;
    let message = refused.refused(403, "FORBIDDEN").to_owned();
    for part in ["2030-01-31T09:30:00.000Z", "Spam", &ann.public_id] {
        assert!(message.contains(part), "{part} in {message}");
    }
    let banned = world.anyone.with_token(refused.header("x-appeal-token").unwrap());
    let decisions = banned.get("/me/moderation").await.ok();
    let row = &decisions.rows()[0];
    assert_eq!(json!([row["id"], row["measure"], row["reason"]]), json!([ann.public_id, "BANNED", "Spam"]));
    for path in ["/auth/me", "/posts/news-feed?type=FOLLOWING", "/me/reports"] {
        banned.get(path).await.refused(401, "UNAUTHORIZED");
    }
    let appeal = appeals(&banned, &ann.public_id).await.ok();
    appeals(&banned, &ann.public_id).await.invalid("you can only appeal once");
    assert_eq!(banned.get("/me/moderation").await.ok().rows()[0]["appeal"]["status"], "PENDING");
    decides(&moderator, &appeal, "grant").await.refused(403, "FORBIDDEN");
    decides(&other, &appeal, "grant").await.ok();
    let ann = ann.signs_in().await;
    assert!(ann.get("/me/moderation").await.ok().rows()[0]["restoredAt"].is_string());
    world.advance(15 * 60 + 1).await;
    banned.get("/me/moderation").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn an_undo_lifts_only_the_ban_of_the_same_decision() {
    let (world, root, [ann, _], post) = reported_post(Role::Admin, "hello").await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    rules(&root, &post.id, json!({ "actions": ["temp-ban"], "reason": "Spam" })).await.ok();
    rules(&moderator, &post.id, json!({ "actions": ["dismiss"] })).await.refused(403, "FORBIDDEN");
    let longer =
        json!({ "actions": ["temp-ban"], "reason": "Spam", "bannedUntil": "2027-06-05T00:00:00.000Z" });
    world.advance(1).await;
    rules(&root, &post.id, longer).await.ok();
    let account = case(&root, &post.id).await["account"].clone();
    assert_eq!(account["bannedUntil"], "2027-06-05T00:00:00.000Z");
    world.advance(1).await;
    change(&root, &ann, "ban", json!({ "reason": "Spam" })).await.ok();
    undoes(&root, &post.id).await.ok();
    assert_eq!(case(&root, &post.id).await["account"]["status"], "BANNED");
}

#[tokio::test]
async fn a_case_with_a_ban_can_be_dismissed_only_after_an_undo() {
    let (_world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    let user = &ann.public_id;
    let dismisses = async || rules(&root, user, json!({ "actions": ["dismiss"] })).await;
    for ban in ["ban", "temp-ban"] {
        rules(&root, user, json!({ "actions": [ban], "reason": "Spam" })).await.ok();
        dismisses().await.invalid("actions: must not be `dismiss`");
        undoes(&root, user).await.ok();
    }
    dismisses().await.ok();
    ann.signs_in().await;
}

#[tokio::test]
async fn a_banned_user_gets_an_appeal_token_after_both_factors() {
    let (world, root, [ann]) = world_with_root(Role::Admin, ["ann"]).await;
    let (authenticator, _) = enrolls(&world, &ann).await;
    change(&root, &ann, "ban", Value::Null).await.ok();
    let without = opens(&world.anyone, "ann", PASSWORD, None).await;
    without.refused(401, "SECOND_FACTOR_REQUIRED");
    assert_eq!(without.header("x-appeal-token"), None);
    let body = json!({ "identifier": "ann", "password": PASSWORD, "code": authenticator.code(&world) });
    let request = world.anyone.request(Method::POST, "/auth/login").json(&body);
    let refused = send(request.header("origin", "https://app.example.com")).await;
    refused.refused(403, "FORBIDDEN");
    let exposed = refused.header("access-control-expose-headers").unwrap();
    assert!(exposed.split(',').any(|name| name == "x-appeal-token"), "{exposed}");
    world.anyone.with_token(refused.header("x-appeal-token").unwrap()).get("/me/moderation").await.ok();
}
