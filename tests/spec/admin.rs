//! Routes that only administrators can use.

mod accounts;
mod audit;
mod costs;
mod counts;
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
use tests::{PASSWORD, Person, World, send};

/// Creates a user, grants the role, and signs in.
pub(crate) async fn administrator(world: &World, name: &str, role: Role) -> Person {
    let person = world.person(name).await;
    let email = person.email.clone().try_into().unwrap();
    domain::accounts::appoint(&world.app(), &email, role, false).await.unwrap();
    person.signs_in().await
}

async fn admin(world: &World) -> Person {
    administrator(world, "root", Role::Admin).await
}

/// Returns the number of entries in the audit log.
async fn entries(root: &Person) -> usize {
    root.get("/admin/audit?take=100").await.ok().rows().len()
}

const UNKNOWN_ID: &str = "01KGB5T9G0A1B2C3D4E5F6G7H8";

fn routes() -> Vec<(Method, String, Value)> {
    let user = |action: &str| format!("/admin/users/{UNKNOWN_ID}/{action}");
    let roles = json!({ "roles": ["ADMIN"] });
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
        (
            Method::POST,
            "/admin/webhooks".into(),
            json!({ "url": "https://service.example", "events": ["circle.died"] }),
        ),
        (Method::GET, "/admin/webhooks".into(), Value::Null),
        (Method::PATCH, format!("/admin/webhooks/{UNKNOWN_ID}"), json!({ "enabled": true })),
        (Method::DELETE, format!("/admin/webhooks/{UNKNOWN_ID}"), Value::Null),
        (Method::POST, format!("/admin/webhooks/{UNKNOWN_ID}/test"), Value::Null),
    ]
}

#[tokio::test]
async fn admin_routes_refuse_anonymous_and_ordinary_users() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    for (method, path, body) in routes() {
        for path in [path.clone(), format!("/api/v1{path}")] {
            let ask = |client: &tests::Client| {
                let request = client.request(method.clone(), &path);
                if body.is_null() { request } else { request.json(&body) }
            };
            send(ask(&world.anyone)).await.refused(401, "UNAUTHORIZED");
            send(ask(&world.anyone.with_token("forged"))).await.refused(401, "UNAUTHORIZED");
            send(ask(&ann)).await.refused(403, "FORBIDDEN");
        }
    }
}

#[tokio::test]
async fn disabled_features_return_404_or_stub_responses() {
    let world = World::builder().settings(&[("PROPOSED_FEATURES", "off")]).start().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.posts(json!({ "content": "x", "topic": "cats" })).await;
    let report = bob.post(&post.path("/report"), json!({ "reason": "spam", "type": "post" })).await.ok();
    world.settle().await;
    for route in ["lock", "unlock", "temp-ban"] {
        let path = format!("/admin/users/{}/{route}", ann.id);
        root.patch(&path, Value::Null).await.refused(404, "NOT_FOUND");
    }
    let report = format!("/admin/reports/{}", report.data()["id"].as_str().unwrap());
    let decided = root.patch(&report, json!({ "action": "delete" })).await.ok();
    assert_eq!(decided.data()["status"], "PENDING");
    assert_eq!(bob.sees(&post).await["isDeleted"], false);
    assert_eq!(root.get("/admin/hashtags/trending").await.ok().data(), &json!([]));
    assert_eq!(root.get("/admin/stats").await.ok().data()["users"], 0);
    let ban = root.patch(&format!("/admin/users/{}/ban", ann.id), json!({})).await.ok();
    assert_eq!(ban.data()["status"], "BANNED");
}

#[tokio::test]
async fn the_audit_log_lists_every_action_newest_first() {
    let world = World::new().await;
    let root = admin(&world).await;
    // IDs that two processes generate in the same millisecond have no defined order.
    world.advance(1).await;
    let ann = world.person("ann").await;
    let user = format!("/admin/users/{}", ann.id);
    root.patch(&format!("{user}/ban"), json!({ "reason": "spam" })).await.ok();
    root.patch(&format!("{user}/unlock"), Value::Null).await.ok();
    root.patch(&format!("{user}/lock"), Value::Null).await.ok();
    root.post("/admin/daily-quests", json!({ "action": "LIKE_CREATED", "requirement": 2 })).await.ok();
    root.patch("/admin/daily-quests/LIKE_CREATED_2/disable", Value::Null).await.ok();
    let first = root.get("/admin/audit?take=3").await.ok();
    assert_eq!(first.column("action"), ["DISABLE_QUEST", "CREATE_QUEST", "LOCK_USER"]);
    let after = first.after().unwrap();
    let rest = root.get(&format!("/admin/audit?after={after}")).await.ok();
    assert_eq!(rest.column("action"), ["UNLOCK_USER", "BAN_USER", "APPOINT_ADMIN"]);
    let ban = &rest.rows()[1];
    assert_eq!((&ban["adminId"], &ban["targetId"]), (&json!(root.public_id), &json!(ann.public_id)));
    assert_eq!((&ban["note"], rest.after()), (&json!("spam"), None));
}

/// Signs in at the administrators' login route.
async fn signs_in(world: &World, identifier: &str, password: &str) -> tests::Answer {
    let body = json!({ "identifier": identifier, "password": password });
    world.anyone.post("/admin/login", body).await
}

fn login_body(name: &str) -> Value {
    json!({ "username": name, "password": PASSWORD })
}
