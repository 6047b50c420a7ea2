//! Listing, searching, banning and locking accounts.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{PASSWORD, Person, World};

use super::{account, admin, administrator, change, start_with_root, world_with_admin};
use crate::{
    auth::login,
    workers::{purge, put},
};

const DAY: u64 = 24 * 60 * 60;

#[tokio::test]
async fn accounts_are_listed_newest_first() {
    let world = World::new().await;
    let root = admin(&world).await;
    for name in ["ann", "bob", "cleo", "dora"] {
        world.advance(1).await;
        world.person(name).await;
    }
    let pages = root.columns("/admin/users", 3, "username").await;
    assert_eq!(json!(pages), json!([["dora", "cleo", "bob"], ["ann", "root"]]));
    let accounts = root.get("/admin/users").await.ok();
    let ann = &accounts.rows()[3];
    let fields = json!([ann["email"], ann["status"], ann["roles"], ann["isVerified"]]);
    assert_eq!(fields, json!(["ann@example.com", "ACTIVE", ["USER"], true]));
    assert!(ann.get("passwordHash").is_none(), "{ann}");
}

#[tokio::test]
async fn accounts_are_found_by_id_or_prefix_of_name_or_email() {
    let (world, root, [ann, bob]) = world_with_admin(["ann.lee", "bob"]).await;
    bob.post("/auth/profile", json!({ "name": "Đặng Annette" })).await.ok();
    // A new user is found by their full username before the search index is updated.
    assert_eq!(found(&root, "q=ann.lee").await, ["ann.lee"]);
    world.settle().await;
    let mut by_name = found(&root, "q=ann").await;
    by_name.sort_by_key(Value::to_string);
    assert_eq!(by_name, ["ann.lee", "bob"]);
    assert_eq!(found(&root, "q=dang+an").await, ["bob"]);
    assert_eq!(found(&root, "q=bob@exam").await, ["bob"]);
    assert_eq!(found(&root, &format!("q={}", ann.id)).await, ["ann.lee"]);
    assert!(found(&root, "q=zed").await.is_empty());
    change(&root, &bob, "ban", Value::Null).await.ok();
    assert_eq!(found(&root, "q=ann&status=BANNED").await, ["bob"]);
    assert_eq!(found(&root, "q=ann&status=ACTIVE").await, ["ann.lee"]);
}

#[tokio::test]
async fn accounts_can_be_filtered_by_status() {
    let (_world, root, [ann, bob, cleo]) = world_with_admin(["ann", "bob", "cleo"]).await;
    change(&root, &ann, "ban", Value::Null).await.ok();
    change(&root, &bob, "lock", Value::Null).await.ok();
    assert_eq!(found(&root, "status=BANNED").await, ["ann"]);
    assert_eq!(found(&root, "status=LOCKED").await, ["bob"]);
    assert_eq!(found(&root, "status=ACTIVE").await.len(), 2);
    change(&root, &ann, "unlock", Value::Null).await.ok();
    assert!(found(&root, "status=BANNED").await.is_empty());
    for query in ["status=GONE", "status=banned", "q=", "take=0", "after=x"] {
        let field = query.split('=').next().unwrap();
        root.get(&format!("/admin/users?{query}")).await.invalid(field);
    }
    cleo.get("/auth/me").await.ok();
}

async fn found(root: &Person, query: &str) -> Vec<Value> {
    root.get(&format!("/admin/users?{query}")).await.ok().column("username")
}

#[tokio::test]
async fn a_ban_or_a_lock_ends_all_sessions_until_the_account_is_unlocked() {
    let (world, root, [ann]) = world_with_admin(["ann"]).await;
    for (action, status) in [("ban", "BANNED"), ("lock", "LOCKED")] {
        let sessions = [ann.signs_in().await, ann.signs_in().await];
        sessions[0].get("/auth/me").await.ok();
        let suspended = change(&root, &ann, action, json!({ "reason": "spam" })).await.ok();
        let fields = json!([suspended.data()["status"], suspended.data()["bannedUntil"]]);
        assert_eq!(fields, json!([status, null]), "{action}");
        for session in &sessions {
            session.get("/auth/me").await.refused(401, "UNAUTHORIZED");
            session.post("/posts", json!({ "content": "x" })).await.refused(401, "UNAUTHORIZED");
            session.with_refresh("/auth/refresh-token").await.refused(403, "FORBIDDEN");
        }
        world.anyone.post("/auth/login", login("ann", PASSWORD)).await.refused(403, "FORBIDDEN");
        change(&root, &ann, action, json!({})).await.ok();
        let unlocked = change(&root, &ann, "unlock", Value::Null).await.ok();
        assert_eq!(unlocked.data()["status"], "ACTIVE", "{action}");
        ann.signs_in().await.get("/auth/me").await.ok();
    }
}

