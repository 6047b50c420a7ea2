//! Drafts, and posts that are published later.

use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::counts;
use crate::uploads;

const DAY: u64 = 24 * 3600;

#[tokio::test]
async fn a_draft_is_its_authors_alone_and_is_kept_as_it_was_written() {
    let world = World::by_the_minute(&[]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let body = json!({ "content": "Hello #world", "mentions": [bob.id], "visibility": "friend", "spoiler": "A word" });
    let draft = drafts(&ann, body).await;
    insta::assert_json_snapshot!(draft, { ".id" => "[draft]", ".mentions[0]" => "[bob]" }, @r#"
    {
      "content": "Hello #world",
      "createdAt": "2026-01-01T00:00:00.000Z",
      "id": "[draft]",
      "media": null,
      "mentions": [
        "[bob]"
      ],
      "originPublicId": null,
      "parentPublicId": null,
      "poll": null,
      "problem": null,
      "publishAt": null,
      "quotePermission": null,
      "replyPermission": null,
      "sensitive": false,
      "spoiler": "A word",
      "topic": null,
      "updatedAt": "2026-01-01T00:00:00.000Z",
      "visibility": "FRIEND"
    }
    "#);
    let path = path(&draft);
    assert_eq!(ann.get(&path).await.ok().data(), &draft);
    assert_eq!(ann.get("/me/drafts").await.ok().rows(), [draft]);
    assert_eq!(bob.get("/me/drafts").await.ok().rows().len(), 0);
    bob.get(&path).await.refused(404, "NOT_FOUND");
    bob.patch(&path, json!({ "content": "mine" })).await.refused(404, "NOT_FOUND");
    bob.delete(&path).await.refused(404, "NOT_FOUND");
    world.anyone.get("/me/drafts").await.refused(401, "UNAUTHORIZED");
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn an_edit_changes_what_it_names_and_a_deletion_ends_the_draft() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    let draft = drafts(&ann, json!({ "content": "one", "topic": "a", "publishAt": at(&world, 600) })).await;
    world.advance(1).await;
    let edited = ann.patch(&path(&draft), json!({ "content": "two", "publishAt": null })).await.ok();
    let edited = edited.data();
    assert_eq!(
        (&edited["content"], &edited["topic"], &edited["publishAt"]),
        (&json!("two"), &json!("a"), &Value::Null)
    );
    assert!(edited["updatedAt"].as_str() > edited["createdAt"].as_str());
    ann.delete(&path(&draft)).await.ok();
    ann.delete(&path(&draft)).await.refused(404, "NOT_FOUND");
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn drafts_come_newest_first_page_by_page() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    for number in 0..5 {
        drafts(&ann, json!({ "content": format!("draft {number}") })).await;
        world.advance(1).await;
    }
    let first = ann.get("/me/drafts?take=3").await.ok();
    let rest = ann.get(&format!("/me/drafts?take=3&after={}", first.after().unwrap())).await.ok();
    let seen: Vec<_> = first.column("content").into_iter().chain(rest.column("content")).collect();
    assert_eq!(seen, [4, 3, 2, 1, 0].map(|it| json!(format!("draft {it}"))));
    assert_eq!(rest.after(), None);
}

#[tokio::test]
async fn a_draft_that_cannot_be_kept_is_refused_by_the_name_of_its_field() {
    let world = World::by_the_minute(&[]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let upload = uploads::begins(&bob, "image/png", 5).await;
    let post = ann.writes("hello").await.id;
    let bad = [
        (json!({}), "content: is required"),
        (json!({ "content": "" }), "content: must have 1 to 5000 characters"),
        (
            json!({ "content": "a", "publishAt": at(&world, 299) }),
            "publishAt: must be in 5 minutes to 1 year",
        ),
        (
            json!({ "content": "a", "publishAt": at(&world, 367 * DAY) }),
            "publishAt: must be in 5 minutes to 1 year",
        ),
        (
            json!({ "content": "a", "media": [{ "id": upload["id"] }] }),
            "media[0].id: must be an upload of yours",
        ),
        (json!({ "content": "a", "title": "b" }), "title: must be left out: the operation does not know it"),
        (
            json!({ "content": "a", "parentPublicId": post, "originPublicId": post }),
            "originPublicId: must not stand beside parentPublicId",
        ),
    ];
    for (body, why) in bad {
        assert_eq!(ann.post("/me/drafts", body).await.refused(400, "VALIDATION_FAILED"), why);
    }
    let draft = drafts(&ann, json!({ "content": "a" })).await;
    let answer = ann.patch(&path(&draft), json!({ "publishAt": "soon" })).await;
    assert!(answer.refused(400, "VALIDATION_FAILED").starts_with("publishAt: "));
}

#[tokio::test]
async fn a_request_for_a_draft_is_repeated_safely() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    let body = json!({ "content": "once" });
    let twice = [(); 2].map(|()| ann.post_once("key", "/me/drafts", body.clone()));
    let [one, other] = futures::future::join_all(twice).await.try_into().unwrap();
    assert_eq!(one.ok().data(), other.ok().data());
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 1);
}

#[tokio::test]
async fn one_has_a_hundred_drafts_and_fifty_that_wait_for_their_time() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    for _ in 0..50 {
        drafts(&ann, json!({ "content": "a", "publishAt": at(&world, 600) })).await;
    }
    let late = json!({ "content": "a", "publishAt": at(&world, 600) });
    ann.post("/me/drafts", late.clone()).await.refused(400, "VALIDATION_FAILED");
    for _ in 0..50 {
        drafts(&ann, json!({ "content": "a" })).await;
    }
    ann.post("/me/drafts", json!({ "content": "a" })).await.refused(400, "VALIDATION_FAILED");
    let newest = ann.get("/me/drafts?take=51").await.ok();
    ann.delete(&path(&newest.rows()[50])).await.ok();
    ann.post("/me/drafts", late).await.ok();
}

