//! Appointing administrators, and what administrators cannot do.

use domain::{
    accounts::{self, BanRequest, RoleChange, Suspension, SuspensionRequest},
    moderation::ban,
    people::users::{Administrator, Role},
};
use serde_json::{Value, json};
use tests::{Person, World};

use super::{administrator, change, world_with_admin};
use crate::routes::UNKNOWN_ID;

const ADMINISTRATOR: &str = "only a SUPER_ADMIN can do this to an administrator";
const ACTIONS: [&str; 4] = ["ban", "temp-ban", "lock", "unlock"];

#[tokio::test]
async fn only_users_with_a_confirmed_email_can_become_admin() {
    let world = World::new().await;
    let ann = world.registers("ann").await;
    let email = ann.email.clone().try_into().unwrap();
    let refused = accounts::appoint(&world.app(), &email, Role::SuperAdmin, false).await;
    assert_eq!(refused.unwrap_err().to_string(), "this email address is not confirmed");
    ann.get("/auth/me").await.ok();
    world.confirms(&ann).await;
    accounts::appoint(&world.app(), &email, Role::SuperAdmin, false).await.unwrap();
    ann.signs_in().await.get("/admin/users").await.ok();
}

#[tokio::test]
async fn an_appointment_of_an_administrator_is_audited() {
    let world = World::new().await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    let log = boss.get("/admin/audit").await.ok();
    let entry = &log.rows()[0];
    assert_eq!(json!([entry["action"], entry["adminId"]]), json!(["APPOINT_ADMIN", null]), "{entry}");
    assert_eq!(entry["targetId"], boss.public_id);
    assert_eq!(entry["note"], r#"["USER","ADMIN","SUPER_ADMIN"]"#);
}

#[tokio::test]
async fn only_a_super_admin_can_change_an_administrator() {
    let (world, root, []) = world_with_admin([]).await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    let other = administrator(&world, "other", Role::Admin).await;
    for action in ACTIONS {
        let answer = change(&root, &other, action, Value::Null).await;
        assert_eq!(answer.refused(403, "FORBIDDEN"), ADMINISTRATOR, "{action}");
    }
    other.get("/admin/users").await.ok();
    change(&boss, &other, "lock", Value::Null).await.ok();
    change(&root, &other, "unlock", Value::Null).await.refused(403, "FORBIDDEN");
    change(&boss, &other, "unlock", Value::Null).await.ok();
    change(&boss, &other, "roles", json!({ "roles": [] })).await.ok();
    change(&root, &other, "ban", Value::Null).await.ok();
}

#[tokio::test]
async fn only_a_super_admin_can_change_another_super_admin() {
    let (world, root, []) = world_with_admin([]).await;
    let [boss, chief] = super_admins(&world, ["boss", "chief"]).await;
    for action in ACTIONS {
        assert_eq!(change(&root, &chief, action, Value::Null).await.refused(403, "FORBIDDEN"), ADMINISTRATOR);
        for admin in [&root, &boss] {
            let own = change(admin, admin, action, Value::Null).await;
            assert_eq!(own.refused(403, "FORBIDDEN"), "you cannot do this to your own account");
        }
        for id in [UNKNOWN_ID, "nonsense"] {
            root.patch(&format!("/admin/users/{id}/{action}"), Value::Null).await.refused(404, "NOT_FOUND");
        }
    }
    chief.get("/admin/users").await.ok();
    for (action, status) in [("temp-ban", "BANNED"), ("lock", "LOCKED"), ("ban", "BANNED")] {
        let sanctioned = change(&boss, &chief, action, Value::Null).await.ok();
        assert_eq!(sanctioned.data()["status"], status);
    }
    chief.get("/admin/users").await.refused(401, "UNAUTHORIZED");
    change(&boss, &chief, "unlock", Value::Null).await.ok();
    let demoted = change(&boss, &chief, "roles", json!({ "roles": ["ADMIN"] })).await.ok();
    assert_eq!(demoted.data()["roles"], json!(["USER", "ADMIN"]));
    let chief = chief.signs_in().await;
    change(&chief, &boss, "roles", json!({ "roles": [] })).await.refused(403, "FORBIDDEN");
    change(&boss, &boss, "roles", json!({ "roles": [] })).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn mutual_demotions_leave_one_of_two_super_admins() {
    let demote = json!({ "roles": [] });
    for (action, body) in [("roles", &demote), ("ban", &Value::Null)].repeat(2) {
        let world = World::new().await;
        let [boss, chief] = super_admins(&world, ["boss", "chief"]).await;
        let demotion = change(&chief, &boss, "roles", demote.clone());
        let (one, other) = futures::join!(change(&boss, &chief, action, body.clone()), demotion);
        assert_ne!(one.status == 200, other.status == 200, "{one} {other}");
        let winner = if one.status == 200 { &boss } else { &chief };
        let remaining = winner.get("/admin/users").await.ok();
        let is_super = |row: &&Value| row["status"] == "ACTIVE" && row["roles"].to_string().contains("SUPER");
        assert_eq!(remaining.rows().iter().filter(is_super).count(), 1);
    }
}

/// The sender of a request can be demoted while the request runs.
#[tokio::test]
async fn a_demoted_super_admin_cannot_demote_the_last_one() {
    let world = World::new().await;
    let [boss, chief] = super_admins(&world, ["boss", "chief"]).await;
    change(&chief, &boss, "roles", json!({ "roles": [] })).await.ok();
    let roles = vec![Role::User, Role::Admin, Role::SuperAdmin];
    let (boss, chief_id) = (Administrator { id: boss.id.parse().unwrap(), roles }, chief.id.parse().unwrap());
    let none = RoleChange { roles: Vec::new() };
    let app = world.app();
    let refusals = [
        accounts::change_roles(&app, &boss, chief_id, none).await,
        ban::suspend(&app, &boss, chief_id, Suspension::Ban(BanRequest::default())).await,
        ban::suspend(&app, &boss, chief_id, Suspension::Lock(SuspensionRequest::default())).await,
    ];
    for refusal in refusals {
        assert_eq!(refusal.unwrap_err().to_string(), "you are no longer a SUPER_ADMIN");
    }
    chief.get("/admin/users").await.ok();
}

async fn super_admins(world: &World, names: [&str; 2]) -> [Person; 2] {
    let [one, other] = names.map(|name| administrator(world, name, Role::SuperAdmin));
    futures::join!(one, other).into()
}
