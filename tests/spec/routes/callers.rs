//! Authorization of every operation in the API reference.

use domain::people::users::Role;
use serde_json::Value;
use tests::{Client, PASSWORD, Person, World};

use super::{
    PREFIXES,
    document::{Access, operations},
};
use crate::{admin::administrator, auth::login, setup::MANY_WRITES};

/// Exempt from the check, because logging out succeeds even for an ended session.
const LOGOUT: &str = "POST /auth/logout";

#[tokio::test]
async fn every_protected_operation_refuses_invalid_tokens() {
    let (world, [expired]) = World::builder().settings(MANY_WRITES).start_with(["expired"]).await;
    world.advance(15 * 60).await;
    let gone = world.person("gone").await;
    gone.with_refresh("/auth/logout").await.ok();
    let strangers: [(&str, Client); 4] = [
        ("no token", world.anyone.clone()),
        ("an expired token", (*expired).clone()),
        ("a token of an ended session", (*gone).clone()),
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
async fn admin_operations_require_the_admin_role() {
    let (world, [ann]) = World::builder().settings(MANY_WRITES).start_with(["ann"]).await;
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
        let path = format!("{prefix}/admin/login");
        world.anyone.post(&path, login("boss", PASSWORD)).await.ok();
    }
}

#[tokio::test]
async fn a_banned_user_cannot_sign_in() {
    let world = World::new().await;
    let carl = banned(&world).await;
    for prefix in PREFIXES {
        carl.with_refresh(&format!("{prefix}/auth/refresh-token")).await.refused(403, "FORBIDDEN");
        for path in ["/auth/login", "/admin/login"] {
            let body = login(&carl.name, PASSWORD);
            world.anyone.post(&format!("{prefix}{path}"), body).await.refused(403, "FORBIDDEN");
        }
    }
}

async fn banned(world: &World) -> Person {
    let root = administrator(world, "root", Role::Admin).await;
    let person = world.person("carl").await;
    root.patch(&format!("/admin/users/{}/ban", person.id), Value::Null).await.ok();
    person
}
