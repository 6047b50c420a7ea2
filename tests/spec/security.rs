//! What every answer tells browsers, and what the log says of who came in and who did not.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{PASSWORD, World};

use crate::{
    admin::administrator,
    auth::{login, mailed_token},
    logs::{lines, listen},
};

#[tokio::test]
async fn no_answer_with_tokens_or_about_a_person_is_kept() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let answers = [
        world.anyone.post("/auth/login", login("ann", PASSWORD)).await,
        world.anyone.post("/auth/login", login("ann", "not this")).await,
        ann.with_refresh("/auth/refresh-token").await,
        ann.get("/auth/me").await,
        ann.get("/auth/sessions").await,
        ann.get("/message-group").await,
        ann.get("/notification").await,
        ann.get("/posts/news-feed").await,
        ann.post("/posts", json!({ "content": "x" })).await,
        ann.get("/nowhere").await,
    ];
    for answer in answers {
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{answer}");
        assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000"), "{answer}");
    }
    let page = world.anyone.get("/docs").await;
    assert_eq!(page.header("cache-control"), Some("public, max-age=60"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
}

#[tokio::test]
async fn the_log_says_who_came_in_who_did_not_and_whose_rights_changed() {
    listen();
    let world = World::new().await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    let ann = world.person("annabelle").await;
    // Queues keep no order: the mail of before is there first.
    world.settle().await;
    world.anyone.post("/auth/login", login("annabelle", "not this")).await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/login", login("nobody at all", PASSWORD)).await.refused(401, "UNAUTHORIZED");
    let other = ann.signs_in().await;
    other.get("/admin/users").await.refused(403, "FORBIDDEN");
    other.refreshes().await;
    world.advance(60).await;
    other.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/forgot-password", json!({ "email": ann.email })).await.ok();
    world.settle().await;
    let reset = json!({ "token": mailed_token(&world, "annabelle"), "password": "another battery" });
    world.anyone.post("/auth/reset-password", reset).await.ok();
    let deed = |what: &str| format!("/admin/users/{}/{what}", ann.id);
    boss.patch(&deed("roles"), json!({ "roles": ["ADMIN"] })).await.ok();
    boss.patch(&deed("lock"), Value::Null).await.ok();
    world.anyone.post("/auth/login", login("annabelle", "another battery")).await.refused(403, "FORBIDDEN");

    let by = format!("by {}", boss.id);
    let locked = format!("Locked {by}");
    for (event, reason) in [
        ("SIGN_IN_REFUSED", "wrong credentials"),
        ("SIGNED_IN", "with the password"),
        ("FORBIDDEN", "only administrators may do this"),
        ("SESSION_REVOKED", "an old refresh token came again"),
        ("PASSWORD_RESET", "by a mailed link"),
        ("ROLES_CHANGED", by.as_str()),
        ("STATUS_CHANGED", locked.as_str()),
        ("SIGN_IN_REFUSED", "banned or locked"),
    ] {
        let is_it = |it: &&Value| it["event"] == event && it["user"] == ann.id && it["reason"] == reason;
        assert_eq!(lines().iter().filter(is_it).count(), 1, "{event} {reason}");
    }
    let of_ann: Vec<_> = lines().iter().filter(|it| it["user"] == ann.id).cloned().collect();
    let personal = ["annabelle", "127.0.0.1", "battery"];
    for line in of_ann {
        let said = line.to_string();
        assert!(personal.iter().all(|it| !said.contains(it)), "{said}");
        assert!(line["span"]["id"].is_string(), "{said}");
    }
}
