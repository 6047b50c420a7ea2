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
use serde_json::{Value, json};
use tests::{Answer, Builder, Person, World};

use crate::{
    moderation::reports,
    routes::document::{Operation, operations},
};

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

/// Starts a world with these options, and creates these users and the administrator `root`.
pub(crate) async fn start_with_root<const N: usize>(
    builder: Builder<'_>,
    role: Role,
    names: [&str; N],
) -> (World, Person, [Person; N]) {
    let (world, people) = builder.start_with(names).await;
    let root = administrator(&world, "root", role).await;
    (world, root, people)
}

/// Works as [`start_with_root`] does, with the default options.
pub(crate) async fn world_with_root<const N: usize>(
    role: Role,
    names: [&str; N],
) -> (World, Person, [Person; N]) {
    start_with_root(World::builder(), role, names).await
}

/// Works as [`world_with_root`] does, with the role ADMIN.
async fn world_with_admin<const N: usize>(names: [&str; N]) -> (World, Person, [Person; N]) {
    world_with_root(Role::Admin, names).await
}

/// Returns the operations that require the role of an administrator.
pub(crate) fn protected_operations() -> impl Iterator<Item = &'static Operation> + Clone {
    let is_protected = |path: &str| path.starts_with("/admin/") && path != "/admin/login";
    operations().iter().filter(move |operation| is_protected(&operation.path))
}

#[tokio::test]
async fn admin_routes_refuse_anonymous_and_ordinary_users() {
    let (world, [ann]) = World::with(["ann"]).await;
    for operation in protected_operations() {
        for prefix in ["", "/api/v1"] {
            for client in [&world.anyone, &world.anyone.with_token("forged")] {
                operation.ask(client, prefix).await.refused(401, "UNAUTHORIZED");
            }
            operation.ask(&ann, prefix).await.refused(403, "FORBIDDEN");
        }
    }
}

#[tokio::test]
async fn routes_of_disabled_features_return_404_or_stub_responses() {
    let builder = World::builder().settings(&[("PROPOSED_FEATURES", "off")]);
    let (world, root, [ann, bob]) = start_with_root(builder, Role::Admin, ["ann", "bob"]).await;
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
