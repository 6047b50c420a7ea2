//! Publication of scheduled drafts.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Fault, PageServer, World};

use super::{at, drafts, path};
use crate::{admin::administrator, posts::counts, uploads};

#[tokio::test]
async fn a_draft_is_published_within_a_minute_of_its_time() {
    let (world, [ann, bob]) = World::builder().with_minute_ticks().start_with(["ann", "bob"]).await;
    bob.follows(&ann).await;
    world.settle().await;
    let body = json!({ "content": "Hello #world", "mentions": [bob.id], "publishAt": at(&world, 600) });
    let draft = drafts(&ann, body).await;
    world.advance_and_settle(599).await;
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 1, "the draft is not due yet");
    world.advance_and_settle(61).await;
    let posts = bob.get("/posts/news-feed?type=FOLLOWING").await.ok();
    let [post] = posts.rows() else { panic!("{posts}") };
    assert_eq!(json!([post["content"], post["topic"]]), json!(["Hello #world", "world"]));
    assert!(post["createdAt"].as_str() >= draft["publishAt"].as_str());
    assert!(post["publicId"].as_str() > draft["id"].as_str());
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 0);
    world.advance_and_settle(80).await;
    assert_eq!(bob.get("/notification").await.ok().column("type"), [json!("MENTION")]);
    assert_eq!(world.anyone.get("/user/ann/posts").await.ok().rows().len(), 1, "the draft is published once");
}

#[tokio::test]
async fn a_link_in_a_draft_is_fetched_at_publication() {
    let world =
        World::builder().with_minute_ticks().settings(&[("INNER_ADDRESSES", "allowed")]).start().await;
    let (ann, server) = (world.person("ann").await, PageServer::new().await);
    let link = server.has("/bridge", "<title>A bridge</title>");
    drafts(&ann, json!({ "content": link, "publishAt": at(&world, 600) })).await;
    world.advance_and_settle(500).await;
    assert_eq!(server.asks("/bridge"), 0, "the link is not fetched yet");
    world.advance_and_settle(200).await;
    let posts = ann.get("/user/ann/posts").await.ok();
    assert_eq!(posts.rows()[0]["preview"]["title"], "A bridge");
}

#[tokio::test]
async fn a_draft_keeps_its_file_until_publication() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let upload = uploads::begins(&ann, "image/png", 5).await;
    let body = json!({ "content": "Look", "media": [{ "id": upload["id"] }], "publishAt": at(&world, 600) });
    drafts(&ann, body).await;
    world.advance_and_settle(700).await;
    let posts = ann.get("/user/ann/posts").await.ok();
    assert_eq!(posts.rows()[0]["media"][0]["id"], upload["id"]);
    let status = async |upload: &Value| {
        let upload = ann.get(&format!("/upload/{}", upload["id"].as_str().unwrap())).await;
        (upload.status == 200).then(|| upload.data()["status"].clone())
    };
    assert_eq!(status(&upload).await, Some(json!("PENDING")), "the published post uses the file");
    let other = uploads::begins(&ann, "image/png", 5).await;
    let draft = drafts(&ann, json!({ "content": "Look", "media": [{ "id": other["id"] }] })).await;
    ann.delete(&path(&draft)).await.ok();
    world.settle().await;
    assert_eq!(status(&other).await, None, "a file that no post or draft uses is removed");
}

#[tokio::test]
async fn replies_and_quotes_from_drafts_are_counted() {
    let (world, [ann, bob]) = World::builder().with_minute_ticks().start_with(["ann", "bob"]).await;
    let post = bob.writes("hello").await;
    for field in ["parentPublicId", "originPublicId"] {
        drafts(&ann, json!({ "content": "hi", field: post.id, "publishAt": at(&world, 600) })).await;
    }
    world.advance_and_settle(700).await;
    assert_eq!(counts(&bob.sees(&post).await), [1, 0, 1]);
}

