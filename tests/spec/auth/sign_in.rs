//! Signing in.

use domain::people::users::Status;
use futures::future::join_all;
use serde_json::json;
use tests::{PASSWORD, World};

use super::{ban, login, reset_token, world_with_ann};

const WRONG: &str = "the identifier or the password is wrong";

#[tokio::test]
async fn a_user_signs_in_by_email_or_username_in_any_letter_case() {
    let (world, _) = World::with(["ann"]).await;
    for (field, value) in [
        ("identifier", "ann"),
        ("identifier", "ANN"),
        ("identifier", "Ann@Example.com"),
        ("email", "ann@example.com"),
        ("username", "ann"),
    ] {
        let answer = world.anyone.post("/auth/login", json!({ field: value, "password": PASSWORD })).await;
        assert_eq!(answer.status, 200, "{answer}");
        let ann = world.anyone.with_token(answer.data()["accessToken"].as_str().unwrap());
        ann.get("/auth/me").await.ok();
    }
}

#[tokio::test]
async fn sign_in_does_not_reveal_whether_a_user_exists() {
    let (world, _) = World::with(["ann"]).await;
    let (wrong, of_wrong) = world.cost_of(world.anyone.post("/auth/login", login("ann", "not this"))).await;
    for name in ["bob", "bob@example.com", "no name at all", "x"] {
        let (unknown, cost) = world.cost_of(world.anyone.post("/auth/login", login(name, PASSWORD))).await;
        assert_eq!(unknown.refused(401, "UNAUTHORIZED"), WRONG);
        assert_eq!((&unknown.body, cost), (&wrong.body, of_wrong.clone()));
    }
}

#[tokio::test]
async fn a_ban_or_lock_is_revealed_only_with_the_right_password() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (status, message) in
        [(Status::Banned, "this account is banned"), (Status::Locked, "this account is locked")]
    {
        ban(&world.app(), &ann, status).await;
        let right = world.anyone.post("/auth/login", login("ann", PASSWORD)).await;
        assert!(right.refused(403, "FORBIDDEN").starts_with(message), "{right}");
        let wrong = world.anyone.post("/auth/login", login("ann", "not this")).await;
        assert_eq!(wrong.refused(401, "UNAUTHORIZED"), WRONG);
        ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    }
}

#[tokio::test]
async fn a_password_reset_ends_concurrently_opened_sessions() {
    let (world, _ann) = world_with_ann().await;
    let body = json!({ "token": reset_token(&world, "ann").await, "password": "another battery" });
    let logins = join_all((0..8).map(|_| world.anyone.post("/auth/login", login("ann", PASSWORD))));
    let (reset, logins) = futures::join!(world.anyone.post("/auth/reset-password", body), logins);
    reset.ok();
    for answer in logins.iter().filter(|answer| answer.status == 200) {
        let ann = world.anyone.with_token(answer.data()["accessToken"].as_str().unwrap());
        ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    }
}

#[tokio::test]
async fn the_error_for_an_invalid_login_names_the_field() {
    let world = World::new().await;
    for (body, message) in [
        (json!({ "password": "x" }), "identifier: is required"),
        (json!({ "identifier": "ann" }), "password: is required"),
        (login(" ", "x"), "identifier: must be an email address or a username"),
        (login(&"x".repeat(255), "x"), "identifier: must be an email address or a username"),
    ] {
        assert_eq!(world.anyone.post("/auth/login", body).await.refused(400, "VALIDATION_FAILED"), message);
    }
}
