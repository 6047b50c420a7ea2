//! Drafts: creation, changes, lists and deletion.

use serde_json::{Value, json};
use tests::{Person, World};

use crate::uploads;

mod publication;

const DAY: u64 = 24 * 3600;

#[tokio::test]
async fn a_draft_is_private_and_stored_as_written() {
    let (world, [ann, bob]) = World::builder().with_minute_ticks().start_with(["ann", "bob"]).await;
    let body = json!({ "content": "Hello #world", "mentions": [bob.id], "visibility": "friend", "spoiler": "A word" });
    let draft = drafts(&ann, body).await;
    let time = "2026-01-01T00:00:00.000Z";
    let expected = json!({
        "id": draft["id"], "content": "Hello #world", "mentions": [bob.public_id], "media": [], "poll": null,
        "parentPublicId": null, "originPublicId": null, "topic": null, "visibility": "FRIEND",
        "replyPermission": null, "quotePermission": null, "sensitive": false, "spoiler": "A word",
        "publishAt": null, "publishError": null, "createdAt": time, "updatedAt": time,
    });
    assert_eq!(draft, expected);
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
async fn a_draft_can_be_edited_and_deleted() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let draft = drafts(&ann, json!({ "content": "one", "topic": "a", "publishAt": at(&world, 600) })).await;
    world.advance(1).await;
    let edited = ann.patch(&path(&draft), json!({ "content": "two", "publishAt": null })).await.ok();
    let edited = edited.data();
    assert_eq!(json!([edited["content"], edited["topic"], edited["publishAt"]]), json!(["two", "a", null]));
    assert!(edited["updatedAt"].as_str() > edited["createdAt"].as_str());
    ann.delete(&path(&draft)).await.ok();
    ann.delete(&path(&draft)).await.refused(404, "NOT_FOUND");
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn the_response_of_a_draft_is_a_valid_edit() {
    let (world, [ann, bob]) = World::builder().with_minute_ticks().start_with(["ann", "bob"]).await;
    let origin = bob.writes("hello").await.id;
    let plain = drafts(&ann, json!({ "content": "one" })).await;
    let full = json!({
        "content": "one", "originPublicId": origin, "topic": "a", "visibility": "FRIEND", "spoiler": "A word",
        "mentions": [bob.id], "poll": { "options": ["Tea", "Coffee"], "durationMinutes": 60 },
        "publishAt": at(&world, 300),
    });
    let full = drafts(&ann, full).await;
    world.advance(60).await;
    for draft in [&plain, &full] {
        let mut fields = draft.clone();
        for name in ["id", "publishError", "createdAt", "updatedAt"] {
            fields.as_object_mut().unwrap().remove(name);
        }
        assert_eq!(ann.patch(&path(draft), fields.clone()).await.ok().data(), draft);
        fields["content"] = json!("two");
        assert_eq!(ann.patch(&path(draft), fields).await.ok().data()["content"], "two");
    }
    let cleared = json!({ "topic": null, "visibility": null, "spoiler": null });
    let edited = ann.patch(&path(&full), cleared).await.ok().data().clone();
    assert_eq!([&edited["topic"], &edited["visibility"], &edited["spoiler"]], [&Value::Null; 3]);
    let moved = ann.patch(&path(&plain), json!({ "originPublicId": origin })).await;
    let why = "originPublicId: must be omitted: an edit cannot change it";
    assert_eq!(moved.refused(400, "VALIDATION_FAILED"), why);
    ann.delete(&path(&full)).await.ok();
}

#[tokio::test]
async fn drafts_are_listed_newest_first() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    for number in 0..5 {
        drafts(&ann, json!({ "content": format!("draft {number}") })).await;
        world.advance(1).await;
    }
    let seen = ann.all_in_full_pages("/me/drafts", 3, "content").await;
    assert_eq!(seen, [4, 3, 2, 1, 0].map(|number| json!(format!("draft {number}"))));
}

