//! Evidence: the content of a case as it was reported.

use domain::people::users::Role;
use reqwest::Url;
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use super::{MONTH_SECONDS, case, rules, undoes};
use crate::{
    admin::{
        start_with_root,
        webhooks::{adds_webhook, service::Service, webhook_world},
        world_with_root,
    },
    auth::second_factor::lost::later,
    deletion::{
        export::{lines, requests_export},
        runs_deletions,
    },
    moderation::{reported_post, reports},
    uploads::{
        images::{shown, uploads},
        pictures::photo,
        posts::shows,
        stored,
    },
    workers,
};

/// Starts a world in which `bob` reported a post with a photo by `ann`. Returns the world, a moderator, the users, the
/// post and the photo.
async fn reported_photo() -> (World, Person, [Person; 2], Post, Value) {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob]) = start_with_root(builder, Role::Moderator, ["ann", "bob"]).await;
    let (post, upload) = posts_photo(&world, &ann).await;
    reports(&bob, &post.id, json!({})).await;
    (world, root, [ann, bob], post, upload)
}

/// Writes a post with a photo. Returns the post and the photo.
async fn posts_photo(world: &World, author: &Person) -> (Post, Value) {
    let upload = uploads(world, author, "image/jpeg", photo(60, 40, 1)).await;
    (shows(author, &upload).await, upload)
}

/// Returns the photo of a case as a moderator sees it.
async fn evidence(root: &Person, id: &str) -> Value {
    case(root, id).await["reportedContent"]["media"][0].clone()
}

/// Returns whether everyone can read any size of a photo.
async fn is_public(upload: &Value) -> bool {
    let sizes = ["large", "medium", "small"].map(|size| upload["sizes"][size].clone());
    futures::future::join_all(sizes.iter().map(status_of)).await.contains(&200)
}

/// Returns whether the bucket has the private copy of a photo in the folder of a case.
async fn has_copy(world: &World, case: &str, upload: &Value) -> bool {
    let public = Url::parse(upload["sizes"]["large"].as_str().unwrap()).unwrap();
    let path = public.path().replace("/uploads/", &format!("/evidence/{case}/"));
    let found = world.anyone.get(&format!("/_local/console/uploads/object?path={path}")).await;
    found.status == 200
}

/// Returns the headers `cache-control` and `content-type` of a file.
async fn headers_of(url: &Value) -> [String; 2] {
    let read = reqwest::get(url.as_str().unwrap()).await.unwrap();
    ["cache-control", "content-type"].map(|name| read.headers()[name].to_str().unwrap().to_owned())
}

async fn status_of(url: &Value) -> u16 {
    reqwest::get(url.as_str().unwrap()).await.unwrap().status().as_u16()
}

/// Requests a user's export, and returns its lines.
async fn exports(world: &World, user: &Person) -> Vec<Value> {
    requests_export(user).await;
    world.settle().await;
    lines(user).await
}

/// Returns the posts in an export.
fn posts_in(export: &[Value]) -> Vec<&Value> {
    export.iter().filter(|line| line["kind"] == "post").map(|line| &line["data"]).collect()
}

#[tokio::test]
async fn the_urls_of_evidence_are_signed_and_expire_after_5_minutes() {
    let (world, root, _, post, _) = reported_photo().await;
    let listed = root.get("/admin/cases").await.ok().rows()[0]["reportedContent"]["media"][0].clone();
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    let kept = evidence(&root, &post.id).await;
    for file in [&listed, &kept] {
        assert!(file["url"].as_str().unwrap().contains("X-Amz-Signature="), "{file}");
        assert_eq!(status_of(&file["url"]).await, 200);
    }
    world.settle().await;
    let copy = evidence(&root, &post.id).await;
    assert_eq!(headers_of(&copy["url"]).await, ["private, no-store", "image/jpeg"]);
    world.advance(301).await;
    for file in [&listed, &kept] {
        assert_eq!(status_of(&file["url"]).await, 403, "the URL has ended");
    }
}

