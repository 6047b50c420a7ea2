//! Authorization of every operation in the API reference.

use domain::people::users::Role;
use serde_json::Value;
use tests::{Client, Person, World, send};

use super::{
    PREFIXES,
    document::{Access, Operation, operations},
};
use crate::{
    admin::administrator,
    setup::{MANY_WRITES, start_with},
};

/// Exempt from the check, because logging out succeeds even for an ended session.
const LOGOUT: &str = "POST /auth/logout";

#[tokio::test]
async fn every_protected_operation_refuses_invalid_tokens() {
    let (world, [expired]) = start_with(World::builder().settings(MANY_WRITES), ["expired"]).await;
    world.advance(15 * 60).await;
    let strangers: [(&str, Client); 4] = [
        ("no token", world.anyone.clone()),
        ("an expired token", (*expired).clone()),
        ("a token of an ended session", (*logged_out(&world).await).clone()),
        ("a token of a banned user", (*banned(&world).await).clone()),
    ];
    let all = operations();
    let guarded =
        all.iter().filter(|operation| operation.access != Access::Public && operation.name() != LOGOUT);
    assert!(guarded.clone().count() > 50);
    for operation in guarded {
        for (stranger, client) in &strangers {
            for prefix in PREFIXES {
                let answer = operation.ask(client, prefix).await;
                let is_allowed = operation.access == Access::Optional && *stranger == "no token";
                match is_allowed {
                    true => assert!([200, 404].contains(&answer.status), "{stranger}: {answer}"),
                    false => drop(answer.refused(401, "UNAUTHORIZED").to_owned()),
                }
            }
        }
    }
}

#[tokio::test]
async fn a_logout_requires_both_tokens_of_a_session() {
    let world = World::new().await;
    let expired = world.person("expired").await;
    world.advance(15 * 60).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let logout = operations().iter().find(|operation| operation.name() == LOGOUT).unwrap();
    for prefix in PREFIXES {
        logout.ask(&world.anyone, prefix).await.refused(401, "UNAUTHORIZED");
        logout.ask(&ann, prefix).await.refused(401, "UNAUTHORIZED");
        logs_out(logout, &expired, &expired, prefix).await.refused(401, "UNAUTHORIZED");
        logs_out(logout, &ann, &bob, prefix).await.refused(401, "UNAUTHORIZED");
    }
    for prefix in PREFIXES {
        logs_out(logout, &ann, &ann, prefix).await.ok();
    }
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn admin_operations_require_the_admin_role() {
    let (world, [ann]) = start_with(World::builder().settings(MANY_WRITES), ["ann"]).await;
    let all = operations();
    let guarded = all.iter().filter(|operation| operation.access == Access::Admin);
    assert!(guarded.clone().count() > 10);
    for operation in guarded {
        for prefix in PREFIXES {
            operation.ask(&ann, prefix).await.refused(403, "FORBIDDEN");
        }
    }
    let admin = administrator(&world, "boss", Role::Admin).await;
    let roles = all.iter().find(|operation| operation.path == "/admin/users/{userId}/roles").unwrap();
    for prefix in PREFIXES {
        roles.ask(&admin, prefix).await.refused(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn a_banned_user_cannot_sign_in() {
    let world = World::new().await;
    let carl = banned(&world).await;
    for prefix in PREFIXES {
        carl.with_refresh(&format!("{prefix}/auth/refresh-token")).await.refused(403, "FORBIDDEN");
        let body = serde_json::json!({ "identifier": carl.name, "password": tests::PASSWORD });
        for path in ["/auth/login", "/admin/login"] {
            world.anyone.post(&format!("{prefix}{path}"), body.clone()).await.refused(403, "FORBIDDEN");
        }
    }
}

async fn logged_out(world: &World) -> Person {
    let person = world.person("gone").await;
    person.with_refresh("/auth/logout").await.ok();
    person
}

async fn banned(world: &World) -> Person {
    let root = administrator(world, "root", Role::Admin).await;
    let person = world.person("carl").await;
    root.patch(&format!("/admin/users/{}/ban", person.id), Value::Null).await.ok();
    person
}

async fn logs_out(logout: &Operation, access: &Person, refresh: &Person, prefix: &str) -> tests::Answer {
    let request = logout.request(access, prefix);
    send(request.header("x-refresh-token", &refresh.refresh_token)).await
}
