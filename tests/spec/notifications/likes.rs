//! Notifications about likes. A user's like of a post notifies the author once.

use domain::posts::likes;
use serde_json::{Value, json};
use tests::{Fault, World};

use super::{fields, notifications, one, ticks};
use crate::likes::{like_jobs, random_user_ids};

#[tokio::test]
async fn likes_of_a_post_share_one_notification() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    // Runs the ticks that are due at the start.
    world.advance_and_settle(500).await;
    for liker in [&bob, &cleo] {
        world.advance(1).await;
        liker.likes(&post).await;
    }
    world.settle().await;
    assert_eq!(notifications(&ann).await, Vec::<Value>::new(), "no tick has flushed the likes yet");
    ticks(&world).await;
    let shown = fields(&ann, ["type", "targetType", "targetId", "count", "message"]).await;
    assert_eq!(shown, json!(["LIKE", "POST", post.id, 2, "cleo and bob liked your post"]));
    assert_eq!(one(&ann).await["actorIds"], json!([cleo.public_id, bob.public_id]));
}

#[tokio::test]
async fn own_likes_and_likes_by_muted_or_blocked_users_do_not_notify() {
    let (world, [ann, bob, cleo, dan], post) = World::with_post(["ann", "bob", "cleo", "dan"]).await;
    ann.post(&bob.path("/mute"), Value::Null).await.ok();
    for liker in [&ann, &bob, &cleo, &dan] {
        liker.likes(&post).await;
    }
    cleo.blocks(&ann).await;
    ticks(&world).await;
    assert_eq!(one(&ann).await["actorIds"], json!([dan.public_id]));
    // Bob's like has not notified the author, so a new like can.
    ann.post(&bob.path("/mute"), Value::Null).await.ok();
    bob.unlikes(&post).await;
    world.settle().await;
    bob.likes(&post).await;
    ticks(&world).await;
    assert_eq!(one(&ann).await["actorIds"], json!([bob.public_id, dan.public_id]));
}

#[tokio::test]
async fn likes_of_deleted_posts_do_not_notify() {
    for settings in [&[][..], &[("PROPOSED_FEATURES", "off")]] {
        let (world, [ann, bob]) = World::builder().settings(settings).start_with(["ann", "bob"]).await;
        let post = ann.writes("hello").await;
        bob.likes(&post).await;
        if settings.is_empty() {
            ann.deletes(&post).await;
        }
        ticks(&world).await;
        assert_eq!(notifications(&ann).await, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn a_like_notifies_once_despite_a_worker_crash() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let calls = [
        ("BatchGetItem", 0),
        ("BatchGetItem", 1),
        ("TransactWriteItems", 0),
        ("BatchWriteItem", 0),
        ("BatchWriteItem", 1),
    ];
    for (operation, pass) in calls {
        for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer] {
            let post = ann.writes("hello").await;
            world.settle().await;
            bob.likes(&post).await;
            world.faults.plan(operation, fault, pass, 1);
            world.settle().await;
            assert_eq!(world.faults.calm(), 1, "{operation} {fault:?}");
            ticks(&world).await;
            let newest = notifications(&ann).await[0].clone();
            assert_eq!(json!([newest["targetId"], newest["count"]]), json!([post.id, 1]));
        }
    }
}

#[tokio::test]
async fn many_likes_share_one_notification_within_its_cost_budget() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(&"x".repeat(1000)).await;
    let jobs = like_jobs(&world, &post, &random_user_ids(&world, 97), true).await;
    let failed = world.budget("apply 97 likes of one post (job)", likes::apply(&world.app(), &jobs)).await;
    assert!(failed.is_empty(), "{failed:?}");
    let crowd = like_jobs(&world, &post, &random_user_ids(&world, 300), true).await;
    likes::apply(&world.app(), &crowd).await;
    world.advance(1).await;
    let later = random_user_ids(&world, 60);
    likes::apply(&world.app(), &like_jobs(&world, &post, &later, true).await).await;
    world.advance(1).await;
    bob.likes(&post).await;
    ticks(&world).await;
    let group = one(&ann).await;
    assert_eq!(json!([group["count"], group["actorIds"][0]]), json!([97 + 300 + 60 + 1, bob.public_id]));
    let actors = group["actorIds"].as_array().unwrap();
    assert_eq!(actors.len(), 100);
    assert!(later.iter().all(|liker| actors.contains(&json!(liker.public()))));
}