#[tokio::test]
async fn a_draft_is_published_within_a_minute_of_its_time_as_if_it_were_written_then() {
    let world = World::by_the_minute(&[]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    bob.follows(&ann).await;
    world.settle().await;
    let body = json!({ "content": "Hello #world", "mentions": [bob.id], "publishAt": at(&world, 600) });
    let draft = drafts(&ann, body).await;
    world.advance(599).await;
    world.settle().await;
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 1, "it is not time");
    world.advance(61).await;
    world.settle().await;
    let posts = bob.get("/posts/news-feed?type=FOLLOWING").await.ok();
    let [post] = posts.rows() else { panic!("{posts}") };
    assert_eq!((&post["content"], &post["topic"]), (&json!("Hello #world"), &json!("world")));
    assert!(post["createdAt"].as_str() >= draft["publishAt"].as_str());
    assert!(post["publicId"].as_str() > draft["id"].as_str());
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 0);
    world.advance(80).await;
    world.settle().await;
    assert_eq!(bob.get("/notification").await.ok().column("type"), [json!("MENTION")]);
    assert_eq!(world.anyone.get("/user/ann/posts").await.ok().rows().len(), 1, "it was published once");
}

#[tokio::test]
async fn a_draft_with_a_file_keeps_it_until_it_is_published() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    let upload = uploads::begins(&ann, "image/png", 5).await;
    let body = json!({ "content": "Look", "media": [{ "id": upload["id"] }], "publishAt": at(&world, 600) });
    drafts(&ann, body).await;
    time_passes(&world, 700).await;
    let posts = ann.get("/user/ann/posts").await.ok();
    assert_eq!(posts.rows()[0]["media"][0]["id"], upload["id"]);
    let status = async |upload: &Value| {
        let upload = ann.get(&format!("/upload/{}", upload["id"].as_str().unwrap())).await;
        (upload.status == 200).then(|| upload.data()["status"].clone())
    };
    assert_eq!(status(&upload).await, Some(json!("PENDING")), "the post shows it");
    let other = uploads::begins(&ann, "image/png", 5).await;
    let draft = drafts(&ann, json!({ "content": "Look", "media": [{ "id": other["id"] }] })).await;
    ann.delete(&path(&draft)).await.ok();
    world.settle().await;
    assert_eq!(status(&other).await, None, "nothing shows it any more");
}

