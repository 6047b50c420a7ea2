//! Security headers of responses, and the security log.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{PASSWORD, World};

use crate::{
    admin::administrator,
    auth::{
        applications::program,
        login, mailed_token,
        second_factor::{enrolls, opens, turns_off},
    },
    logs::{lines, listen},
};

#[tokio::test]
async fn private_responses_are_not_cached() {
    let (world, [ann]) = World::with(["ann"]).await;
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
async fn sign_ins_and_role_changes_are_logged() {
    listen();
    let world = World::new().await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    let ann = world.person("annabelle").await;
    // Queues do not keep the order, so the earlier email is delivered first.
    world.settle().await;
    world.anyone.post("/auth/login", login("annabelle", "not this")).await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/login", login("unknown user", PASSWORD)).await.refused(401, "UNAUTHORIZED");
    let other = ann.signs_in().await;
    other.get("/admin/users").await.refused(403, "FORBIDDEN");
    other.refreshes().await;
    world.advance(60).await;
    other.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/forgot-password", json!({ "email": ann.email })).await.ok();
    world.settle().await;
    let reset = json!({ "token": mailed_token(&world, "annabelle"), "password": "another battery" });
    world.anyone.post("/auth/reset-password", reset).await.ok();
    let action = |name: &str| format!("/admin/users/{}/{name}", ann.id);
    boss.patch(&action("roles"), json!({ "roles": ["ADMIN"] })).await.ok();
    boss.patch(&action("lock"), Value::Null).await.ok();
    world.anyone.post("/auth/login", login("annabelle", "another battery")).await.refused(403, "FORBIDDEN");

    let by = format!("by {}", boss.id);
    let locked = format!("Locked {by}");
    for (event, reason) in [
        ("SIGN_IN_REFUSED", "wrong credentials"),
        ("SIGNED_IN", "with the password"),
        ("FORBIDDEN", "only administrators may do this"),
        ("SESSION_REVOKED", "an old refresh token was reused"),
        ("PASSWORD_RESET", "with a mailed link"),
        ("ROLES_CHANGED", by.as_str()),
        ("STATUS_CHANGED", locked.as_str()),
        ("SIGN_IN_REFUSED", "banned or locked"),
    ] {
        let matches =
            |line: &&Value| line["event"] == event && line["user"] == ann.id && line["reason"] == reason;
        assert_eq!(lines().iter().filter(matches).count(), 1, "{event} {reason}");
    }
    let of_ann: Vec<_> = lines().iter().filter(|line| line["user"] == ann.id).cloned().collect();
    let personal = ["annabelle", "127.0.0.1", "battery"];
    for line in of_ann {
        let text = line.to_string();
        assert!(personal.iter().all(|value| !text.contains(value)), "{text}");
        assert!(line["span"]["id"].is_string(), "{text}");
    }
}

#[tokio::test]
async fn credential_changes_are_logged() {
    listen();
    let (world, [ann]) = World::with(["annabella"]).await;
    let (authenticator, codes) = enrolls(&world, &ann).await;
    opens(&world.anyone, "annabella", PASSWORD, Some("000000")).await.refused(401, "UNAUTHORIZED");
    let code = authenticator.code(&world);
    opens(&world.anyone, "annabella", PASSWORD, Some(&code)).await.ok();
    turns_off(&ann, PASSWORD, &codes[0]).await.ok();
    program(&ann, &["read"]).await;
    let tokens = ann.get("/auth/tokens").await.ok();
    ann.delete(&format!("/auth/tokens/{}", tokens.rows()[0]["id"].as_str().unwrap())).await.ok();
    let change = |current: &str| json!({ "currentPassword": current, "password": "another battery" });
    ann.post("/auth/password", change("not this")).await.refused(400, "VALIDATION_FAILED");
    ann.post("/auth/password", change(PASSWORD)).await.ok();
    world.advance(1).await;
    let email = json!({ "password": "another battery", "email": "bella@example.com" });
    ann.post("/auth/email", email).await.ok();
    world.settle().await;
    let link = json!({ "token": mailed_token(&world, "bella") });
    world.anyone.post("/auth/email/confirm", link).await.ok();

    let lines: Vec<_> = lines().iter().filter(|line| line["user"] == ann.id).cloned().collect();
    for (event, reason) in [
        ("SECOND_FACTOR_CHANGED", "on"),
        ("SIGN_IN_REFUSED", "wrong code"),
        ("SIGNED_IN", "with the password and a second factor"),
        ("SECOND_FACTOR_CHANGED", "off"),
        ("APPLICATION_TOKEN_CHANGED", "issued"),
        ("APPLICATION_TOKEN_CHANGED", "revoked"),
        ("SIGN_IN_REFUSED", "wrong password of a signed-in user"),
        ("PASSWORD_RESET", "with the current password"),
        ("EMAIL_CHANGED", "requested"),
        ("EMAIL_CHANGED", "confirmed"),
    ] {
        let matches = |line: &&Value| line["event"] == event && line["reason"] == reason;
        assert_eq!(lines.iter().filter(matches).count(), 1, "{event} {reason}");
    }
    for line in lines {
        let text = line.to_string();
        assert!(["bella", "battery", &code, &codes[0]].iter().all(|value| !text.contains(*value)), "{text}");
    }
}
