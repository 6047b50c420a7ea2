//! Somebody who left is named in nothing that others wrote.

use domain::{deletion::work, people::users::Role};
use platform::deadline::Deadline;
use serde_json::json;
use tests::{Person, World};

use super::{is_erased, traces::rows_with};
use crate::admin::administrator;

async fn leaves_for_good(world: &World, who: &Person) {
    world.settle().await;
    who.leaves().await;
    is_erased(world).await;
}

#[tokio::test]
async fn a_post_and_a_draft_mention_those_who_are_still_there() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve] = world.people(["ann", "bob", "eve"]).await;
    let both = json!({ "content": "hello", "mentions": [ann.id, bob.id] });
    let post = eve.posts(both.clone()).await;
    let reply = eve.post(&post.path("/reply"), both.clone()).await.ok();
    let quote = eve.post(&post.path("/quote"), both.clone()).await.ok();
    let draft = eve.post("/me/drafts", both).await.ok();
    leaves_for_good(&world, &ann).await;
    let eve = eve.signs_in().await;
    assert_eq!(eve.sees(&post).await["mentions"], json!([bob.id]));
    for answer in [&reply, &quote] {
        let path = format!("/posts/{}", answer.data()["publicId"].as_str().unwrap());
        assert_eq!(eve.get(&path).await.ok().data()["mentions"], json!([bob.id]));
    }
    let drafts = eve.get("/me/drafts").await.ok();
    assert_eq!(
        (&drafts.rows()[0]["id"], &drafts.rows()[0]["mentions"]),
        (&draft.data()["id"], &json!([bob.id]))
    );
    assert_eq!(rows_with(&world, &[&ann.id]).await, Vec::<String>::new());
}

#[tokio::test]
async fn two_who_leave_at_once_are_both_taken_out_of_a_mention() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve] = world.people(["ann", "bob", "eve"]).await;
    let post = eve.posts(json!({ "content": "hello", "mentions": [ann.id, bob.id] })).await;
    world.settle().await;
    for leaver in [&ann, &bob] {
        leaver.leaves().await;
    }
    world.settle().await;
    // A later run, so that it takes the place of the first.
    world.advance(1).await;
    let (app, deadline) = (world.app(), Deadline::after_pages(1_000));
    let erase = |who: &Person| {
        let job = json!({ "job": "erase", "user": who.id, "run": app.now().millis(), "after": null });
        Box::pin(work(&app, &deadline, serde_json::from_value(job).unwrap()))
    };
    let (one, other) = world.faults.while_held("UpdateItem", erase(&ann), erase(&bob)).await;
    assert!(one.is_ok() && other.is_ok());
    is_erased(&world).await;
    assert_eq!(eve.signs_in().await.sees(&post).await["mentions"], json!([]));
}

#[tokio::test]
async fn a_draft_mentions_nobody_who_is_not_there_and_forgets_whom_it_mentions_no_more() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let nobody = json!({ "content": "hello", "mentions": ["01ARZ3NDEKTSV4RRFFQ69G5FAV"] });
    let refused = bob.post("/me/drafts", nobody.clone()).await;
    let said = refused.refused(400, "VALIDATION_FAILED");
    assert!(said.starts_with("mentions"), "{said}");
    let draft = bob.post("/me/drafts", json!({ "content": "hello", "mentions": [ann.id] })).await.ok();
    let path = format!("/me/drafts/{}", draft.data()["id"].as_str().unwrap());
    bob.patch(&path, json!({ "mentions": nobody["mentions"] })).await.refused(400, "VALIDATION_FAILED");
    let mentioned = async || {
        let rows = rows_with(&world, &[&bob.id]).await;
        rows.iter().filter(|it| it.contains("/ MENTIONED#")).count()
    };
    assert_eq!(mentioned().await, 1, "ann finds it when she leaves");
    bob.patch(&path, json!({ "mentions": [] })).await.ok();
    assert_eq!(mentioned().await, 0);
    bob.patch(&path, json!({ "mentions": [ann.id] })).await.ok();
    bob.delete(&path).await.ok();
    assert_eq!(mentioned().await, 0);
}

#[tokio::test]
async fn all_who_passed_a_post_on_forget_who_wrote_it() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let post = ann.writes("a post that goes round").await;
    let mut shares = Vec::new();
    for number in 0..28 {
        let fan = world.person(&format!("fan{number}")).await;
        fan.reposts(&post).await;
        shares.push((fan.quotes(&post, "look").await, fan));
    }
    leaves_for_good(&world, &ann).await;
    assert_eq!(rows_with(&world, &[&ann.id]).await, Vec::<String>::new());
    let (quote, fan) = &shares[27];
    let seen = fan.signs_in().await.sees(quote).await;
    assert_eq!((&seen["content"], &seen["originPublicId"]), (&json!("look"), &json!(post.id)));
}

#[tokio::test]
async fn a_report_stays_without_whom_it_is_about() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let admin = administrator(&world, "admin1", Role::Admin).await;
    let post = ann.writes("hm").await;
    for kind in ["post", "user"] {
        bob.post(&post.path("/report"), json!({ "reason": "no", "type": kind })).await.ok();
    }
    leaves_for_good(&world, &ann).await;
    assert_eq!(rows_with(&world, &[&ann.id]).await, Vec::<String>::new());
    let admin = admin.signs_in().await;
    let reports = admin.get("/admin/reports").await.ok();
    let nobody = "00000000000000000000000000";
    assert_eq!(reports.column("reportedUserId"), [json!(nobody), json!(nobody)]);
    for report in reports.rows() {
        let path = format!("/admin/reports/{}", report["id"].as_str().unwrap());
        admin.patch(&path, json!({ "action": "dismiss" })).await.ok();
    }
    let own = bob.signs_in().await.get("/me/reports").await.ok();
    assert_eq!(own.column("status"), [json!("DISMISSED"), json!("DISMISSED")]);
}