#[tokio::test]
async fn a_reply_and_a_quote_are_published_and_counted() {
    let world = World::by_the_minute(&[]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = bob.writes("hello").await;
    for field in ["parentPublicId", "originPublicId"] {
        drafts(&ann, json!({ "content": "hi", field: post.id, "publishAt": at(&world, 600) })).await;
    }
    time_passes(&world, 700).await;
    assert_eq!(counts(&bob.sees(&post).await), [1, 0, 1]);
}

#[tokio::test]
async fn what_cannot_be_published_stays_a_draft_that_says_why() {
    let world = World::by_the_minute(&[]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = bob.writes("hello").await;
    let draft =
        drafts(&ann, json!({ "content": "hi", "parentPublicId": post.id, "publishAt": at(&world, 600) }))
            .await;
    let mention =
        drafts(&ann, json!({ "content": "hi", "mentions": [bob.id], "publishAt": at(&world, 600) })).await;
    bob.deletes(&post).await;
    bob.blocks(&ann).await;
    time_passes(&world, 700).await;
    for draft in [draft, mention] {
        let kept = ann.get(&path(&draft)).await.ok().data().clone();
        assert!(kept["problem"].is_string() && kept["publishAt"].is_null(), "{kept}");
        let again = json!({ "publishAt": at(&world, 600) });
        let edited = ann.patch(&path(&draft), again).await.ok().data().clone();
        assert!(edited["problem"].is_null() && edited["publishAt"].is_string(), "{edited}");
    }
    assert_eq!(ann.get("/user/ann/posts").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn somebody_who_is_banned_publishes_nothing() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    let admin = crate::admin::administrator(&world, "admin_", domain::people::users::Role::Admin).await;
    let draft = drafts(&ann, json!({ "content": "hi", "publishAt": at(&world, 600) })).await;
    admin.patch(&format!("/admin/users/{}/ban", ann.id), Value::Null).await.ok();
    time_passes(&world, 700).await;
    assert_eq!(world.anyone.get("/posts/news-feed").await.ok().rows().len(), 0);
    let admin = admin.signs_in().await;
    admin.patch(&format!("/admin/users/{}/unlock", ann.id), Value::Null).await.ok();
    let kept = ann.signs_in().await.get(&path(&draft)).await.ok().data().clone();
    assert_eq!(kept["problem"], "this account is banned");
}

#[tokio::test]
async fn a_worker_that_crashes_publishes_a_draft_once() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    for number in 0..5 {
        drafts(&ann, json!({ "content": format!("post {number}"), "publishAt": at(&world, 600) })).await;
    }
    world.advance(700).await;
    world.faults.next("TransactWriteItems", Fault::CrashAfter);
    world.faults.next("TransactWriteItems", Fault::Crash);
    world.settle().await;
    assert!(world.faults.calm() > 0);
    world.advance(120).await;
    world.settle().await;
    let ann = ann.signs_in().await;
    assert_eq!(ann.get("/user/ann/posts").await.ok().rows().len(), 5);
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 0);
    drafts(&ann, json!({ "content": "the count is right", "publishAt": at(&world, 600) })).await;
}

#[tokio::test]
async fn an_edit_beside_the_publication_is_published_or_kept() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
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

#[tokio::test]
async fn drafts_go_with_whoever_leaves() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    drafts(&ann, json!({ "content": "hi", "publishAt": at(&world, 600) })).await;
    ann.leaves().await;
    time_passes(&world, 700).await;
    assert_eq!(world.anyone.get("/posts/news-feed").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn a_draft_costs_what_the_chart_says() {
    let world = World::by_the_minute(&[]).await;
    let ann = world.person("ann").await;
    let body = json!({ "content": "x".repeat(500) });
    let (draft, create) = world.cost_of(drafts(&ann, body)).await;
    assert_eq!((create.calls, create.rru, create.wru), (2, 0.0, 5.0), "with the session");
    let (_, list) = world.cost_of(ann.get("/me/drafts")).await;
    assert_eq!((list.calls, list.rru), (2, 2.0));
    let (_, edit) = world.cost_of(ann.patch(&path(&draft), json!({ "content": "a" }))).await;
    assert_eq!((edit.calls, edit.rru, edit.wru), (3, 1.0, 3.0));
    let (_, delete) = world.cost_of(ann.delete(&path(&draft))).await;
    assert_eq!((delete.calls, delete.rru, delete.wru), (3, 1.0, 5.0));
}

async fn drafts(who: &Person, body: Value) -> Value {
    who.post("/me/drafts", body).await.ok().data().clone()
}

/// A moment so many seconds from now.
pub(super) fn at(world: &World, seconds: u64) -> String {
    world.app().now().plus_seconds(seconds as i64).to_string()
}

async fn time_passes(world: &World, seconds: u64) {
    world.advance(seconds).await;
    world.settle().await;
}

fn path(draft: &Value) -> String {
    format!("/me/drafts/{}", draft["id"].as_str().unwrap())
}
