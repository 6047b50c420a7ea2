//! Effects of a moderation decision, their reversal by undo or appeal, and the evidence that a reversal needs.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::Fault;

use super::{MONTH_SECONDS, case, rules, undoes};
use crate::{
    admin::{administrator, world_with_root},
    auth::second_factor::lost::later,
    circles::{
        creates_circle,
        posts::{id, writes_in},
    },
    moderation::{
        HARMFUL,
        appeals::{appeals, decides},
        decisions, reported_post, reports,
    },
};

#[tokio::test]
async fn an_undo_restores_a_deleted_post_with_its_counts() {
    let (world, root, [ann, bob]) = world_with_root(Role::Moderator, ["ann", "bob"]).await;
    bob.follows(&ann).await;
    let parent = bob.writes("first").await;
    let post = ann.writes("unique words").await;
    let reply = ann.replies(&parent, "a reply").await;
    let quote = ann.quotes(&parent, "a quote").await;
    let repost = ann.reposts(&parent).await;
    world.settle().await;
    let view = async || {
        let mut seen = Vec::new();
        for path in [
            "/posts/news-feed",
            "/posts/news-feed?type=FOLLOWING",
            "/search?q=unique",
            &parent.path("/replies"),
            &parent.path("/quotes"),
            "/user/ann/posts",
        ] {
            seen.push(json!(bob.get(path).await.ok().column("publicId")));
        }
        let counts = bob.sees(&parent).await;
        let names = ["repliesCount", "quotesCount", "repostsCount"];
        (seen, names.map(|name| counts[name].clone()), ann.sees(&parent).await["isReposted"].clone())
    };
    let before = view().await;
    let targets = [&post.id, &reply.id, &quote.id, &repost.id];
    for target in targets {
        reports(&bob, target, json!({})).await;
        world.faults.next("TransactWriteItems", Fault::CrashAfter);
        rules(&root, target, json!({ "actions": ["delete"] })).await;
        world.faults.calm();
        rules(&root, target, json!({ "actions": ["delete"] })).await.ok();
        bob.get(&format!("/posts/{target}")).await.refused(404, "NOT_FOUND");
    }
    world.settle().await;
    let deleted = view().await;
    assert_eq!(deleted.1, [json!(0), json!(0), json!(0)]);
    assert_ne!(before.0, deleted.0);
    world.advance(1).await;
    for target in targets {
        assert_eq!(undoes(&root, target).await.ok().data()["status"], "PENDING");
        undoes(&root, target).await.refused(400, "VALIDATION_FAILED");
    }
    world.settle().await;
    assert_eq!(view().await, before);
    assert_eq!(root.get("/admin/reports").await.ok().column("status"), ["PENDING"; 4]);
    let row = &decisions(&ann).await[0];
    assert_eq!(row["restoredAt"], json!(world.app().now()));
}

#[tokio::test]
async fn an_undo_keeps_a_post_that_its_author_deleted() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, "buy now").await;
    rules(&root, &post.id, json!({ "actions": ["hide"] })).await.ok();
    world.advance(1).await;
    ann.deletes(&post).await;
    undoes(&root, &post.id).await.ok();
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
    let body = json!({ "actions": ["delete", "warn"], "warning": "Stop it." });
    let decided = rules(&root, &post.id, body).await.ok();
    assert_eq!(decided.data()["outcome"]["actions"], json!(["warn"]), "the post was already deleted");
}

#[tokio::test]
async fn a_decision_can_label_a_post_and_lock_its_replies() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, "a wound").await;
    let labels = async || {
        let seen = bob.sees(&post).await;
        json!([seen["sensitive"], seen["replyPermission"], seen["repliesLocked"]])
    };
    rules(&root, &post.id, json!({ "actions": ["sensitive", "lock-replies"] })).await.ok();
    assert_eq!(labels().await, json!([true, "NOBODY", true]));
    let refused = bob.post(&post.path("/reply"), json!({ "content": "ouch" })).await;
    assert_eq!(refused.refused(403, "FORBIDDEN"), "moderators locked the replies to this post");
    ann.replies(&post, "I see").await;
    assert_eq!(decisions(&ann).await[0]["measure"], "REPLIES_LOCKED");
    assert_eq!(root.get("/admin/cases?status=RESOLVED").await.ok().column("id"), [json!(post.id)]);
    undoes(&root, &post.id).await.ok();
    assert_eq!(labels().await, json!([false, "EVERYONE", false]));
    bob.replies(&post, "fine").await;
    let circle = creates_circle(&ann, "Night readers").await;
    let inside = id(&writes_in(&ann, &circle, "hello").await.ok());
    reports(&bob, &inside, json!({})).await;
    rules(&root, &inside, json!({ "actions": ["sensitive"] })).await.refused(400, "VALIDATION_FAILED");
    rules(&root, &inside, json!({ "actions": ["delete"] })).await.ok();
    world.advance(1).await;
    undoes(&root, &inside).await.ok();
    ann.get(&format!("/posts/{inside}")).await.ok();
}

