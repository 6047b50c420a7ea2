//! Jobs that reach their message limit after one page. A redrive or the next run processes the remaining pages.

use domain::{
    circles::museum::Stone,
    ids::{PostId, UserId},
    moderation::reports::{self, Report},
    people::users::Role,
};
use platform::table::{Index, Key, KeyOnly, Row, Write};
use serde_json::{Value, json};
use tests::{Person, World};

use super::{purge, put, put_last, redrive, waiting};
use crate::{
    admin::{administrator, change},
    circles::{creates_circle, joins},
    deletion::{runs_deletions, traces::rows_with},
    messages::makes,
    moderation,
};

const HOUR: u64 = 3600;
const HOUSEKEEPING: &str = "housekeeping";

#[tokio::test]
async fn a_rename_that_reached_its_limit_can_be_redriven() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let post = ann.writes("hello").await;
    let reply = ann.replies(&post, "hi").await;
    world.settle().await;
    ann.post("/auth/profile", json!({ "username": "anna" })).await.ok();
    cut_off(&world, waiting(&world, HOUSEKEEPING, "renameAuthor").await, 20_000).await;
    let names = async || {
        let [post, reply] = [ann.sees(&post).await, ann.sees(&reply).await];
        [post, reply].map(|post| post["user"]["username"].clone())
    };
    assert_eq!(names().await, ["anna", "ann"], "after one page, which has the post");
    redrive(&world, HOUSEKEEPING).await;
    assert_eq!(names().await, ["anna", "anna"]);
}

#[tokio::test]
async fn all_circles_of_a_banned_owner_get_owners_after_a_redrive() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let circles = [creates_circle(&ann, "One").await, creates_circle(&ann, "Two").await];
    for circle in &circles {
        joins(&bob, circle, &ann).await;
    }
    world.settle().await;
    root.patch(&format!("/admin/users/{}/ban", ann.id), json!({})).await.ok();
    cut_off(&world, waiting(&world, HOUSEKEEPING, "replaceOwner").await, 1_000).await;
    let of_bob = async || {
        let [one, two] = [circles[0].seen(&world).await, circles[1].seen(&world).await];
        [one, two].iter().filter(|circle| circle["owner"]["username"] == "bob").count()
    };
    assert_eq!(of_bob().await, 1, "the job stopped after the first circle");
    redrive(&world, HOUSEKEEPING).await;
    assert_eq!(of_bob().await, 2);
}

#[tokio::test]
async fn a_group_chat_without_members_is_purged_after_a_redrive() {
    let world = World::builder().without_ticks().start().await;
    let [ann, _bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = makes(&ann, "crowd", &["bob", "cleo"]).await.data()["publicId"].as_str().unwrap().to_owned();
    let pk = format!("GROUP#{group}");
    let rows = (0..450).map(|number| KeyOnly { pk: pk.clone(), sk: format!("MSG#{number:03}") });
    world.app().table.batch_write(&rows.collect::<Vec<_>>(), &[]).await.unwrap();
    let job = json!({ "job": "purgeGroup", "group": group });
    let left = async || rows_with(&world, &[&pk]).await.len();
    let before = left().await;
    put(&world, HOUSEKEEPING, &job.to_string()).await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(left().await, before, "the job does not purge a group that has members");
    world.app().table.write(Write::delete(Key::new(&pk, "GROUP"))).await.unwrap();
    cut_off(&world, job, 10_000).await;
    assert!(left().await > 0, "after one page");
    redrive(&world, HOUSEKEEPING).await;
    assert_eq!(left().await, 0);
}

#[tokio::test]
async fn all_voters_are_notified_after_a_redrive() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, cleo, dan, eve, fay] = world.people(["ann", "bob", "cleo", "dan", "eve", "fay"]).await;
    let poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 5 });
    let post = ann.posts(json!({ "content": "Tea or coffee?", "poll": poll })).await;
    for voter in [&bob, &cleo, &dan, &eve, &fay] {
        voter.post(&post.path("/vote"), json!({ "options": [0] })).await.ok();
        world.settle().await;
        world.advance(1).await;
    }
    world.advance(330).await;
    cut_off(&world, json!({ "job": "notifyPollEnded", "post": post.id }), 1_000).await;
    let notified = async || {
        world.advance(60).await;
        put(&world, "notification-tick", "{}").await;
        world.stack.settle(None).await.unwrap();
        let mut notified = 0;
        for user in [&ann, &bob, &cleo, &dan, &eve, &fay] {
            notified += user.get("/notification").await.ok().rows().len();
        }
        notified
    };
    assert_eq!(notified().await, 3, "one page notifies the author and two voters");
    redrive(&world, HOUSEKEEPING).await;
    assert_eq!(notified().await, 6);
}

