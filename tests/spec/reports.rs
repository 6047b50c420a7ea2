//! Reports. A judge hides a harmful reported post, unless an administrator has already decided.

pub(crate) mod external_judge;
mod judges;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    moderation::reports::{self, Report},
    people::users::Role,
};
use platform::table::Write;
use serde_json::json;
use tests::{Fault, Person, Post, World};

use crate::admin::{administrator, start_with_root};

const HARMFUL: &str = "Tao sẽ giết mày";
const HARMLESS: &str = "What a lovely morning, coffee and rain";
const QUEUE: &str = "report-evaluation";

#[tokio::test]
async fn a_harmful_post_is_hidden_from_lists() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for kind in ["post", "circle"] {
        let post = ann.writes(HARMFUL).await;
        assert_eq!(bob.get("/posts/news-feed").await.rows().len(), 1);
        reports(&bob, &post, kind).await;
        world.settle().await;
        assert!(bob.get("/posts/news-feed").await.rows().is_empty());
        let seen = bob.sees(&post).await;
        assert_eq!(json!([seen["isHidden"], seen["content"]]), json!([true, HARMFUL]));
    }
}

#[tokio::test]
async fn a_hidden_post_leaves_search_and_feed_despite_faults() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    world.settle().await;
    assert_eq!((words(&world).await, bob.get("/posts/news-feed").await.rows().len()), (3, 1));
    reports(&bob, &post, "post").await;
    world.faults.plan("SendMessageBatch", Fault::Refused, 0, 1);
    world.settle().await;
    assert_eq!(world.faults.calm(), 1);
    assert_eq!((words(&world).await, bob.get("/posts/news-feed").await.rows().len()), (0, 0));
}

/// Returns the number of rows in the search index of posts.
async fn words(world: &World) -> i32 {
    let scan = world.clients().dynamodb.scan().table_name(world.stack.table_name());
    let word = AttributeValue::S("WORD#".to_owned());
    let words = scan.filter_expression("begins_with(pk, :word)").expression_attribute_values(":word", word);
    words.send().await.unwrap().count
}

#[tokio::test]
async fn a_hidden_reply_is_not_listed_among_the_replies() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(HARMLESS).await;
    let reply = bob.replies(&post, HARMFUL).await;
    reports(&ann, &reply, "post").await;
    world.settle().await;
    assert!(ann.get(&post.path("/replies")).await.rows().is_empty());
    assert_eq!(ann.sees(&reply).await["isHidden"], true);
}

#[tokio::test]
async fn a_harmless_post_stays_visible() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let (post, report) = judged(&world, [&ann, &bob], HARMLESS).await;
    assert_eq!(bob.get("/posts/news-feed").await.rows().len(), 1);
    assert_eq!(bob.sees(&post).await["isHidden"], false);
    assert!(report.confidence.unwrap() < 0.5);
    assert!(!report.assistant_note.unwrap().is_empty());
}

#[tokio::test]
async fn reported_insults_are_hidden_but_reported_curses_are_not() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for (text, hidden) in [
        ("mấy thằng vô học chỉ giỏi sủa", true),
        ("quán này đông vãi lol", false),
        ("câm mẹ mồm đi cho tao ngủ 😂", false),
    ] {
        let (post, report) = judged(&world, [&ann, &bob], text).await;
        assert_eq!(bob.sees(&post).await["isHidden"], hidden, "{text}");
        assert!(report.confidence.unwrap() >= 0.5, "{text}");
    }
}

#[tokio::test]
async fn slurs_incitement_and_scams_are_hidden_but_friendly_talk_and_warnings_are_not() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for (text, hidden) in [
        ("faggot", true),
        ("k y s", true),
        ("tu tu di", true),
        ("óc chó", true),
        ("Free airdrop! Connect your wallet at https://airdrop.example", true),
        ("Vay tiền nhanh không thế chấp, zalo 0912 345 678", true),
        ("Killing time at the airport with a book", false),
        ("Giết thời gian với chó nhà mình", false),
        ("Please don't kill yourself, you matter", false),
        ("Cảnh báo lừa đảo: đừng vay tiền qua zalo 0912 345 678", false),
    ] {
        let (post, _) = judged(&world, [&ann, &bob], text).await;
        assert_eq!(bob.sees(&post).await["isHidden"], hidden, "{text}");
    }
}

/// Reports a post, and returns the queues with the evaluation job.
async fn queues_of_report(world: &World, reporter: &Person, post: &Post) -> Vec<String> {
    reports(reporter, post, "post").await;
    world.stack.drain_streams().await;
    let queues = world.stack.queues().into_iter();
    let waiting = queues.filter(|queue| queue.name.starts_with(QUEUE) && queue.visible > 0);
    let waiting = waiting.map(|queue| queue.name).collect();
    world.settle().await;
    waiting
}