#[tokio::test]
async fn the_error_for_an_invalid_draft_names_the_field() {
    let (world, [ann, bob]) = World::builder().with_minute_ticks().start_with(["ann", "bob"]).await;
    let upload = uploads::begins(&bob, "image/png", 5).await;
    let post = ann.writes("hello").await.id;
    let period = "publishAt: must be between 5 minutes and 1 year from now";
    let bad = [
        (json!({}), "content: is required"),
        (json!({ "content": "" }), "content: must have 1 to 5000 characters"),
        (json!({ "content": "a", "publishAt": at(&world, 289) }), period),
        (json!({ "content": "a", "publishAt": at(&world, 367 * DAY) }), period),
        (
            json!({ "content": "a", "media": [{ "id": upload["id"] }] }),
            "media[0].id: must be an upload of yours",
        ),
        (json!({ "content": "a", "title": "b" }), "title: must be omitted: the operation has no such field"),
        (
            json!({ "content": "a", "parentPublicId": post, "originPublicId": post }),
            "originPublicId: must be omitted if parentPublicId is set",
        ),
    ];
    for (body, why) in bad {
        assert_eq!(ann.post("/me/drafts", body).await.refused(400, "VALIDATION_FAILED"), why);
    }
    let draft = drafts(&ann, json!({ "content": "a" })).await;
    ann.patch(&path(&draft), json!({ "publishAt": "soon" })).await.invalid("publishAt: ");
}

#[tokio::test]
async fn an_idempotent_retry_creates_one_draft() {
    let (_world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let body = json!({ "content": "once" });
    let twice = [(); 2].map(|()| ann.post_once("key", "/me/drafts", body.clone()));
    let [one, other] = futures::future::join_all(twice).await.try_into().unwrap();
    assert_eq!(one.ok().data(), other.ok().data());
    assert_eq!(ann.get("/me/drafts").await.ok().rows().len(), 1);
}

#[tokio::test]
async fn a_user_has_at_most_100_drafts_and_50_scheduled() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    for _ in 0..50 {
        drafts(&ann, json!({ "content": "a", "publishAt": at(&world, 600) })).await;
    }
    let scheduled = json!({ "content": "a", "publishAt": at(&world, 600) });
    ann.post("/me/drafts", scheduled.clone()).await.refused(400, "VALIDATION_FAILED");
    for _ in 0..50 {
        drafts(&ann, json!({ "content": "a" })).await;
    }
    ann.post("/me/drafts", json!({ "content": "a" })).await.refused(400, "VALIDATION_FAILED");
    let newest = ann.get("/me/drafts?take=51").await.ok();
    ann.delete(&path(&newest.rows()[50])).await.ok();
    ann.post("/me/drafts", scheduled).await.ok();
}

#[tokio::test]
async fn account_deletion_removes_drafts() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    drafts(&ann, json!({ "content": "hi", "publishAt": at(&world, 600) })).await;
    ann.leaves().await;
    world.advance_and_settle(700).await;
    assert_eq!(world.anyone.get("/posts/news-feed").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn draft_requests_stay_within_their_cost_budgets() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let draft = world.budget("write a draft", drafts(&ann, json!({ "content": "x".repeat(500) }))).await;
    world.budget("drafts", ann.get("/me/drafts")).await;
    world.budget("edit a draft", ann.patch(&path(&draft), json!({ "content": "a" }))).await;
    world.budget("delete a draft", ann.delete(&path(&draft))).await;
}

async fn drafts(user: &Person, body: Value) -> Value {
    user.post("/me/drafts", body).await.ok().data().clone()
}

/// Returns the time in `seconds` seconds, as text.
pub(super) fn at(world: &World, seconds: u64) -> String {
    world.app().now().plus_seconds(seconds as i64).to_string()
}

fn path(draft: &Value) -> String {
    format!("/me/drafts/{}", draft["id"].as_str().unwrap())
}