#[tokio::test]
async fn a_draft_that_cannot_be_published_notifies_its_author() {
    let (world, [ann, bob]) = World::builder().with_minute_ticks().start_with(["ann", "bob"]).await;
    let post = bob.writes("hello").await;
    let body = json!({ "content": "hi", "parentPublicId": post.id, "publishAt": at(&world, 600) });
    let reply = drafts(&ann, body).await;
    let body = json!({ "content": "hi", "mentions": [bob.id], "publishAt": at(&world, 600) });
    let mention = drafts(&ann, body).await;
    bob.deletes(&post).await;
    bob.blocks(&ann).await;
    world.advance_and_settle(700).await;
    world.advance_and_settle(80).await;
    let notifications = ann.get("/notification").await.ok();
    let about = |draft: &Value| notifications.rows().iter().find(|row| row["targetId"] == draft["id"]);
    for draft in [reply, mention] {
        let kept = ann.get(&path(&draft)).await.ok().data().clone();
        assert!(kept["publishError"].is_string() && kept["publishAt"].is_null(), "{kept}");
        assert!(kept["updatedAt"].as_str() >= draft["publishAt"].as_str(), "{kept}");
        let notified = about(&draft).unwrap();
        assert_eq!(json!([notified["type"], notified["targetType"]]), json!(["MODERATION", "DRAFT"]));
        assert_eq!(json!([notified["count"], notified["lastActorId"]]), json!([1, null]));
        let message = "Your scheduled post could not be published. See the reason in your drafts.";
        assert_eq!(notified["message"], message);
        let again = json!({ "publishAt": at(&world, 600) });
        let edited = ann.patch(&path(&draft), again).await.ok().data().clone();
        assert!(edited["publishError"].is_null() && edited["publishAt"].is_string(), "{edited}");
    }
    assert_eq!(ann.get("/user/ann/posts").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn a_banned_users_drafts_are_not_published() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let admin = administrator(&world, "admin_", Role::Admin).await;
    let draft = drafts(&ann, json!({ "content": "hi", "publishAt": at(&world, 600) })).await;
    admin.patch(&format!("/admin/users/{}/ban", ann.id), Value::Null).await.ok();
    world.advance_and_settle(700).await;
    assert_eq!(world.anyone.get("/posts/news-feed").await.ok().rows().len(), 0);
    let admin = admin.signs_in().await;
    admin.patch(&format!("/admin/users/{}/unlock", ann.id), Value::Null).await.ok();
    let kept = ann.signs_in().await.get(&path(&draft)).await.ok().data().clone();
    assert_eq!(kept["publishError"], "this account is banned");
}

#[tokio::test]
async fn a_draft_is_published_once_if_the_worker_crashes() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    for number in 0..5 {
        drafts(&ann, json!({ "content": format!("post {number}"), "publishAt": at(&world, 600) })).await;
    }
    world.advance(700).await;
    world.faults.next("TransactWriteItems", Fault::CrashAfter);
    world.faults.next("TransactWriteItems", Fault::Crash);
    world.settle().await;
    assert!(world.faults.calm() > 0);
    world.advance_and_settle(120).await;
    let ann = ann.signs_in().await;
    assert_eq!(ann.get("/user/ann/posts").await.ok().rows().len(), 5);
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 0);
    drafts(&ann, json!({ "content": "the count is right", "publishAt": at(&world, 600) })).await;
}

#[tokio::test]
async fn a_draft_edited_during_publication_is_not_published_twice() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let draft = drafts(&ann, json!({ "content": "one", "publishAt": at(&world, 600) })).await;
    world.advance(660).await;
    let later = json!({ "content": "two", "publishAt": at(&world, 600) });
    let path = path(&draft);
    let (edited, _) = futures::join!(ann.patch(&path, later), world.settle());
    let posts = ann.get("/user/ann/posts").await.ok().column("content");
    let kept = ann.get("/me/drafts").await.ok().column("content");
    match edited.status {
        200 => assert_eq!((posts, kept), (vec![], vec![json!("two")])),
        _ => assert_eq!((posts, kept), (vec![json!("one")], vec![])),
    }
}