#[tokio::test]
async fn the_hourly_run_completes_an_interrupted_account_deletion() {
    for job in ["withdraw", "erase"] {
        let (world, [ann, bob]) = World::builder().without_ticks().start_with(["annabella", "bob"]).await;
        let post = bob.writes("hello").await;
        ann.writes("qwijibo").await;
        ann.replies(&post, "qwijibo").await;
        world.settle().await;
        ann.leaves().await;
        let mut walk = waiting(&world, "leaving", "withdraw").await;
        walk["job"] = json!(job);
        put_last(&world, "leaving", walk, 20_000).await;
        assert!(!erased(&world, &ann).await, "{job}");
        runs_deletions(&world).await;
        assert!(erased(&world, &ann).await, "{job}");
    }
}

#[tokio::test]
async fn the_next_run_starts_account_erasures_the_last_run_left() {
    let world = World::builder().without_ticks().start().await;
    let app = world.app();
    let users: Vec<UserId> = (0..60).map(|_| app.ids.next(app.now())).collect();
    for user in &users {
        let row = Write::update(Key::new(format!("USER#{user}"), "LEAVING")).set("user", user);
        let row = row.set("beganAt", app.now()).set("erasedFrom", app.now());
        let due = Key::new("DUE#LEAVING", format!("{}#{user}", app.now()));
        app.table.write(row.index_key(Index::Gsi1, Some(due))).await.unwrap();
    }
    let left = async || rows_with(&world, &["DUE#LEAVING"]).await.len();
    put_last(&world, "leaving", json!({ "job": "due" }), 1_000).await;
    assert_eq!(left().await, 35, "after one page");
    put(&world, "leaving", r#"{"job":"due"}"#).await;
    world.settle().await;
    assert_eq!(left().await, 0);
}

#[tokio::test]
async fn a_rename_in_memorials_that_reached_its_limit_can_be_redriven() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let app = world.app();
    let stones: Vec<Stone> = (0..60).map(|_| stone_of(&world, "ann")).collect();
    app.table.batch_write(&stones, &[]).await.unwrap();
    for Stone { public_id, top_posts, .. } in &stones {
        let posts = json!([{ "publicId": top_posts[0].public_id, "content": "hello" }]);
        let row = Write::update(Key::new(format!("USER#{}", ann.id), format!("STONE#{public_id}")));
        let row = row.set("user", &ann.id).set("stone", public_id).set("posts", posts);
        app.table.write(row).await.unwrap();
    }
    ann.post("/auth/profile", json!({ "name": "Anna" })).await.ok();
    cut_off(&world, waiting(&world, HOUSEKEEPING, "renameInMuseum").await, 1_000).await;
    let keys: Vec<_> = stones.iter().map(Row::key).collect();
    let renamed = async || {
        let stones: Vec<Stone> = app.table.batch_get(&keys).await.unwrap();
        stones.iter().filter(|stone| stone.top_posts[0].author.to_string() == "Anna").count()
    };
    assert_eq!(renamed().await, 25, "after one page");
    redrive(&world, HOUSEKEEPING).await;
    assert_eq!(renamed().await, 60);
}

