//! Follows, friend requests, blocks and mutes of the story.

use serde_json::{Value, json};

use super::{Past, talks::says};
use crate::auth::{
    mailed_token,
    second_factor::{Authenticator, confirms},
};

pub(super) async fn run(past: &mut Past) {
    follows_begin_and_end(past).await;
    friend_requests_are_sent(past).await;
    users_block_and_mute(past).await;
    mailed_tokens_wait(past).await;
    a_second_factor_will_be_removed(past).await;
}

/// Gives ann and fay just enough followers to count as popular authors.
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

async fn friend_requests_are_sent(past: &mut Past) {
    for (sender, receiver) in [("dan", "ann"), ("cleo", "ann"), ("eve", "ann"), ("bob", "eve")] {
        past.user(sender).befriends(&past.user(receiver)).await;
        past.world.advance(1).await;
    }
    let ann = past.user("ann");
    ann.patch("/me/friend-requests/cleo/accept", Value::Null).await.ok();
    ann.patch("/me/friend-requests/eve/cancel", Value::Null).await.ok();
}

async fn users_block_and_mute(past: &mut Past) {
    let (ann, lou, gil) = (past.user("ann"), past.user("lou"), past.user("gil"));
    let group = lou.chats_with("ann").await;
    past.saves("closedGroup", group);
    ann.blocks(&lou).await;
    ann.post(&gil.path("/mute"), json!({ "isMuted": true })).await.ok();
    ann.post("/me/muted-words", json!({ "word": "spoiler" })).await.ok();
    ann.post("/hashtags/coffee/follow", json!({ "isFollowing": true })).await.ok();
}

/// Requests two tokens that stay unused: eve's to confirm her address, and fay's to reset her password.
async fn mailed_tokens_wait(past: &mut Past) {
    past.user("eve").post("/auth/resend-verify-email", Value::Null).await.ok();
    past.world.anyone.post("/auth/forgot-password", json!({ "email": "fay@example.com" })).await.ok();
    past.world.settle().await;
    for (name, key) in [("eve", "verifyToken"), ("fay", "resetToken")] {
        let token = mailed_token(&past.world, name);
        past.saves(key, token);
    }
}

/// Creates a user who lost their second factor and reset the password.
async fn a_second_factor_will_be_removed(past: &mut Past) {
    let pat = past.world.person("pat").await;
    let begun = pat.post("/auth/totp", Value::Null).await.ok();
    confirms(&pat, &Authenticator::of(&begun).code(&past.world)).await.ok();
    past.world.settle().await;
    past.world.anyone.post("/auth/forgot-password", json!({ "email": "pat@example.com" })).await.ok();
    past.world.settle().await;
    let token = mailed_token(&past.world, "pat");
    let body = json!({ "token": token, "password": "another battery", "removeSecondFactor": true });
    past.world.anyone.post("/auth/reset-password", body).await.ok();
}

/// Creates a user who quotes a post, sends a message and deletes the account. The last step of the erasure is due an
/// hour later.
pub(super) async fn a_user_leaves(past: &Past) {
    let noa = past.world.person("noa").await;
    noa.quotes(&past.post("liked"), "Soon gone with me").await;
    let group = noa.chats_with("gil").await;
    says(&noa, &group, "Good-bye").await;
    past.world.settle().await;
    noa.leaves().await;
}
