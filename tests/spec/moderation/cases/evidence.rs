//! Evidence: the reported content of a post that moderation deleted.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::World;

use super::{case, rules};
use crate::{
    admin::administrator,
    moderation::reports,
    uploads::{images::uploads, pictures::photo},
};

async fn status_of(url: &Value) -> u16 {
    reqwest::get(url.as_str().unwrap()).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn the_urls_of_evidence_are_signed_and_end_after_5_minutes() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let upload = uploads(&world, &ann, "image/jpeg", photo(60, 40, 1)).await;
    let body = json!({ "content": "look", "media": [{ "id": upload["id"] }] });
    let post = ann.posts(body).await;
    reports(&bob, &post.id, json!({})).await;
    let listed = root.get("/admin/cases").await.ok().rows()[0]["reportedContent"]["media"][0].clone();
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    let kept = case(&root, &post.id).await["reportedContent"]["media"][0].clone();
    for file in [&listed, &kept] {
        assert!(file["url"].as_str().unwrap().contains("X-Amz-Signature="), "{file}");
        assert_eq!(status_of(&file["url"]).await, 200);
    }
    world.advance(301).await;
    for file in [&listed, &kept] {
        assert_eq!(status_of(&file["url"]).await, 403, "the URL has ended");
    }
}

#[tokio::test]
async fn each_view_of_evidence_is_in_the_audit_log() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [deleted, withdrawn] = [ann.writes("one").await, ann.writes("two").await];
    for post in [&deleted, &withdrawn] {
        reports(&bob, &post.id, json!({})).await;
        case(&root, &post.id).await;
    }
    let views = async || root.get("/admin/audit?action=VIEW_EVIDENCE").await.ok().column("targetId");
    assert_eq!(views().await, Vec::<Value>::new(), "everyone can read the posts");
    let decided = rules(&root, &deleted.id, json!({ "actions": ["delete"] })).await.ok();
    assert_eq!(decided.data()["reportedContent"], Value::Null);
    ann.deletes(&withdrawn).await;
    for post in [&deleted, &withdrawn, &deleted] {
        world.advance(1).await;
        assert!(case(&root, &post.id).await["reportedContent"].is_object());
    }
    assert_eq!(views().await, [&deleted, &withdrawn, &deleted].map(|post| json!(post.id)));
    let listed = root.get("/admin/cases?status=DELETED").await.ok();
    assert_eq!((listed.rows().len(), &listed.rows()[0]["reportedContent"]), (1, &Value::Null));
    assert_eq!(views().await.len(), 3);
}
