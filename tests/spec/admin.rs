//! Routes that only administrators can use.

mod accounts;
mod audit;
mod costs;
pub(crate) mod counts;
mod filters;
mod login;
mod moderation;
mod powers;
mod sanctions;
mod second_factor;
mod trends;
pub(crate) mod webhooks;

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use crate::{moderation::reports, routes::UNKNOWN_ID};

/// Creates a user with the role, and returns them signed in.
pub(crate) async fn administrator(world: &World, name: &str, role: Role) -> Person {
    let person = world.person(name).await;
    let email = person.email.clone().try_into().unwrap();
    domain::accounts::appoint(&world.app(), &email, role, false).await.unwrap();
    person.signs_in().await
}

async fn admin(world: &World) -> Person {
    administrator(world, "root", Role::Admin).await
}

/// Changes the account of `user` with an operation of administrators, such as `ban`.
pub(crate) async fn change(root: &Person, user: &Person, action: &str, body: Value) -> Answer {
    root.patch(&format!("/admin/users/{}/{action}", user.id), body).await
}

/// Returns the user's row in the administrators' list of users.
async fn account(root: &Person, user: &Person) -> Value {
    root.get(&format!("/admin/users?q={}", user.id)).await.ok().rows()[0].clone()
}

/// Returns the number of entries in the audit log, at most 100.
async fn entries(root: &Person) -> usize {
    root.get("/admin/audit?take=100").await.ok().rows().len()
}

/// Returns one request for each administrator route: the method, the path and the body.
fn routes() -> Vec<(Method, String, Value)> {
    let user = |action: &str| format!("/admin/users/{UNKNOWN_ID}/{action}");
    let roles = json!({ "roles": ["ADMIN"] });
    let webhook = json!({ "url": "https://service.example", "events": ["circle.died"] });
    vec![
        (Method::GET, "/admin/users".into(), Value::Null),
        (Method::PATCH, user("ban"), Value::Null),
        (Method::PATCH, user("temp-ban"), Value::Null),
        (Method::PATCH, user("lock"), Value::Null),
        (Method::PATCH, user("unlock"), Value::Null),
        (Method::PATCH, user("roles"), roles),
        (Method::GET, "/admin/reports".into(), Value::Null),
        (Method::PATCH, format!("/admin/reports/{UNKNOWN_ID}"), json!({ "action": "hide" })),
        (Method::GET, "/admin/appeals".into(), Value::Null),
        (Method::PATCH, format!("/admin/appeals/{UNKNOWN_ID}"), json!({ "action": "grant" })),
        (Method::GET, "/admin/hashtags/trending".into(), Value::Null),
        (Method::GET, "/admin/stats".into(), Value::Null),
        (Method::GET, "/admin/audit".into(), Value::Null),
        (Method::POST, "/admin/daily-quests".into(), json!({ "action": "LIKE_CREATED", "requirement": 1 })),
        (Method::GET, "/admin/daily-quests".into(), Value::Null),
        (Method::GET, "/admin/daily-quests/actions".into(), Value::Null),
        (Method::PATCH, "/admin/daily-quests/HELP_OTHERS/disable".into(), Value::Null),
        (Method::POST, "/admin/webhooks".into(), webhook),
        (Method::GET, "/admin/webhooks".into(), Value::Null),
        (Method::PATCH, format!("/admin/webhooks/{UNKNOWN_ID}"), json!({ "enabled": true })),
        (Method::DELETE, format!("/admin/webhooks/{UNKNOWN_ID}"), Value::Null),
        (Method::POST, format!("/admin/webhooks/{UNKNOWN_ID}/test"), Value::Null),
    ]
}

#[tokio::test]
async fn admin_routes_refuse_anonymous_and_ordinary_users() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (method, path, body) in routes() {
        for path in [path.clone(), format!("/api/v1{path}")] {
            for client in [&world.anyone, &world.anyone.with_token("forged")] {
                client.call(method.clone(), &path, &body).await.refused(401, "UNAUTHORIZED");
            }
            ann.call(method.clone(), &path, &body).await.refused(403, "FORBIDDEN");
        }
    }
}

#[tokio::test]
async fn routes_of_disabled_features_return_404_or_stub_responses() {
    let world = World::builder().settings(&[("PROPOSED_FEATURES", "off")]).start().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.posts(json!({ "content": "x", "topic": "cats" })).await;
    let report = reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    for action in ["lock", "unlock", "temp-ban"] {
        change(&root, &ann, action, Value::Null).await.refused(404, "NOT_FOUND");
    }
    let decided = root.patch(&report, json!({ "action": "delete" })).await.ok();
    assert_eq!(decided.data()["status"], "PENDING");
    assert_eq!(bob.sees(&post).await["isDeleted"], false);
    assert_eq!(root.get("/admin/hashtags/trending").await.ok().data(), &json!([]));
    assert_eq!(root.get("/admin/stats").await.ok().data()["users"], 0);
    assert_eq!(change(&root, &ann, "ban", json!({})).await.ok().data()["status"], "BANNED");
}

#[tokio::test]
async fn the_audit_log_lists_every_action_newest_first() {
    let world = World::new().await;
    let root = admin(&world).await;
    // IDs that two processes generate in the same millisecond have no defined order.
    world.advance(1).await;
    let ann = world.person("ann").await;
    for (action, body) in
        [("ban", json!({ "reason": "spam" })), ("unlock", Value::Null), ("lock", Value::Null)]
    {
        change(&root, &ann, action, body).await.ok();
    }
    root.post("/admin/daily-quests", json!({ "action": "LIKE_CREATED", "requirement": 2 })).await.ok();
    root.patch("/admin/daily-quests/LIKE_CREATED_2/disable", Value::Null).await.ok();
    let first = root.get("/admin/audit?take=3").await.ok();
    assert_eq!(first.column("action"), ["DISABLE_QUEST", "CREATE_QUEST", "LOCK_USER"]);
    let after = first.after().unwrap();
    let rest = root.get(&format!("/admin/audit?after={after}")).await.ok();
    assert_eq!(rest.column("action"), ["UNLOCK_USER", "BAN_USER", "APPOINT_ADMIN"]);
    let ban = &rest.rows()[1];
    assert_eq!(json!([ban["adminId"], ban["targetId"]]), json!([root.public_id, ann.public_id]));
    assert_eq!(json!([ban["note"], rest.after()]), json!(["spam", null]));
}
