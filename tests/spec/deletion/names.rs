//! Removal of a deleted user from other users' mentions, shares and reports.

use domain::{deletion::work, people::users::Role};
use platform::deadline::Deadline;
use serde_json::json;
use tests::{Person, World};

use super::{runs_deletions, traces::rows_with};
use crate::admin::administrator;

async fn deletes_account(world: &World, person: &Person) {
    world.settle().await;
    person.leaves().await;
    runs_deletions(world).await;
}

#[tokio::test]
async fn account_deletion_removes_the_user_from_mentions() {
    let (world, [ann, bob, eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    let both = json!({ "content": "hello", "mentions": [ann.id, bob.id] });
    let post = eve.posts(both.clone()).await;
    let reply = eve.post(&post.path("/reply"), both.clone()).await.ok();
    let quote = eve.post(&post.path("/quote"), both.clone()).await.ok();
    let draft = eve.post("/me/drafts", both).await.ok();
    deletes_account(&world, &ann).await;
    let eve = eve.signs_in().await;
    assert_eq!(eve.sees(&post).await["mentions"], json!([bob.public_id]));
    for answer in [&reply, &quote] {
        let path = format!("/posts/{}", answer.data()["publicId"].as_str().unwrap());
        assert_eq!(eve.get(&path).await.ok().data()["mentions"], json!([bob.public_id]));
    }
    let drafts = eve.get("/me/drafts").await.ok();
    assert_eq!(
        (&drafts.rows()[0]["id"], &drafts.rows()[0]["mentions"]),
        (&draft.data()["id"], &json!([bob.public_id]))
    );
    assert_eq!(rows_with(&world, &[&ann.id]).await, Vec::<String>::new());
}

#[tokio::test]
async fn concurrent_account_deletions_remove_both_users_mentions() {
    let (world, [ann, bob, eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    let post = eve.posts(json!({ "content": "hello", "mentions": [ann.id, bob.id] })).await;
    world.settle().await;
    for user in [&ann, &bob] {
        user.leaves().await;
    }
    world.settle().await;
    // The `run` of a deletion job is the start time. A job with a later `run` replaces earlier jobs.
    world.advance(1).await;
    let (app, deadline) = (world.app(), Deadline::after_pages(1_000));
    let erase = |person: &Person| {
        let job = json!({ "job": "erase", "user": person.id, "run": app.now().millis(), "after": null });
        Box::pin(work(&app, &deadline, serde_json::from_value(job).unwrap()))
    };
    let (one, other) = world.faults.while_held("UpdateItem", erase(&ann), erase(&bob)).await;
    assert!(one.is_ok() && other.is_ok());
    runs_deletions(&world).await;
    assert_eq!(eve.signs_in().await.sees(&post).await["mentions"], json!([]));
}

#[tokio::test]
async fn a_draft_is_indexed_by_each_mentioned_user() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let unknown = json!({ "content": "hello", "mentions": ["01ARZ3NDEKTSV4RRFFQ69G5FAV"] });
    let refused = bob.post("/me/drafts", unknown.clone()).await;
    let message = refused.refused(400, "VALIDATION_FAILED");
    assert!(message.starts_with("mentions"), "{message}");
    let draft = bob.post("/me/drafts", json!({ "content": "hello", "mentions": [ann.id] })).await.ok();
    let path = format!("/me/drafts/{}", draft.data()["id"].as_str().unwrap());
    bob.patch(&path, json!({ "mentions": unknown["mentions"] })).await.refused(400, "VALIDATION_FAILED");
    let mentioned = async || {
        let rows = rows_with(&world, &[&bob.id]).await;
        rows.iter().filter(|row| row.contains("/ MENTIONED#")).count()
    };
    assert_eq!(mentioned().await, 1, "the index row lets the deletion of ann's account find the draft");
    bob.patch(&path, json!({ "mentions": [] })).await.ok();
    assert_eq!(mentioned().await, 0);
    bob.patch(&path, json!({ "mentions": [ann.id] })).await.ok();
    bob.delete(&path).await.ok();
    assert_eq!(mentioned().await, 0);
}

#[tokio::test]
async fn account_deletion_removes_the_author_from_quotes_and_reposts() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let post = ann.writes("a post that goes round").await;
    let mut shares = Vec::new();
    for number in 0..28 {
        let fan = world.person(&format!("fan{number}")).await;
        fan.reposts(&post).await;
        shares.push((fan.quotes(&post, "look").await, fan));
    }
    deletes_account(&world, &ann).await;
    assert_eq!(rows_with(&world, &[&ann.id]).await, Vec::<String>::new());
    let (quote, fan) = &shares[27];
    let seen = fan.signs_in().await.sees(quote).await;
    assert_eq!((&seen["content"], &seen["originPublicId"]), (&json!("look"), &json!(post.id)));
}

#[tokio::test]
async fn account_deletion_removes_the_reported_user_from_reports() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let admin = administrator(&world, "admin1", Role::Admin).await;
    let post = ann.writes("hm").await;
    for kind in ["post", "user"] {
        bob.post(&post.path("/report"), json!({ "reason": "no", "type": kind })).await.ok();
    }
    deletes_account(&world, &ann).await;
    assert_eq!(rows_with(&world, &[&ann.id]).await, Vec::<String>::new());
    let admin = admin.signs_in().await;
    let reports = admin.get("/admin/reports").await.ok();
    let removed = "00000000000000000000000000";
    assert_eq!(reports.column("reportedUserId"), [json!(removed), json!(removed)]);
    for report in reports.rows() {
        let path = format!("/admin/reports/{}", report["id"].as_str().unwrap());
        admin.patch(&path, json!({ "action": "dismiss" })).await.ok();
    }
    let own = bob.signs_in().await.get("/me/reports").await.ok();
    assert_eq!(own.column("status"), [json!("DISMISSED"), json!("DISMISSED")]);
}
