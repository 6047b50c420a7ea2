//! Bans that an unlock, an undo or a granted appeal ends early, and appeals against decisions about cases.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Client, Fault, PASSWORD, Person, World};

use super::{case, rules, undoes};
use crate::{
    admin::{administrator, change, start_with_root, world_with_root},
    auth::login,
    moderation::{
        appeals::{appeals, decides},
        decisions, reported_post, reports,
    },
};

/// Signs in as a banned user, with the token that reaches only the decisions and the appeal.
async fn as_banned(world: &World, user: &Person) -> Client {
    let refused = world.anyone.post("/auth/login", login(&user.name, PASSWORD)).await;
    refused.refused(403, "FORBIDDEN");
    world.anyone.with_token(refused.header("x-appeal-token").unwrap())
}

/// Reports a post of `ann`, and decides its case. Returns the ID of the case.
async fn decides_case(world: &World, root: &Person, [ann, bob]: [&Person; 2], actions: Value) -> String {
    let post = ann.writes("buy now").await;
    reports(bob, &post.id, json!({})).await;
    rules(root, &post.id, json!({ "actions": actions })).await.ok();
    world.settle().await;
    post.id
}

/// Starts a world with two administrators and two users.
async fn two_admins() -> (World, [Person; 2], [Person; 2]) {
    let (world, root, people) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let other = administrator(&world, "other", Role::Admin).await;
    (world, [root, other], people)
}

async fn appeal_statuses(root: &Person) -> Vec<Value> {
    root.get("/admin/appeals").await.ok().column("status")
}

#[tokio::test]
async fn a_ban_and_its_decision_are_stored_together() {
    for fault in [Fault::Crash, Fault::CrashAfter] {
        let (world, root, [ann, _], post) = reported_post(Role::Admin, "buy now").await;
        let consistent = async |status: &str| {
            let found = case(&root, &post.id).await;
            let is_banned = found["account"]["status"] == "BANNED";
            assert_eq!(found["status"] != "PENDING", is_banned, "{fault:?}, {status}");
            let is_signed_in = ann.get("/auth/me").await.status == 200;
            assert!(!(is_banned && is_signed_in), "{fault:?}, {status}: the ban ends all sessions");
        };
        world.faults.next("TransactWriteItems", fault);
        rules(&root, &post.id, json!({ "actions": ["hide", "ban"] })).await;
        assert_eq!(world.faults.calm(), 1);
        consistent("decided").await;
        rules(&root, &post.id, json!({ "actions": ["hide", "ban"] })).await.ok();
        world.faults.next("TransactWriteItems", fault);
        undoes(&root, &post.id).await;
        assert_eq!(world.faults.calm(), 1);
        consistent("undone").await;
    }
}

#[tokio::test]
async fn a_deleted_post_is_restored_with_a_ban() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let id = decides_case(&world, &root, [&ann, &bob], json!(["delete"])).await;
    world.advance(1).await;
    rules(&root, &id, json!({ "actions": ["hide", "temp-ban"] })).await.ok();
    let found = case(&root, &id).await;
    assert_eq!(json!([found["status"], found["account"]["status"]]), json!(["HIDDEN", "BANNED"]));
}

#[tokio::test]
async fn a_user_can_be_warned_and_banned_at_once() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    let until = "2027-06-05T00:00:00.000Z";
    let body = json!({ "actions": ["warn", "temp-ban"], "warning": "Stop it.", "bannedUntil": until });
    rules(&root, &ann.public_id, body).await.ok();
    let rows = as_banned(&world, &ann).await.get("/me/moderation").await.ok().rows().to_vec();
    let fields = ["measure", "warning", "bannedUntil", "restoredAt"].map(|field| rows[0][field].clone());
    assert_eq!((rows.len(), json!(fields)), (1, json!(["BANNED", "Stop it.", until, null])));
    assert_eq!(rows[0]["measures"], json!(["BANNED", "WARNED"]));
}