#[tokio::test]
async fn each_view_of_evidence_is_in_the_audit_log() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
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
    let open = root.get("/admin/cases").await.ok();
    assert_eq!(open.column("id"), [json!(withdrawn.id)]);
    assert_eq!(open.column("reportedContent"), [Value::Null], "the post was deleted");
    for post in [&deleted, &withdrawn, &deleted] {
        world.advance(1).await;
        assert!(case(&root, &post.id).await["reportedContent"].is_object());
    }
    assert_eq!(views().await, [&deleted, &withdrawn, &deleted].map(|post| json!(post.id)));
    let listed = root.get("/admin/cases?status=DELETED").await.ok();
    assert_eq!((listed.rows().len(), &listed.rows()[0]["reportedContent"]), (1, &Value::Null));
    assert_eq!(views().await.len(), 3);
}

#[tokio::test]
async fn a_deleted_post_in_a_case_about_a_user_is_audited() {
    let (_world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes("one").await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    let views = async || root.get("/admin/audit?action=VIEW_EVIDENCE").await.ok().column("targetId");
    let listed = async || root.get("/admin/cases").await.ok().rows()[0]["reportedContent"]["content"].clone();
    case(&root, &ann.public_id).await;
    assert_eq!((listed().await, views().await), (json!("one"), Vec::new()), "everyone can read the post");
    ann.deletes(&post).await;
    assert_eq!(listed().await, Value::Null);
    assert_eq!(case(&root, &ann.public_id).await["reportedContent"]["content"], "one");
    assert_eq!(views().await, [json!(ann.public_id)]);
}

#[tokio::test]
async fn evidence_is_in_no_list_search_export_or_webhook() {
    let (world, root, [ann, bob]) = webhook_world(["ann", "bob"]).await;
    let service = Service::starts().await;
    let (_, secret) = adds_webhook(&root, &service, &["report.created", "report.decided"]).await;
    let post = ann.posts(json!({ "content": "zucchini", "topic": "garden" })).await;
    ann.patch(&post.path(""), json!({ "content": "zucchini for sale" })).await.ok();
    reports(&bob, &post.id, json!({})).await;
    let note = json!({ "actions": ["delete"], "note": "sold zucchini" });
    rules(&root, &post.id, note).await.ok();
    world.settle().await;
    for user in [&ann, &bob] {
        for path in [
            "/posts/news-feed",
            "/search?q=zucchini",
            "/user/ann/posts",
            "/hashtags/garden/posts",
            "/notification",
        ] {
            assert!(!user.get(path).await.ok().text.contains("zucchini"), "{path}");
        }
        let export = exports(&world, user).await;
        assert_eq!(posts_in(&export).len(), usize::from(user.name == "ann"));
        assert!(!Value::from(export).to_string().contains("zucchini"), "{}", user.name);
    }
    let messages = service.received(&secret);
    assert!(!messages.is_empty() && !Value::from(messages).to_string().contains("zucchini"));
    assert_eq!(case(&root, &post.id).await["reportedContent"]["content"], "zucchini for sale");
}

#[tokio::test]
async fn an_export_contains_a_moderated_post_that_its_author_deleted() {
    let (world, root, [ann, _], post) = reported_post(Role::Moderator, "one").await;
    rules(&root, &post.id, json!({ "actions": ["hide"] })).await.ok();
    world.advance(1).await;
    ann.deletes(&post).await;
    assert_eq!(posts_in(&exports(&world, &ann).await)[0]["content"], "one");
}

#[tokio::test]
async fn photos_stay_evidence_after_the_author_deletes_the_post() {
    let (world, root, [ann, bob], post, upload) = reported_photo().await;
    let public = shown(&upload, "large").await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    ann.deletes(&post).await;
    world.settle().await;
    assert!(!is_public(&upload).await);
    for id in [&post.id, &ann.public_id] {
        let kept = evidence(&root, id).await;
        let read = reqwest::get(kept["url"].as_str().unwrap()).await.unwrap().bytes().await.unwrap();
        assert_eq!(read, public, "{id}");
        assert!(has_copy(&world, id, &upload).await);
        rules(&root, id, json!({ "actions": ["dismiss"] })).await.ok();
    }
    later(&world, MONTH_SECONDS).await;
    for id in [&post.id, &ann.public_id] {
        assert_eq!(case(&root.signs_in().await, id).await["reportedContent"], Value::Null);
        assert!(!has_copy(&world, id, &upload).await, "{id}");
    }
}

#[tokio::test]
async fn an_undo_of_a_deletion_makes_the_photo_public_again() {
    let (world, root, _, post, upload) = reported_photo().await;
    let public = shown(&upload, "small").await;
    for _ in 0..2 {
        rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
        world.settle().await;
        assert!(!is_public(&upload).await);
        assert_eq!(status_of(&evidence(&root, &post.id).await["url"]).await, 200);
        world.advance(1).await;
        undoes(&root, &post.id).await.ok();
        world.settle().await;
        assert_eq!(shown(&upload, "small").await, public);
        let headers = headers_of(&upload["sizes"]["small"]).await;
        assert_eq!(headers, ["public, max-age=86400, immutable", "image/jpeg"]);
        world.advance(1).await;
    }
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    undoes(&root, &post.id).await.ok();
    world.settle().await;
    assert!(is_public(&upload).await, "the late job of the deletion has no effect");
}

#[tokio::test]
async fn account_deletion_removes_the_author_but_keeps_the_content_of_an_open_case() {
    let (world, root, [ann, bob], open, first) = reported_photo().await;
    let (closed, second) = posts_photo(&world, &ann).await;
    reports(&bob, &closed.id, json!({})).await;
    rules(&root, &closed.id, json!({ "actions": ["hide"] })).await.ok();
    ann.leaves().await.ok();
    runs_deletions(&world).await;
    let root = root.signs_in().await;
    let [opened, ended] = [case(&root, &open.id).await, case(&root, &closed.id).await];
    assert_eq!(json!([opened["author"], opened["reportedContent"]["content"]]), json!([null, "look"]));
    assert_eq!(json!([ended["author"], ended["reportedContent"]]), json!([null, null]));
    assert!(!is_public(&first).await && !is_public(&second).await);
    assert_eq!(status_of(&evidence(&root, &open.id).await["url"]).await, 200);
    assert!(!has_copy(&world, &closed.id, &second).await, "the evidence of a closed case is erased");
    rules(&root, &open.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.settle().await;
    assert!(!has_copy(&world, &open.id, &first).await);
}

#[tokio::test]
async fn a_photo_stays_evidence_despite_a_worker_crash() {
    let (world, root, [ann, _], post, upload) = reported_photo().await;
    ann.deletes(&post).await;
    world.faults.plan("UpdateItem", Fault::Crash, 0, 1);
    world.settle().await;
    assert_eq!(world.faults.calm(), 1);
    assert!(!is_public(&upload).await);
    assert_eq!(status_of(&evidence(&root, &post.id).await["url"]).await, 200);
}

#[tokio::test]
async fn a_late_erasure_keeps_the_photo_of_new_evidence() {
    let (world, root, _, post, upload) = reported_photo().await;
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    world.settle().await;
    let key = stored(&world, &upload).await.key;
    let job = json!({ "job": "eraseEvidence", "case": post.id, "key": key });
    workers::put(&world, "media", &job.to_string()).await;
    world.settle().await;
    assert!(has_copy(&world, &post.id, &upload).await);
}

#[tokio::test]
async fn an_upload_whose_post_was_removed_has_no_url() {
    let (world, root, [ann, _], post, upload) = reported_photo().await;
    let path = format!("/upload/{}", upload["id"].as_str().unwrap());
    let seen = async || ann.get(&path).await.ok().data().clone();
    let before = seen().await;
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    world.settle().await;
    let removed = seen().await;
    let fields = ["status", "reason", "url", "sizes", "type"].map(|field| &removed[field]);
    let reason = "moderators deleted the post with this file";
    assert_eq!(json!(fields), json!(["REFUSED", reason, null, null, null]));
    let media = json!([{ "id": upload["id"] }]);
    ann.post("/posts", json!({ "content": "again", "media": media })).await.invalid("media");
    ann.post("/auth/profile", json!({ "avatar": upload["id"] })).await.invalid("avatar");
    world.advance(1).await;
    undoes(&root, &post.id).await.ok();
    world.settle().await;
    assert_eq!(seen().await, before);
}
