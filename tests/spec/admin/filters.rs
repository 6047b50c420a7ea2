//! Filters of administrators' lists.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};

use super::{protected_operations, world_with_admin, world_with_root};
use crate::{
    moderation::{id_of, reports},
    routes::UNKNOWN_ID,
};

#[tokio::test]
async fn an_admin_list_refuses_an_unknown_query_parameter() {
    let (world, root, []) = world_with_root(Role::SuperAdmin, []).await;
    let lists = protected_operations()
        .filter(|operation| operation.method == Method::GET && !operation.path.contains('{'));
    assert!(lists.clone().count() >= 8);
    for list in lists {
        let path = &list.path;
        root.get(&format!("{path}?take=5&color=red")).await.invalid("color: must be omitted");
        root.get(&format!("{path}?take=5&page=1&limit=5")).await.ok();
        world.anyone.get(&format!("{path}?color=red")).await.refused(401, "UNAUTHORIZED");
    }
    root.get(&format!("/admin/audit?after={UNKNOWN_ID}&admin={}", root.id)).await.invalid("admin: ");
}

#[tokio::test]
async fn reports_can_be_listed_by_target() {
    let (world, root, [ann, bob, cleo]) = world_with_admin(["ann", "bob", "cleo"]).await;
    let [post, other] = [ann.writes("buy now").await, ann.writes("buy more").await];
    let first = reports(&bob, &post.id, json!({})).await;
    let mut ids = vec![first.clone()];
    for (reporter, post, kind) in
        [(&cleo, &post, "circle"), (&bob, &other, "post"), (&cleo, &other, "user"), (&bob, &post, "post")]
    {
        world.advance(1).await;
        ids.push(reports(reporter, &post.id, json!({ "type": kind })).await);
    }
    let ids: Vec<Value> = ids.iter().map(|path| json!(id_of(path))).collect();
    let list = async |query: &str| root.get(&format!("/admin/reports?{query}")).await.ok();
    let about_post = format!("targetId={}", post.id);
    let found = world.budget("reports about a post", list(&about_post)).await;
    assert_eq!(found.column("id"), [ids[4].clone(), ids[1].clone(), ids[0].clone()]);
    assert_eq!(list(&format!("targetId={}", other.id)).await.column("id"), [ids[2].clone()]);
    for user in [&ann.id, &ann.public_id] {
        assert_eq!(list(&format!("targetId={user}")).await.column("id"), [ids[3].clone()], "of type USER");
    }
    assert!(list(&format!("targetId={UNKNOWN_ID}")).await.rows().is_empty());
    let pages = root.columns(&format!("/admin/reports?{about_post}"), 2, "id").await;
    assert_eq!(json!(pages), json!([[ids[4], ids[1]], [ids[0]]]));
    root.patch(&first, json!({ "action": "dismiss" })).await.ok();
    assert_eq!(list(&format!("{about_post}&status=DISMISSED")).await.column("id"), [ids[0].clone()]);
    assert_eq!(list(&format!("{about_post}&status=PENDING")).await.rows().len(), 2);
    root.get("/admin/reports?targetId=x").await.invalid("targetId: ");
}