#[tokio::test]
async fn a_new_ban_closes_the_appeal_against_the_earlier_ban() {
    let (world, [root, other], [ann, bob]) = two_admins().await;
    decides_case(&world, &root, [&ann, &bob], json!(["temp-ban"])).await;
    let appeal = appeals(&as_banned(&world, &ann).await, &ann.public_id).await.ok();
    world.advance(1).await;
    for fault in [Fault::Crash, Fault::CrashAfter] {
        world.faults.next("TransactWriteItems", fault);
        change(&root, &ann, "ban", json!({ "reason": "Again" })).await;
        assert_eq!(world.faults.calm(), 1);
    }
    change(&root, &ann, "ban", json!({ "reason": "Again" })).await.ok();
    assert_eq!(appeal_statuses(&root).await, ["CLOSED"]);
    decides(&other, &appeal, "grant").await.refused(400, "VALIDATION_FAILED");
    let banned = as_banned(&world, &ann).await;
    let rows = banned.get("/me/moderation").await.ok().rows().to_vec();
    let fields = |row: &Value| json!([row["reason"], row["appeal"]["status"], row["restoredAt"]]);
    let both = [json!(["Again", null, null]), json!(["It breaks a rule.", "CLOSED", null])];
    assert_eq!([fields(&rows[0]), fields(&rows[1])], both);
    let second = appeals(&banned, &ann.public_id).await.ok();
    world.advance(1).await;
    decides(&other, &second, "grant").await.ok();
    ann.signs_in().await;
}

#[tokio::test]
async fn a_lock_closes_the_appeal_against_a_ban() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    decides_case(&world, &root, [&ann, &bob], json!(["temp-ban"])).await;
    appeals(&as_banned(&world, &ann).await, &ann.public_id).await.ok();
    world.advance(1).await;
    change(&root, &ann, "lock", Value::Null).await.ok();
    assert_eq!(appeal_statuses(&root).await, ["CLOSED"]);
}

#[tokio::test]
async fn an_unlock_ends_the_ban_and_closes_its_appeal() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let id = decides_case(&world, &root, [&ann, &bob], json!(["ban"])).await;
    let appeal = appeals(&as_banned(&world, &ann).await, &ann.public_id).await.ok();
    world.advance(1).await;
    change(&root, &ann, "unlock", Value::Null).await.ok();
    let now = json!(world.app().now());
    let ann = ann.signs_in().await;
    let row = decisions(&ann).await[0].clone();
    let fields = json!([row["measure"], row["restoredAt"], row["strikeUntil"], row["appeal"]["status"]]);
    assert_eq!(fields, json!(["BANNED", now, null, "CLOSED"]));
    assert_eq!(appeal_statuses(&root).await, ["CLOSED"]);
    let closed = root.get("/admin/appeals?status=CLOSED").await.ok();
    assert_eq!(closed.column("id"), [appeal.data()["id"].clone()]);
    decides(&root, &appeal, "grant").await.refused(400, "VALIDATION_FAILED");
    let found = case(&root, &id).await;
    assert_eq!(json!([found["status"], found["outcome"]["liftedAt"]]), json!(["RESOLVED", now]));
    assert_eq!(found["history"][0]["kind"], "BAN_LIFTED");
    assert_eq!(found["history"][0]["by"], json!(root.public_id));
}

#[tokio::test]
async fn a_granted_appeal_marks_the_ban_of_the_case_as_lifted() {
    let (world, [root, other], [ann, bob]) = two_admins().await;
    let id = decides_case(&world, &root, [&ann, &bob], json!(["ban"])).await;
    assert_eq!(case(&root, &id).await["outcome"]["liftedAt"], Value::Null);
    let appeal = appeals(&as_banned(&world, &ann).await, &ann.public_id).await.ok();
    world.advance(1).await;
    world.faults.next("TransactWriteItems", Fault::Crash);
    decides(&other, &appeal, "grant").await;
    assert_eq!(world.faults.calm(), 1);
    assert_eq!(case(&root, &id).await["account"]["status"], "BANNED", "the appeal is not decided");
    decides(&other, &appeal, "grant").await.ok();
    let found = case(&root, &id).await;
    assert_eq!(found["outcome"]["liftedAt"], json!(world.app().now()));
    assert_eq!(found["account"]["status"], "ACTIVE");
    assert_eq!(found["history"][0]["by"], json!(other.public_id));
    assert_eq!(appeal_statuses(&root).await, ["GRANTED"]);
    world.advance(1).await;
    rules(&root, &id, json!({ "actions": ["ban"] })).await.ok();
    let again = case(&root, &id).await;
    assert_eq!(json!([again["outcome"]["liftedAt"], again["account"]["status"]]), json!([null, "BANNED"]));
}

