//! Moderators can use only the routes for reports, cases and appeals.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::World;

use super::{
    appeals::{appeals, decides},
    hides, reports,
};
use crate::{
    admin::{administrator, change, protected_operations, world_with_root},
    auth::applications::program,
};

const OPEN: [&str; 4] = ["/admin/reports", "/admin/cases", "/admin/appeals", "/admin/statistics/moderation"];

#[tokio::test]
async fn a_moderator_can_use_only_moderation_routes() {
    let (_world, moderator, [ann, bob]) = world_with_root(Role::Moderator, ["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    hides(&moderator, &reports(&bob, &post.id, json!({})).await).await;
    assert_eq!(bob.sees(&post).await["isHidden"], true);
    for path in OPEN {
        moderator.get(path).await.ok();
        bob.get(path).await.refused(403, "FORBIDDEN");
    }
    for operation in protected_operations() {
        let is_open = OPEN.iter().any(|open| operation.path.starts_with(open));
        let least = match operation.path.as_str() {
            "/admin/users/{userId}/roles" => "Requires SUPER_ADMIN.",
            _ if is_open => "Requires MODERATOR or ADMIN",
            _ => "Requires ADMIN.",
        };
        assert!(operation.description.contains(least), "{}: {}", operation.name(), operation.description);
        if !is_open {
            operation.ask(&moderator, "").await.refused(403, "FORBIDDEN");
        }
    }
    for action in ["ban", "temp-ban", "lock", "unlock"] {
        change(&moderator, &bob, action, Value::Null).await.refused(403, "FORBIDDEN");
    }
    bob.get("/auth/me").await.ok();
}

#[tokio::test]
async fn a_moderator_cannot_decide_reports_on_administrators() {
    let world = World::new().await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let [adele, amos] = [
        administrator(&world, "adele", Role::Admin).await,
        administrator(&world, "amos", Role::SuperAdmin).await,
    ];
    let bob = world.person("bob").await;
    let post = adele.writes("buy now").await;
    let report = reports(&bob, &post.id, json!({})).await;
    for action in ["hide", "dismiss", "delete"] {
        moderator.patch(&report, json!({ "action": action })).await.refused(403, "FORBIDDEN");
    }
    hides(&amos, &report).await;
    assert_eq!(bob.sees(&post).await["isHidden"], true);
    let appeal = appeals(&adele, &post.id).await.ok();
    decides(&moderator, &appeal, "grant").await.refused(403, "FORBIDDEN");
    world.advance(73 * 3600).await;
    decides(&amos.signs_in().await, &appeal, "grant").await.ok();
    assert_eq!(bob.signs_in().await.sees(&post).await["isHidden"], false);
}

#[tokio::test]
async fn a_super_admin_can_appoint_and_remove_moderators() {
    let (_world, root, [bob]) = world_with_root(Role::SuperAdmin, ["bob"]).await;
    let roles = format!("/admin/users/{}/roles", bob.id);
    let made = root.patch(&roles, json!({ "roles": ["MODERATOR"] })).await.ok();
    assert_eq!(made.data()["roles"], json!(["USER", "MODERATOR"]));
    let bob = bob.signs_in().await;
    bob.get("/admin/reports").await.ok();
    root.patch(&roles, json!({ "roles": [] })).await.ok();
    bob.signs_in().await.get("/admin/reports").await.refused(403, "FORBIDDEN");
    root.patch(&roles, json!({ "roles": ["JUDGE"] })).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_moderators_token_can_read_reports_and_appeals() {
    let world = World::new().await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let bot = program(&moderator, &["admin:reports"]).await;
    for path in OPEN {
        bot.get(path).await.ok();
    }
    bot.get("/me/moderation").await.refused(403, "FORBIDDEN");
    assert_eq!(bot.patch("/admin/reports/x", Value::Null).await.status, 404);
}

#[tokio::test]
async fn an_account_lists_what_its_roles_permit() {
    let world = World::new().await;
    let of_moderators = ["DECIDE_REPORTS", "DECIDE_APPEALS"];
    let of_admins = ["MANAGE_USERS", "MANAGE_QUESTS", "MANAGE_WEBHOOKS", "READ_AUDIT", "READ_STATISTICS"];
    let all = [of_moderators.as_slice(), &of_admins, &["CHANGE_ROLES"]].concat();
    for (role, count) in [(Role::Moderator, 2), (Role::Admin, 7), (Role::SuperAdmin, 8)] {
        let user = administrator(&world, &format!("user{count}"), role).await;
        assert_eq!(user.get("/auth/me").await.ok().data()["permissions"], json!(all[..count]));
    }
}
