//! Appointing administrators, and what administrators cannot do.

use domain::{accounts, people::users::Role};
use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{admin, administrator, confirms};

const ACTIONS: [&str; 4] = ["ban", "temp-ban", "lock", "unlock"];

async fn change(root: &Person, user: &Person, action: &str, body: Value) -> Answer {
    root.patch(&format!("/admin/users/{}/{action}", user.id), body).await
}

#[tokio::test]
async fn only_a_user_with_a_confirmed_email_can_be_appointed() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let email = ann.email.clone().try_into().unwrap();
    let refused = accounts::appoint(&world.app(), &email, Role::SuperAdmin).await;
    assert_eq!(refused.unwrap_err().to_string(), "this email address is not confirmed");
    ann.get("/auth/me").await.ok();
    confirms(&world, &ann).await;
    accounts::appoint(&world.app(), &email, Role::SuperAdmin).await.unwrap();
    ann.signs_in().await.get("/admin/users").await.ok();
}

#[tokio::test]
async fn an_appointment_by_an_operator_is_in_the_audit_log() {
    let world = World::new().await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    let log = boss.get("/admin/audit").await.ok();
    let entry = &log.rows()[0];
    assert_eq!((&entry["action"], &entry["adminId"]), (&json!("APPOINT_ADMIN"), &Value::Null), "{entry}");
    assert_eq!(
        (&entry["targetId"], &entry["note"]),
        (&json!(boss.public_id), &json!("[User, Admin, SuperAdmin]"))
    );
}

#[tokio::test]
async fn only_a_super_admin_can_change_an_administrator() {
    let world = World::new().await;
    let [root, boss] = [
        administrator(&world, "root", Role::Admin).await,
        administrator(&world, "boss", Role::SuperAdmin).await,
    ];
    let other = administrator(&world, "other", Role::Admin).await;
    for action in ACTIONS {
        let answer = change(&root, &other, action, Value::Null).await;
        assert_eq!(
            answer.refused(403, "FORBIDDEN"),
            "only a SUPER_ADMIN can do this to an administrator",
            "{action}"
        );
    }
    other.get("/admin/users").await.ok();
    change(&boss, &other, "lock", Value::Null).await.ok();
    change(&root, &other, "unlock", Value::Null).await.refused(403, "FORBIDDEN");
    change(&boss, &other, "unlock", Value::Null).await.ok();
    change(&boss, &other, "roles", json!({ "roles": [] })).await.ok();
    change(&root, &other, "ban", Value::Null).await.ok();
}

#[tokio::test]
async fn no_administrator_can_change_a_super_admin() {
    let world = World::new().await;
    let [boss, chief] = ["boss", "chief"].map(|name| administrator(&world, name, Role::SuperAdmin));
    let (boss, chief) = futures::join!(boss, chief);
    let answers = ACTIONS.map(|action| change(&boss, &chief, action, Value::Null));
    for answer in join_all(answers).await {
        assert_eq!(answer.refused(403, "FORBIDDEN"), "a SUPER_ADMIN's account cannot be changed");
    }
    change(&boss, &chief, "roles", json!({ "roles": ["ADMIN"] })).await.refused(403, "FORBIDDEN");
    chief.get("/admin/users").await.ok();
}

#[tokio::test]
async fn administrators_cannot_decide_reports_about_themselves() {
    let world = World::new().await;
    let (root, ann) = (admin(&world).await, world.person("ann").await);
    let post = root.writes("I am the law").await;
    let mut reports = Vec::new();
    for kind in ["post", "user"] {
        let report = ann.post(&post.path("/report"), json!({ "reason": "boasts", "type": kind })).await.ok();
        reports.push(format!("/admin/reports/{}", report.data()["id"].as_str().unwrap()));
    }
    for report in &reports {
        let answer = root.patch(report, json!({ "action": "dismiss" })).await;
        assert_eq!(answer.refused(403, "FORBIDDEN"), "you cannot decide on a report about yourself");
    }
    let other = administrator(&world, "other", Role::Admin).await;
    other.patch(&reports[0], json!({ "action": "dismiss" })).await.ok();
}

#[tokio::test]
async fn a_temporary_ban_does_not_shorten_a_lock_or_longer_ban() {
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob, cleo, dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
    let later = json!("2027-01-01T00:00:00.000Z");
    change(&root, &ann, "lock", json!({ "reason": "hacked" })).await.ok();
    change(&root, &bob, "ban", json!({ "reason": "spam" })).await.ok();
    change(&root, &cleo, "ban", json!({ "bannedUntil": later })).await.ok();
    change(&root, &dan, "ban", json!({ "bannedUntil": "2026-01-02T00:00:00.000Z" })).await.ok();
    for (user, status, until) in [
        (&ann, "LOCKED", Value::Null),
        (&bob, "BANNED", Value::Null),
        (&cleo, "BANNED", later.clone()),
        (&dan, "BANNED", json!("2026-01-08T00:00:00.000Z")),
    ] {
        let answer = change(&root, user, "temp-ban", Value::Null).await.ok();
        assert_eq!((&answer.data()["status"], &answer.data()["bannedUntil"]), (&json!(status), &until));
    }
    let locked = change(&root, &ann, "ban", json!({ "bannedUntil": later })).await.ok();
    assert_eq!(locked.data()["status"], "LOCKED");
    assert_eq!(change(&root, &ann, "ban", Value::Null).await.ok().data()["status"], "BANNED");
}