#[tokio::test]
async fn the_history_of_a_case_shows_the_decision_of_an_appeal() {
    for (action, decision, kind) in [
        ("ban", "uphold", "APPEAL_DENIED"),
        ("hide", "uphold", "APPEAL_DENIED"),
        ("ban", "grant", "BAN_LIFTED"),
        ("hide", "grant", "DECIDED"),
    ] {
        let (world, [root, other], [ann, bob]) = two_admins().await;
        let id = decides_case(&world, &root, [&ann, &bob], json!([action])).await;
        let appeal = match action {
            "ban" => appeals(&as_banned(&world, &ann).await, &ann.public_id).await.ok(),
            _ => appeals(&ann, &id).await.ok(),
        };
        world.advance(1).await;
        decides(&other, &appeal, decision).await.ok();
        let event = case(&root, &id).await["history"][0].clone();
        let fields = json!([event["kind"], event["text"], event["by"]]);
        assert_eq!(fields, json!([kind, "looked at it", other.public_id]), "{action} {decision}");
    }
}

#[tokio::test]
async fn an_appeal_against_a_ban_is_decided_by_another_administrator() {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob]) = start_with_root(builder, Role::Admin, ["ann", "bob"]).await;
    let other = administrator(&world, "other", Role::Admin).await;
    let mut made = Vec::new();
    for user in [&ann, &bob] {
        change(&root, user, "ban", json!({ "reason": "Spam" })).await.ok();
        made.push(appeals(&as_banned(&world, user).await, &user.public_id).await.ok());
    }
    let deciders = root.get("/admin/appeals").await.ok().column("hiddenBy");
    assert_eq!(json!(deciders), json!([root.public_id, root.public_id]));
    decides(&root, &made[0], "grant").await.refused(403, "FORBIDDEN");
    decides(&other, &made[0], "grant").await.ok();
    world.advance(72 * 3600).await;
    decides(&root.signs_in().await, &made[1], "grant").await.ok();
    bob.signs_in().await;
}

#[tokio::test]
async fn pages_of_a_banned_users_decisions_have_the_requested_size() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    for _ in 0..2 {
        decides_case(&world, &root, [&ann, &bob], json!(["hide"])).await;
        world.advance(1).await;
    }
    change(&root, &ann, "ban", json!({ "reason": "Spam" })).await.ok();
    let banned = as_banned(&world, &ann).await;
    let all = banned.get("/me/moderation").await.ok();
    assert_eq!(all.column("measure"), ["BANNED", "HIDDEN", "HIDDEN"]);
    let pages = banned.columns("/me/moderation", 1, "id").await;
    assert_eq!(pages, all.column("id").into_iter().map(|id| vec![id]).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_undo_closes_a_pending_appeal() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let id = decides_case(&world, &root, [&ann, &bob], json!(["hide"])).await;
    appeals(&ann, &id).await.ok();
    undoes(&root, &id).await.ok();
    assert_eq!(appeal_statuses(&root).await, ["CLOSED"]);
    assert_eq!(decisions(&ann).await[0]["appeal"]["status"], "CLOSED");
    let other = decides_case(&world, &root, [&ann, &bob], json!(["hide"])).await;
    appeals(&ann, &other).await.ok();
    rules(&root, &other, json!({ "actions": ["delete"] })).await.ok();
    assert_eq!(appeal_statuses(&root).await, ["CLOSED"; 2], "a later decision replaced the appealed one");
    assert_eq!(decisions(&ann).await[0]["appeal"], Value::Null);
}

#[tokio::test]
async fn two_bans_of_a_user_have_different_ids() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let id = decides_case(&world, &root, [&ann, &bob], json!(["temp-ban"])).await;
    world.advance(1).await;
    change(&root, &ann, "ban", json!({ "reason": "Again" })).await.ok();
    let banned = as_banned(&world, &ann).await;
    let all = banned.get("/me/moderation").await.ok();
    let [current, earlier] = [0, 1].map(|place| all.rows()[place]["id"].as_str().unwrap().to_owned());
    assert_eq!(current, ann.public_id);
    assert_ne!(earlier, current);
    let next =
        async |after: &str| banned.get(&format!("/me/moderation?after={after}")).await.ok().column("id");
    assert_eq!(next(&current).await, [json!(earlier)]);
    assert_eq!(next(&earlier).await, Vec::<Value>::new());
    let first = banned.get("/me/moderation?take=1").await.ok();
    assert_eq!(next(first.after().unwrap()).await, [json!(earlier)]);
    appeals(&banned, &earlier).await.refused(404, "NOT_FOUND");
    let seen = case(&root, &id).await["earlierDecisions"].clone();
    assert_eq!(json!([seen[0]["id"], seen[1]["id"]]), json!([current, earlier]));
    appeals(&banned, &current).await.ok();
}
