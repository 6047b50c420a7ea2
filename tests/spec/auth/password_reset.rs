//! Resetting a forgotten password with an emailed link.

use serde_json::json;
use tests::{PASSWORD, World};

use super::{login, mailed::requests_reset, reset_token, resets_password, world_with_ann};

const HOUR: u64 = 60 * 60;

#[tokio::test]
async fn using_a_reset_link_invalidates_all_other_reset_links() {
    let (world, _ann) = world_with_ann().await;
    let mut links = Vec::new();
    for _ in 0..3 {
        world.advance(1).await;
        links.push(reset_token(&world, "ann").await);
    }
    let reset = async |link: &str, password: &str| {
        let body = json!({ "token": link, "password": password });
        world.anyone.post("/auth/reset-password", body).await
    };
    reset(&links[1], "another battery").await.ok();
    for other in [&links[0], &links[2]] {
        let answer = reset(other, "a third battery").await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "token: is unknown, used or expired");
    }
    world.anyone.post("/auth/login", login("ann", "another battery")).await.ok();
    world.advance(HOUR).await;
    resets_password(&world, "ann", "a fourth battery").await.ok();
}

#[tokio::test]
async fn a_reset_link_works_once_and_ends_all_sessions() {
    let (world, ann) = world_with_ann().await;
    let elsewhere = ann.signs_in().await;
    let bob = world.person("bob").await;
    let body = json!({ "token": reset_token(&world, "ann").await, "password": "another battery" });
    assert_eq!(world.mail_to("ann").pop().unwrap().subject, "Choose a new password");
    world.anyone.post("/auth/reset-password", body.clone()).await.ok();
    for ended in [&ann, &elsewhere] {
        ended.get("/auth/me").await.refused(401, "UNAUTHORIZED");
        ended.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    }
    bob.get("/auth/me").await.ok();
    world.anyone.post("/auth/login", login("ann", PASSWORD)).await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/login", login("ann", "another battery")).await.ok();
    let again = world.anyone.post("/auth/reset-password", body).await;
    assert_eq!(again.refused(400, "VALIDATION_FAILED"), "token: is unknown, used or expired");
}

#[tokio::test]
async fn a_reset_link_expires_after_an_hour() {
    let (world, _ann) = world_with_ann().await;
    let body = json!({ "token": reset_token(&world, "ann").await, "password": "another battery" });
    world.advance(HOUR).await;
    world.anyone.post("/auth/reset-password", body).await.refused(400, "VALIDATION_FAILED");
    world.anyone.post("/auth/login", login("ann", PASSWORD)).await.ok();
}

#[tokio::test]
async fn a_reset_request_does_not_reveal_whether_a_user_exists() {
    let (world, _ann) = world_with_ann().await;
    let (known, of_known) = world.cost_of(requests_reset(&world, "ann")).await;
    let (unknown, of_unknown) = world.cost_of(requests_reset(&world, "bob")).await;
    assert_eq!((known, of_known), (unknown, of_unknown));
    world.settle().await;
    assert_eq!((world.mail_to("ann").len(), world.mail_to("bob").len()), (2, 0));
}

#[tokio::test]
async fn the_reset_token_check_accepts_every_token() {
    let world = World::new().await;
    for path in ["/auth/reset-password/validate?token=x", "/auth/reset-password/validate"] {
        assert_eq!(world.anyone.get(path).await.ok().data(), &json!({ "valid": true }));
    }
}
