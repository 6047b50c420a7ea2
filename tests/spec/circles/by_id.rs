//! Reading, editing, deleting and reporting a single post of a circle.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

use super::{
    Circle, appoints,
    cpr::{begins, post_of, with_dying_circle},
    critic::{Critic, judged_world, text},
    members::leaves,
    posts::{comments, edits, id, judge_status, writes_in},
    with_circle, with_members, without_ticks,
};
use crate::{
    admin::administrator,
    moderation::{self, HARMFUL},
};

fn path(post: &str, below: &str) -> String {
    format!("/posts/{post}{below}")
}

/// Returns the IDs of the comments on `parent`, or of the circle's posts if `parent` is `None`.
async fn listed(world: &World, circle: &Circle, parent: Option<&str>) -> Vec<Value> {
    let below = parent.map(|post| format!("&parentId={post}")).unwrap_or_default();
    let mut lists = Vec::new();
    for sort in ["latest", "quality"] {
        let page = world.anyone.get(&circle.path(&format!("/posts?sort={sort}{below}"))).await.ok();
        lists.push(page.column("publicId"));
    }
    assert_eq!(lists[0].len(), lists[1].len(), "{lists:?}");
    lists.remove(0)
}

async fn reports(user: &Person, post: &str, kind: &str) -> Answer {
    user.post(&path(post, "/report"), json!({ "reason": "It is bad.", "type": kind })).await
}

#[tokio::test]
async fn anyone_can_read_a_post_of_a_living_circle() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    let written = writes_in(&ann, &circle, &text(9, "")).await.ok();
    let post = id(&written);
    let comment = comments(&ann, &circle, &post, &text(7, "comment")).await;
    assert_eq!(world.anyone.get(&path(&post, "")).await.ok().data(), written.data());
    world.settle().await;
    let seen = ann.get(&format!("/api/v1{}", path(&comment, ""))).await.ok();
    let data = seen.data();
    assert_eq!(json!([data["circleId"], data["parentId"]]), json!([circle.id, post]));
    assert_eq!(json!([data["qualityScore"], data["isHidden"]]), json!([7.0, false]));
    circle.gains(&world, -600, 0).await;
    world.anyone.get(&path(&post, "")).await.refused(404, "NOT_FOUND");
    reports(&world.person("bob").await, &post, "post").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_report_hides_a_harmful_post_of_a_circle() {
    let (world, [ann, bob], circle) = with_circle(without_ticks(["ann", "bob"])).await;
    let thread = id(&writes_in(&ann, &circle, "What a lovely morning, coffee and rain").await.ok());
    let harmful =
        [id(&writes_in(&ann, &circle, HARMFUL).await.ok()), comments(&ann, &circle, &thread, HARMFUL).await];
    world.settle().await;
    for (post, kind) in harmful.iter().zip(["circle", "post"]) {
        let reported = reports(&bob, post, kind).await.ok();
        assert_eq!(json!([reported.status, reported.data()["status"]]), json!([201, "PENDING"]));
        reports(&ann, post, kind).await.refused(400, "VALIDATION_FAILED");
    }
    reports(&bob, &thread, "circle").await.ok();
    world.settle_despite("TransactWriteItems", Fault::CrashAfter, 0).await;
    assert_eq!(listed(&world, &circle, None).await, [json!(thread)]);
    assert!(listed(&world, &circle, Some(&thread)).await.is_empty());
    for post in &harmful {
        let seen = world.anyone.get(&path(post, "")).await.ok();
        assert_eq!(json!([seen.data()["isHidden"], seen.data()["content"]]), json!([true, HARMFUL]));
    }
}

#[tokio::test]
async fn a_late_verdict_does_not_restore_hidden_or_deleted_posts() {
    let (world, [ann, bob], circle) = with_circle(judged_world(["ann", "bob"])).await;
    let root = administrator(&world, "root", Role::Admin).await;
    circle.gains(&world, -100, 0).await;
    let hidden = id(&writes_in(&ann, &circle, &text(9, "hidden")).await.ok());
    let deleted = id(&writes_in(&ann, &circle, &text(9, "deleted")).await.ok());
    let report = moderation::reports(&bob, &hidden, json!({})).await;
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    ann.delete(&path(&deleted, "")).await.ok();
    world.settle().await;
    assert!(listed(&world, &circle, None).await.is_empty());
    assert_eq!(judge_status(&world, &hidden).await["hpDelta"], 5);
    world.anyone.get(&path(&deleted, "/judge-status")).await.refused(404, "NOT_FOUND");
    assert_eq!(circle.energy(&world).await["current"], 405);
}

