//! Who follows whom, who asked whom to be friends, who wants to see nothing of whom.

use serde_json::{Value, json};

use super::{Past, talks::says};

pub(super) async fn happen(past: &mut Past) {
    follows_begin_and_end(past).await;
    friends_are_asked(past).await;
    some_see_nothing_of_others(past).await;
    mailed_tokens_wait(past).await;
}

/// Ann and Fay have a follower more than makes popular.
async fn follows_begin_and_end(past: &mut Past) {
    for (follower, followed) in [
        ("bob", "ann"),
        ("cleo", "ann"),
        ("dan", "ann"),
        ("eve", "ann"),
        ("lou", "ann"),
        ("ann", "bob"),
        ("cleo", "bob"),
        ("dan", "bob"),
        ("gil", "bob"),
        ("bob", "fay"),
        ("cleo", "fay"),
        ("dan", "fay"),
        ("gil", "fay"),
    ] {
        past.user(follower).follows(&past.user(followed)).await;
        past.world.advance(1).await;
    }
    past.user("gil").unfollows(&past.user("bob")).await;
}

async fn friends_are_asked(past: &mut Past) {
    for (sender, receiver) in [("dan", "ann"), ("cleo", "ann"), ("eve", "ann"), ("bob", "eve")] {
        past.user(sender).befriends(&past.user(receiver)).await;
        past.world.advance(1).await;
    }
    let ann = past.user("ann");
    ann.patch("/me/friend-requests/cleo/accept", Value::Null).await.ok();
    ann.patch("/me/friend-requests/eve/cancel", Value::Null).await.ok();
}

async fn some_see_nothing_of_others(past: &mut Past) {
    let (ann, lou, gil) = (past.user("ann"), past.user("lou"), past.user("gil"));
    let group = lou.chats_with("ann").await;
    past.knows("closedGroup", group);
    ann.blocks(&lou).await;
    ann.post(&gil.path("/mute"), json!({ "isMuted": true })).await.ok();
    ann.post("/me/muted-words", json!({ "word": "spoiler" })).await.ok();
    ann.post("/hashtags/coffee/follow", json!({ "isFollowing": true })).await.ok();
}

/// Eve can confirm her address, Fay can choose a new password.
async fn mailed_tokens_wait(past: &mut Past) {
    past.user("eve").post("/auth/resend-verify-email", Value::Null).await.ok();
    past.world.anyone.post("/auth/forgot-password", json!({ "email": "fay@example.com" })).await.ok();
    past.world.settle().await;
    for (name, key) in [("eve", "verifyToken"), ("fay", "resetToken")] {
        let token = crate::auth::mailed_token(&past.world, name);
        past.knows(key, token);
    }
}

/// Somebody comes, quotes, talks, and leaves: what others see is taken away, and the rest waits for an hour.
pub(super) async fn somebody_leaves(past: &Past) {
    let noa = past.world.person("noa").await;
    noa.quotes(&past.post("liked"), "Soon gone with me").await;
    let group = noa.chats_with("gil").await;
    says(&noa, &group, "Good-bye").await;
    past.world.settle().await;
    noa.leaves().await;
}
