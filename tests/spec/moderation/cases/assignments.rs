//! Assignments of cases to moderators.

use domain::people::users::Role;
use serde_json::{Value, json};

use super::{case, ids};
use crate::{
    admin::{administrator, change, world_with_root},
    moderation::reports,
};

#[tokio::test]
async fn a_case_is_not_assigned_to_a_demoted_moderator() {
    let (world, root, [ann, bob]) = world_with_root(Role::SuperAdmin, ["ann", "bob"]).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let post = ann.writes("buy now").await;
    reports(&bob, &post.id, json!({})).await;
    let assign = format!("/admin/cases/{}/assign", post.id);
    let assigned = moderator.post(&assign, json!({})).await.ok();
    assert_eq!(assigned.data()["assignee"], moderator.public_id);
    assert_eq!(ids(&root, "assignee=mod").await, [json!(post.id)]);
    change(&root, &moderator, "roles", json!({ "roles": [] })).await.ok();
    assert_eq!(case(&root, &post.id).await["assignee"], Value::Null);
    assert_eq!(root.get("/admin/cases").await.ok().rows()[0]["assignee"], Value::Null);
    root.get("/admin/cases?assignee=mod").await.invalid("assignee");
    root.post(&assign, json!({})).await.ok();
    assert_eq!(case(&root, &post.id).await["assignee"], root.public_id);
    change(&root, &moderator, "roles", json!({ "roles": ["MODERATOR"] })).await.ok();
    assert_eq!(ids(&root, "assignee=mod").await, Vec::<Value>::new());
}

#[tokio::test]
async fn lists_omit_reports_and_cases_about_the_calling_moderator() {
    let (world, root, [ann, bob]) = world_with_root(Role::Moderator, ["ann", "bob"]).await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    let [own, other] = [root.writes("mine").await, ann.writes("hello").await];
    for post in [&own, &other] {
        reports(&bob, &post.id, json!({})).await;
    }
    assert_eq!(root.get("/admin/reports").await.ok().column("targetId"), [json!(other.id)]);
    assert_eq!(root.get(&format!("/admin/reports?targetId={}", own.id)).await.ok().rows().len(), 0);
    assert_eq!(boss.get("/admin/reports").await.ok().rows().len(), 2);
    reports(&bob, &own.id, json!({ "type": "user" })).await;
    assert_eq!(ids(&root, "").await, [json!(other.id)]);
    for query in ["reportedUser=root", "reporter=bob&type=USER", "status=HIDDEN"] {
        assert_eq!(ids(&root, query).await, Vec::<Value>::new(), "{query}");
    }
    assert_eq!(ids(&boss, "reportedUser=root").await.len(), 2);
    root.get(&format!("/admin/cases/{}", own.id)).await.refused(403, "FORBIDDEN");
    let assign = format!("/admin/cases/{}/assign", own.id);
    let assigned = boss.post(&assign, json!({ "assignee": "root" })).await;
    assigned.invalid("assignee: must not be the reported user");
}