#[tokio::test]
async fn an_invalid_ban_is_refused() {
    let (_world, root, [ann]) = world_with_admin(["ann"]).await;
    for body in [
        json!({ "bannedUntil": "tomorrow" }),
        json!({ "bannedUntil": "2020-01-01T00:00:00.000Z" }),
        json!({ "reason": "" }),
        json!({ "reason": 5 }),
        json!([]),
    ] {
        change(&root, &ann, "ban", body).await.refused(400, "VALIDATION_FAILED");
    }
    ann.get("/auth/me").await.ok();
}

#[tokio::test]
async fn a_temporary_ban_ends_at_most_an_hour_late() {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob, cleo]) = start_with_root(builder, Role::Admin, ["ann", "bob", "cleo"]).await;
    let banned = change(&root, &ann, "temp-ban", Value::Null).await.ok();
    assert_eq!(banned.data()["bannedUntil"], "2026-01-08T00:00:00.000Z");
    change(&root, &bob, "ban", json!({ "bannedUntil": "2026-01-01T12:30:00.000Z" })).await.ok();
    change(&root, &cleo, "ban", Value::Null).await.ok();
    world.advance_and_settle(DAY / 2).await;
    assert_eq!(status(&root.signs_in().await, &bob).await, "BANNED");
    world.advance_and_settle(60 * 60).await;
    let root = root.signs_in().await;
    assert_eq!(status(&root, &bob).await, "ACTIVE");
    bob.signs_in().await.get("/auth/me").await.ok();
    assert_eq!(status(&root, &ann).await, "BANNED");
    world.advance_and_settle(7 * DAY).await;
    let root = root.signs_in().await;
    assert_eq!(status(&root, &ann).await, "ACTIVE");
    assert_eq!(status(&root, &cleo).await, "BANNED", "a permanent ban does not expire");
}

#[tokio::test]
async fn the_hourly_run_lifts_the_bans_that_an_earlier_run_left() {
    let world = World::builder().without_ticks().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let root = admin(&world).await;
    let until = json!({ "bannedUntil": "2026-01-01T00:10:00.000Z" });
    for number in 0..60 {
        let person = world.person(&format!("person{number}")).await;
        change(&root, &person, "ban", until.clone()).await.ok();
    }
    assert_eq!(root.get("/admin/stats").await.ok().data()["bannedUsers"], 60);
    world.advance(10 * 60).await;
    purge(&world, "housekeeping").await;
    put(&world, "housekeeping", r#"{"job":"liftBans","messages":999}"#).await;
    world.stack.settle(None).await.unwrap();
    let stats = root.signs_in().await.get("/admin/stats").await.ok();
    assert_eq!(stats.data()["bannedUsers"], 35, "an earlier run reached its limit after one page");
    world.advance_and_settle(60 * 60).await;
    let root = root.signs_in().await;
    assert_eq!(root.get("/admin/stats").await.ok().data()["bannedUsers"], 0);
    assert!(found(&root, "status=BANNED").await.is_empty());
}

#[tokio::test]
async fn the_hourly_run_does_not_lift_a_concurrently_extended_ban() {
    let builder = World::builder().without_ticks();
    let (world, root, [bob]) = start_with_root(builder, Role::Admin, ["bob"]).await;
    change(&root, &bob, "ban", json!({ "bannedUntil": "2026-01-01T00:10:00.000Z" })).await.ok();
    world.settle().await;
    world.advance(10 * 60).await;
    let root = root.signs_in().await;
    put(&world, "housekeeping", r#"{"job":"liftBans"}"#).await;
    let extended = change(&root, &bob, "ban", Value::Null);
    let (run, extended) =
        world.faults.while_held("TransactWriteItems", world.stack.settle(None), extended).await;
    assert_eq!(run.unwrap().failed, 0);
    extended.ok();
    assert_eq!(status(&root, &bob).await, "BANNED");
}

async fn status(root: &Person, user: &Person) -> Value {
    account(root, user).await["status"].clone()
}

#[tokio::test]
async fn only_a_change_of_roles_ends_the_users_sessions() {
    let (world, root, [ann]) = world_with_admin(["ann"]).await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    let roles = json!({ "roles": ["ADMIN"] });
    change(&root, &ann, "roles", roles.clone()).await.refused(403, "FORBIDDEN");
    let changed = change(&boss, &ann, "roles", roles.clone()).await.ok();
    assert_eq!(changed.data()["roles"], json!(["USER", "ADMIN"]));
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    let ann = ann.signs_in().await;
    change(&boss, &ann, "roles", json!({ "roles": ["ADMIN", "USER"] })).await.ok();
    ann.get("/admin/users").await.ok();
    change(&boss, &ann, "roles", json!({ "roles": [] })).await.ok();
    ann.get("/admin/users").await.refused(401, "UNAUTHORIZED");
    ann.signs_in().await.get("/admin/users").await.refused(403, "FORBIDDEN");
    change(&boss, &boss, "roles", roles.clone()).await.refused(403, "FORBIDDEN");
    for body in [json!({}), json!({ "roles": ["KING"] }), json!({ "roles": "ADMIN" })] {
        change(&boss, &ann, "roles", body).await.refused(400, "VALIDATION_FAILED");
    }
}
