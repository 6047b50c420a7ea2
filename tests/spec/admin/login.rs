//! Signing in as an administrator.

use serde_json::json;
use tests::{Answer, PASSWORD, World};

use super::admin;
use crate::auth::login;

async fn signs_in(world: &World, identifier: &str, password: &str) -> Answer {
    world.anyone.post("/admin/login", login(identifier, password)).await
}

#[tokio::test]
async fn administrators_sign_in_by_username_or_email() {
    let world = World::new().await;
    let root = admin(&world).await;
    for identifier in ["root", "ROOT@example.com"] {
        let answer = signs_in(&world, identifier, PASSWORD).await.ok();
        let token = answer.data()["accessToken"].as_str().unwrap();
        world.anyone.with_token(token).get("/api/v1/admin/users").await.ok();
    }
    world.anyone.post("/api/v1/admin/login", json!({ "username": "root", "password": PASSWORD })).await.ok();
    root.get("/admin/users").await.ok();
}

#[tokio::test]
async fn the_admin_login_refuses_ordinary_users() {
    let (world, [ann]) = World::with(["ann"]).await;
    signs_in(&world, "ann", PASSWORD).await.refused(403, "FORBIDDEN");
    assert_eq!(ann.get("/auth/sessions").await.ok().rows().len(), 1);
    signs_in(&world, "ann", "wrong password").await.refused(401, "UNAUTHORIZED");
    signs_in(&world, "unknown", PASSWORD).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn repeated_admin_logins_are_limited() {
    let world = World::builder().settings(&[("AUTH_LIMIT_PER_5_MIN", "3")]).start().await;
    for _ in 0..3 {
        signs_in(&world, "root", "wrong password").await.refused(401, "UNAUTHORIZED");
    }
    signs_in(&world, "root", "wrong password").await.refused(429, "TOO_MANY_REQUESTS");
}