/// Returns a memorial with one post, whose author has the name `name`.
fn stone_of(world: &World, name: &str) -> Stone {
    let app = world.app();
    let post = json!({ "publicId": app.ids.next::<PostId>(app.now()), "content": "hello", "author": name, "likesCount": 0 });
    let stone = json!({ "publicId": app.ids.next::<PostId>(app.now()), "circleName": "Night readers", "summary": "It was fun.",
        "peakHp": 500, "livedDays": 1, "maxLevel": 1, "totalMembers": 3, "topPostIds": [post["publicId"]],
        "topPosts": [post], "heroes": [], "featured": false, "diedAt": app.now() });
    serde_json::from_value(stone).unwrap()
}

#[tokio::test]
async fn the_next_run_resends_reports_that_the_last_run_left() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let report = moderation::reports(&bob, &ann.writes("hello").await.id, json!({})).await;
    world.stack.drain_streams().await;
    purge(&world, "report-evaluation-later").await;
    let keys = copies_report(&world, &report, 249).await;
    world.advance(HOUR).await;
    purge(&world, HOUSEKEEPING).await;
    let judged = async || reports_that(&world, &keys, |report| report.confidence.is_some()).await;
    cut_off(&world, json!({ "job": "resendReports" }), 1_000).await;
    assert_eq!(judged().await, 100, "after one page");
    put(&world, HOUSEKEEPING, r#"{"job":"resendReports"}"#).await;
    world.settle().await;
    assert_eq!(judged().await, 250);
}

#[tokio::test]
async fn all_reports_about_a_target_are_decided_after_a_redrive() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let report = moderation::reports(&bob, &ann.writes("hello").await.id, json!({})).await;
    world.settle().await;
    world.advance(1).await;
    let keys = copies_report(&world, &report, 60).await;
    root.patch(&report, json!({ "action": "dismiss" })).await.ok();
    let pending = async || reports_that(&world, &keys, |report| report.decided_at.is_none()).await;
    cut_off(&world, waiting(&world, HOUSEKEEPING, "settleReports").await, 1_000).await;
    assert_eq!(pending().await, 36, "one page decides 24 more reports");
    redrive(&world, HOUSEKEEPING).await;
    assert_eq!(pending().await, 0);
}

#[tokio::test]
async fn cases_about_a_banned_user_are_closed_after_a_redrive() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    for number in 0..27 {
        let post = ann.writes(&format!("post {number}")).await;
        moderation::reports(&bob, &post.id, json!({})).await;
    }
    world.settle().await;
    change(&root, &ann, "ban", Value::Null).await.ok();
    let pending = async || root.get("/admin/cases?take=100").await.ok().rows().len();
    cut_off(&world, waiting(&world, HOUSEKEEPING, "closeCases").await, 1_000).await;
    assert_eq!(pending().await, 2, "after one page");
    redrive(&world, HOUSEKEEPING).await;
    assert_eq!(pending().await, 0);
}

/// Stores copies of the report with this path. Returns the keys of the report and its copies.
async fn copies_report(world: &World, path: &str, copies: usize) -> Vec<Key> {
    let (app, id) = (world.app(), path.rsplit('/').next().unwrap().parse().unwrap());
    let report: Report = app.table.get(&reports::key(id)).await.unwrap().unwrap();
    let copy = |_| Report { id: app.ids.next(app.now()), ..report.clone() };
    let copies: Vec<_> = (0..copies).map(copy).collect();
    app.table.batch_write(&copies, &[]).await.unwrap();
    copies.iter().chain([&report]).map(Row::key).collect()
}

/// Returns the number of reports that meet a condition.
async fn reports_that(world: &World, keys: &[Key], is_counted: impl Fn(&Report) -> bool) -> usize {
    let reports: Vec<Report> = world.app().table.batch_get(keys).await.unwrap();
    reports.into_iter().filter(is_counted).count()
}

async fn erased(world: &World, user: &Person) -> bool {
    rows_with(world, &[&user.id, "annabella", "qwijibo"]).await.is_empty()
}

/// Processes a housekeeping job at its message limit. The job for the remaining pages becomes a dead letter.
async fn cut_off(world: &World, job: Value, messages_max: u32) {
    put_last(world, HOUSEKEEPING, job, messages_max).await;
}
