//! Administration with a required second factor.

use domain::people::users::Role;
use serde_json::json;
use tests::{PASSWORD, Person, World};

use super::{protected_operations, start_with_root};
use crate::auth::{
    applications::program,
    second_factor::{Authenticator, enrolls, opens, turns_off},
};

const NO_SECOND_FACTOR: &str = "administrators must sign in with a second factor";

/// Starts a world in which administration requires a second factor, and creates an administrator without one.
async fn world_with(role: Role) -> (World, Person) {
    let builder = World::builder().settings(&[("ADMIN_SECOND_FACTOR", "required")]);
    let (world, root, []) = start_with_root(builder, role, []).await;
    (world, root)
}

/// Signs in again, with a code of the authenticator.
async fn signs_in(world: &World, authenticator: &Authenticator) -> Person {
    let code = authenticator.code(world);
    let pair = opens(&world.anyone, "root", PASSWORD, Some(&code)).await.ok();
    Person::of_tokens(&world.anyone, "root", pair.data())
}

#[tokio::test]
async fn admin_routes_refuse_sessions_without_a_second_factor() {
    let (_world, root) = world_with(Role::SuperAdmin).await;
    for operation in protected_operations() {
        let answer = operation.ask(&root, "").await;
        assert_eq!(answer.refused(403, "FORBIDDEN"), NO_SECOND_FACTOR, "{answer}");
    }
    // Other routes do not require a second factor.
    root.get("/auth/me").await.ok();
    root.writes("hello").await;
}

#[tokio::test]
async fn an_administrator_adds_a_second_factor_and_signs_in() {
    let (world, root) = world_with(Role::Admin).await;
    let (authenticator, _) = enrolls(&world, &root).await;
    assert_eq!(root.get("/admin/users").await.refused(403, "FORBIDDEN"), NO_SECOND_FACTOR);
    let mut body = json!({ "identifier": "root", "password": PASSWORD });
    world.anyone.post("/admin/login", body.clone()).await.refused(401, "SECOND_FACTOR_REQUIRED");
    body["code"] = json!(authenticator.code(&world));
    let pair = world.anyone.post("/admin/login", body).await.ok();
    let root = Person::of_tokens(&world.anyone, "root", pair.data());
    root.get("/admin/users").await.ok();
    root.refreshes().await.get("/admin/users").await.ok();
}

#[tokio::test]
async fn disabling_the_second_factor_ends_admin_access() {
    let (world, root) = world_with(Role::Admin).await;
    let (authenticator, codes) = enrolls(&world, &root).await;
    let root = signs_in(&world, &authenticator).await;
    root.get("/admin/stats").await.ok();
    turns_off(&root, PASSWORD, &codes[0]).await.ok();
    assert_eq!(root.get("/admin/stats").await.refused(403, "FORBIDDEN"), NO_SECOND_FACTOR);
    root.get("/auth/me").await.ok();
}

#[tokio::test]
async fn admin_routes_refuse_tokens_of_sessions_without_second_factor() {
    let (world, root) = world_with(Role::Admin).await;
    let plain = program(&root, &["admin:reports"]).await;
    assert_eq!(plain.get("/admin/reports").await.refused(403, "FORBIDDEN"), NO_SECOND_FACTOR);
    let (authenticator, _) = enrolls(&world, &root).await;
    let root = signs_in(&world, &authenticator).await;
    program(&root, &["admin:reports"]).await.get("/admin/reports").await.ok();
    assert_eq!(plain.get("/admin/reports").await.refused(403, "FORBIDDEN"), NO_SECOND_FACTOR);
}