#[tokio::test]
async fn reports_by_accounts_in_good_standing_are_judged_first() {
    let world = World::new().await;
    let later = [format!("{QUEUE}-later")];
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes(HARMLESS).await;
    assert_eq!(queues_of_report(&world, &bob, &post).await, later, "the account is new");
    world.advance(7 * 24 * 3600).await;
    let [root, bob] = [administrator(&world, "root", Role::Admin).await, bob.signs_in().await];
    assert_eq!(queues_of_report(&world, &bob, &post).await, [QUEUE]);
    for _ in 0..20 {
        let id = reports(&bob, &post, "post").await;
        root.patch(&format!("/admin/reports/{id}"), json!({ "action": "dismiss" })).await.ok();
    }
    world.advance(3600).await;
    world.settle().await;
    let bob = bob.signs_in().await;
    assert_eq!(queues_of_report(&world, &bob, &post).await, later, "most of the reports were dismissed");
}

#[tokio::test]
async fn reports_by_accounts_with_a_strike_are_judged_later() {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob, cleo]) = start_with_root(builder, Role::Admin, ["ann", "bob", "cleo"]).await;
    world.settle().await;
    world.advance(7 * 24 * 3600).await;
    let [root, ann, bob, cleo] =
        [root.signs_in().await, ann.signs_in().await, bob.signs_in().await, cleo.signs_in().await];
    let [post, own] = [ann.writes(HARMLESS).await, bob.writes("hello").await];
    let report = format!("/admin/reports/{}", reports(&cleo, &own, "post").await);
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    assert_eq!(queues_of_report(&world, &bob, &post).await, [format!("{QUEUE}-later")]);
    world.advance(1).await;
    root.patch(&report, json!({ "action": "dismiss" })).await.ok();
    assert_eq!(queues_of_report(&world, &bob, &post).await, [QUEUE], "a reversed decision is no strike");
    world.advance(1).await;
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    world.advance(90 * 24 * 3600).await;
    let bob = bob.signs_in().await;
    assert_eq!(queues_of_report(&world, &bob, &post).await, [QUEUE], "the strike has expired");
}

#[tokio::test]
async fn a_report_about_a_user_is_not_judged() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    let id = reports(&bob, &post, "user").await;
    world.settle().await;
    assert_eq!(bob.sees(&post).await["isHidden"], false);
    assert_eq!(report(&world, &id).await.confidence, None);
}

#[tokio::test]
async fn a_decided_report_is_not_judged() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    let id = reports(&bob, &post, "post").await;
    let decided =
        Write::update(reports::key(id.parse().unwrap())).set("status", "DISMISSED").set("confidence", 0);
    world.app().table.write(decided).await.unwrap();
    world.settle().await;
    assert_eq!(bob.sees(&post).await["isHidden"], false);
    assert_eq!(bob.get("/posts/news-feed").await.rows().len(), 1);
}

#[tokio::test]
async fn a_deleted_post_is_not_judged() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    reports(&bob, &post, "post").await;
    ann.deletes(&post).await;
    world.settle().await;
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_report_that_is_repeated_after_a_conflict_counts_once() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 3);
    let body = json!({ "reason": "It is bad.", "type": "post" });
    let reported = bob.post(&post.path("/report"), body).await.ok();
    assert_ne!(world.faults.calm(), 0);
    assert_eq!(reported.header("ratelimit-remaining"), Some("29"));
}

#[tokio::test]
async fn evaluating_a_report_twice_has_no_effect() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    let id = reports(&bob, &post, "post").await;
    for fault in [Fault::CrashAfter, Fault::LostAnswer] {
        world.faults.next("TransactWriteItems", fault);
    }
    world.settle().await;
    assert!(world.faults.calm() > 0);
    let first = report(&world, &id).await;
    let seen = bob.sees(&post).await;
    reports(&bob, &post, "post").await;
    world.settle().await;
    let again = report(&world, &id).await;
    assert_eq!((again.confidence, again.assistant_note), (first.confidence, first.assistant_note));
    assert_eq!(bob.sees(&post).await["updatedAt"], seen["updatedAt"]);
}

async fn reports(person: &Person, post: &Post, kind: &str) -> String {
    let body = json!({ "reason": "It is bad.", "type": kind });
    let answer = person.post(&post.path("/report"), body).await.ok();
    assert_eq!(answer.data()["status"], "PENDING");
    answer.data()["id"].as_str().unwrap().to_owned()
}

/// Writes a post as the first user, and reports it as the second. Returns the post, and the report after its evaluation.
async fn judged(world: &World, [author, reporter]: [&Person; 2], text: &str) -> (Post, Report) {
    let post = author.writes(text).await;
    let id = reports(reporter, &post, "post").await;
    world.settle().await;
    (post, report(world, &id).await)
}

async fn report(world: &World, id: &str) -> Report {
    world.app().table.get(&reports::key(id.parse().unwrap())).await.unwrap().unwrap()
}
