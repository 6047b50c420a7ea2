//! Administrating with a second factor, where that is required.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::json;
use tests::{PASSWORD, Person, World, send};

use super::{administrator, routes};
use crate::auth::{
    applications::program,
    second_factor::{enrols, opens},
};

const LACKING: &str = "administrators must sign in with a second factor";

#[tokio::test]
async fn where_it_is_required_no_route_answers_a_session_without_it() {
    let world = World::builder().settings(&[("ADMIN_SECOND_FACTOR", "required")]).start().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    for (method, path, body) in routes() {
        let request = root.request(method, &path);
        let answer = send(if body.is_null() { request } else { request.json(&body) }).await;
        assert_eq!(answer.refused(403, "FORBIDDEN"), LACKING, "{answer}");
    }
    // All else is as for everybody.
    root.get("/auth/me").await.ok();
    root.writes("hello").await;
}

#[tokio::test]
async fn a_plain_sign_in_sets_it_up_and_the_next_one_administrates() {
    let world = World::builder().settings(&[("ADMIN_SECOND_FACTOR", "required")]).start().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let (authenticator, _) = enrols(&world, &root).await;
    assert_eq!(root.get("/admin/users").await.refused(403, "FORBIDDEN"), LACKING);
    let mut body = json!({ "identifier": "root", "password": PASSWORD });
    world.anyone.post("/admin/login", body.clone()).await.refused(401, "SECOND_FACTOR_REQUIRED");
    body["code"] = json!(authenticator.code(&world));
    let pair = world.anyone.post("/admin/login", body).await.ok();
    let root = Person::of_tokens(&world.anyone, "root", pair.data());
    root.get("/admin/users").await.ok();
    root.refreshes().await.get("/admin/users").await.ok();
}

#[tokio::test]
async fn who_turns_it_off_administrates_no_longer() {
    let world = World::builder().settings(&[("ADMIN_SECOND_FACTOR", "required")]).start().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let (authenticator, codes) = enrols(&world, &root).await;
    let pair = opens(&world.anyone, "root", PASSWORD, Some(&authenticator.code(&world))).await.ok();
    let root = Person::of_tokens(&world.anyone, "root", pair.data());
    root.get("/admin/stats").await.ok();
    let body = json!({ "password": PASSWORD, "code": codes[0] });
    send(root.request(Method::DELETE, "/auth/totp").json(&body)).await.ok();
    assert_eq!(root.get("/admin/stats").await.refused(403, "FORBIDDEN"), LACKING);
    root.get("/auth/me").await.ok();
}

#[tokio::test]
async fn an_application_token_counts_as_the_session_that_issued_it() {
    let world = World::builder().settings(&[("ADMIN_SECOND_FACTOR", "required")]).start().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let plain = program(&root, &["admin:reports"]).await;
    assert_eq!(plain.get("/admin/reports").await.refused(403, "FORBIDDEN"), LACKING);
    let (authenticator, _) = enrols(&world, &root).await;
    let pair = opens(&world.anyone, "root", PASSWORD, Some(&authenticator.code(&world))).await.ok();
    let root = Person::of_tokens(&world.anyone, "root", pair.data());
    program(&root, &["admin:reports"]).await.get("/admin/reports").await.ok();
    assert_eq!(plain.get("/admin/reports").await.refused(403, "FORBIDDEN"), LACKING);
}

#[tokio::test]
async fn where_it_is_off_any_sign_in_administrates() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    root.get("/admin/users").await.ok();
}