#[tokio::test]
async fn administrators_can_hide_show_and_delete_posts_of_circles() {
    let (world, [ann, bob], circle) = with_circle(without_ticks(["ann", "bob"])).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let post = id(&writes_in(&ann, &circle, HARMFUL).await.ok());
    let report = moderation::reports(&bob, &post, json!({})).await;
    world.settle().await;
    for (action, shown) in [("dismiss", 1), ("hide", 0), ("dismiss", 1), ("delete", 0)] {
        root.patch(&report, json!({ "action": action })).await.ok();
        assert_eq!(listed(&world, &circle, None).await.len(), shown, "{action}");
    }
    world.anyone.get(&path(&post, "")).await.refused(404, "NOT_FOUND");
    reports(&bob, &post, "post").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_post_with_a_dismissed_report_is_rejudged_only_if_edited() {
    let (world, [ann, bob], circle) = with_circle(without_ticks(["ann", "bob"])).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let post = id(&writes_in(&ann, &circle, HARMFUL).await.ok());
    let report = moderation::reports(&bob, &post, json!({})).await;
    root.patch(&report, json!({ "action": "dismiss" })).await.ok();
    for (edited, shown) in [(false, 1), (true, 0)] {
        if edited {
            edits(&ann, &post, &format!("{HARMFUL}!")).await.ok();
        }
        reports(&bob, &post, "post").await.ok();
        world.settle().await;
        assert_eq!(listed(&world, &circle, None).await.len(), shown, "{edited}");
    }
}

#[tokio::test]
async fn authors_and_circle_administrators_can_delete_a_post() {
    let start = judged_world(["ann", "bob", "cleo", "dan"]);
    let (world, [ann, bob, cleo, dan], circle) = with_members(start).await;
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    let mut posts = Vec::new();
    for salt in 0..3 {
        posts.push(id(&writes_in(&cleo, &circle, &text(5, salt)).await.ok()));
    }
    let comment = comments(&dan, &circle, &posts[0], &text(5, "comment")).await;
    world.settle().await;
    let eve = world.person("eve").await;
    for user in [&dan, &eve] {
        user.delete(&path(&posts[0], "")).await.refused(403, "FORBIDDEN");
    }
    for (user, post) in [(&cleo, &posts[0]), (&ann, &posts[1]), (&bob, &posts[2])] {
        let deleted = user.delete(&path(post, "")).await.ok();
        assert_eq!(json!([deleted.data()["publicId"], deleted.data()["isDeleted"]]), json!([post, true]));
        user.delete(&path(post, "")).await.refused(404, "NOT_FOUND");
        user.get(&path(post, "")).await.refused(404, "NOT_FOUND");
    }
    assert!(listed(&world, &circle, None).await.is_empty());
    world.anyone.get(&circle.path(&format!("/posts?parentId={}", posts[0]))).await.refused(404, "NOT_FOUND");
    let body = json!({ "content": text(5, "below"), "parentId": posts[0] });
    dan.post(&circle.path("/posts"), body).await.invalid("parentId");
    world.anyone.get(&path(&comment, "")).await.ok();
    leaves(&bob, &circle).await.ok();
    bob.delete(&path(&comment, "")).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_post_edited_before_its_verdict_is_judged_by_the_new_text() {
    let critic = Critic::new().await;
    let (world, [ann, bob], circle) = with_members(critic.world(["ann", "bob"])).await;
    circle.gains(&world, -100, 0).await;
    let post = id(&writes_in(&bob, &circle, &text(9, "before")).await.ok());
    world.advance(60).await;
    let edited = edits(&bob, &post, &text(7, "after")).await.ok();
    assert_eq!(edited.data()["content"], text(7, "after"));
    assert_ne!(edited.data()["updatedAt"], edited.data()["createdAt"]);
    world.settle().await;
    assert_eq!((judge_status(&world, &post).await["score"].as_f64(), critic.asked()), (Some(7.0), 1));
    edits(&ann, &post, "not mine").await.refused(403, "FORBIDDEN");
    for body in [json!({ "visibility": "PRIVATE" }), json!({ "content": "x", "visibility": "PUBLIC" })] {
        bob.patch(&path(&post, ""), body).await.invalid("visibility");
    }
    ann.delete(&circle.path(&format!("/members/{}", bob.id))).await.ok();
    edits(&bob, &post, "from outside").await.refused(403, "FORBIDDEN");
    bob.delete(&path(&post, "")).await.ok();
}

#[tokio::test]
async fn an_edited_post_is_judged_if_its_first_judgment_failed() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    let post = id(&writes_in(&ann, &circle, "[none] is not a score").await.ok());
    world.stack.settle(None).await.unwrap();
    edits(&ann, &post, &text(9, "now it is good")).await.ok();
    world.stack.settle(None).await.unwrap();
    assert_eq!(judge_status(&world, &post).await["score"], 9.0);
    assert_eq!(circle.energy(&world).await["current"], 405);
}

#[tokio::test]
async fn a_cpr_post_cannot_be_changed() {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    ann.delete(&path(&post, "")).await.refused(403, "FORBIDDEN");
    edits(&ann, &post, "nothing to see").await.refused(403, "FORBIDDEN");
    assert_eq!(world.anyone.get(&path(&post, "")).await.ok().data()["type"], "CPR");
    world.settle().await;
}