#[tokio::test]
async fn evidence_is_erased_30_days_after_the_decision() {
    let (world, root, _, post) = reported_post(Role::Admin, "buy now").await;
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    later(&world, MONTH_SECONDS - 60).await;
    let root = root.signs_in().await;
    assert_eq!(case(&root, &post.id).await["reportedContent"]["content"], "buy now");
    let views = root.get("/admin/audit?action=VIEW_EVIDENCE").await.ok();
    assert_eq!(views.column("targetId"), [json!(post.id)]);
    later(&world, 120).await;
    assert_eq!(case(&root, &post.id).await["reportedContent"], Value::Null);
}

#[tokio::test]
async fn a_deleted_post_can_be_restored_after_more_decisions() {
    let (world, root, [ann, bob], post) = reported_post(Role::Admin, "hello").await;
    for body in [
        json!({ "actions": ["delete"] }),
        json!({ "actions": ["warn"], "warning": "Stop it." }),
        json!({ "actions": ["temp-ban"] }),
    ] {
        world.advance(1).await;
        let decided = rules(&root, &post.id, body).await.ok();
        assert_eq!(decided.data()["status"], "DELETED");
    }
    world.advance(1).await;
    undoes(&root, &post.id).await.ok();
    assert_eq!(bob.sees(&post).await["isHidden"], false);
    ann.signs_in().await.sees(&post).await;
}

#[tokio::test]
async fn an_undo_does_not_restore_posts_of_a_deleted_account() {
    let (_world, root, [ann, bob], post) = reported_post(Role::Admin, "hello").await;
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    ann.leaves().await;
    undoes(&root, &post.id).await.ok();
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_hidden_post_can_be_appealed_after_an_undo_and_a_warning() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, HARMFUL).await;
    world.settle().await;
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.advance(1).await;
    undoes(&root, &post.id).await.ok();
    assert_eq!(bob.sees(&post).await["isHidden"], true);
    let warned = rules(&root, &post.id, json!({ "actions": ["warn"], "warning": "Stop it." })).await.ok();
    assert_eq!(warned.data()["status"], "HIDDEN");
    let row = decisions(&ann).await[0].clone();
    let fields = json!([row["measure"], row["warning"], row["restoredAt"]]);
    assert_eq!(fields, json!(["HIDDEN", "Stop it.", null]));
    appeals(&ann, &post.id).await.ok();
}

#[tokio::test]
async fn a_dismissal_removes_labels_and_keeps_edits_by_the_author() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, "hello").await;
    rules(&root, &post.id, json!({ "actions": ["lock-replies"] })).await.ok();
    ann.patch(&post.path(""), json!({ "sensitive": true })).await.ok();
    world.advance(1).await;
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    let seen = bob.sees(&post).await;
    assert_eq!(json!([seen["sensitive"], seen["replyPermission"]]), json!([true, "EVERYONE"]));
}

#[tokio::test]
async fn the_author_cannot_remove_a_label_by_moderators() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, "a wound").await;
    rules(&root, &post.id, json!({ "actions": ["sensitive"] })).await.ok();
    ann.patch(&post.path(""), json!({ "sensitive": false })).await.invalid("sensitive");
    ann.patch(&post.path(""), json!({ "content": "a scar", "sensitive": true })).await.ok();
    assert_eq!(bob.sees(&post).await["sensitive"], true);
    world.advance(1).await;
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    assert_eq!(bob.sees(&post).await["sensitive"], false, "a moderator removed the label");
    for sensitive in [true, false] {
        ann.patch(&post.path(""), json!({ "sensitive": sensitive })).await.ok();
        assert_eq!(bob.sees(&post).await["sensitive"], sensitive);
    }
}

#[tokio::test]
async fn the_author_sees_all_actions_of_a_decision() {
    let (world, root, [ann, _], post) = reported_post(Role::Moderator, "a wound").await;
    let body = json!({ "actions": ["sensitive", "lock-replies", "warn"], "warning": "Stop it." });
    rules(&root, &post.id, body).await.ok();
    let seen = async || {
        let row = &decisions(&ann).await[0];
        json!([row["measure"], row["measures"], row["warning"]])
    };
    let all = ["REPLIES_LOCKED", "LABELED", "WARNED"];
    assert_eq!(seen().await, json!([all[0], all, "Stop it."]));
    for (actions, measures) in [
        (json!(["hide"]), json!(["HIDDEN"])),
        (json!(["sensitive"]), json!(["HIDDEN", "LABELED"])),
        (json!(["delete", "lock-replies"]), json!(["DELETED", "REPLIES_LOCKED"])),
    ] {
        world.advance(1).await;
        rules(&root, &post.id, json!({ "actions": actions })).await.ok();
        assert_eq!(seen().await, json!([measures[0], measures, null]));
    }
}

#[tokio::test]
async fn a_granted_appeal_reverses_all_actions_of_the_decision() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, "a wound").await;
    let other = administrator(&world, "other", Role::Moderator).await;
    rules(&root, &post.id, json!({ "actions": ["hide", "sensitive", "lock-replies"] })).await.ok();
    world.advance(1).await;
    decides(&other, &appeals(&ann, &post.id).await.ok(), "grant").await.ok();
    let seen = bob.sees(&post).await;
    let fields = ["isHidden", "sensitive", "repliesLocked"].map(|field| &seen[field]);
    assert_eq!(fields, [&json!(false); 3]);
    bob.replies(&post, "get well").await;
}
