//! Stored follows, friend requests, blocks and mutes.

use serde_json::{Value, json};
use tests::Person;

use super::Past;

async fn names(user: &Person, path: &str) -> Vec<Value> {
    user.get(path).await.ok().column("username")
}

#[tokio::test]
async fn stored_relationships_stay_until_ended() {
    let past = Past::stored().await;
    stored_follows_can_be_listed_and_ended(&past).await;
    stored_friend_requests_can_be_answered(&past).await;
    a_stored_block_can_be_removed(&past).await;
    a_stored_mute_can_be_removed(&past).await;
}

async fn stored_follows_can_be_listed_and_ended(past: &Past) {
    let (ann, dan) = (past.user("ann"), past.user("dan"));
    assert_eq!(names(&ann, "/user/ann/followers").await, ["eve", "dan", "cleo", "bob"]);
    assert_eq!(names(&ann, "/user/gil/following").await, ["fay"]);
    assert_eq!(names(&ann, "/user/bob/followers").await, ["eve", "cleo", "ann"]);
    let page = ann.get("/user/ann/followers?take=2").await.ok();
    let rest = ann.get(&format!("/user/ann/followers?after={}", page.after().unwrap())).await.ok();
    assert_eq!(rest.column("username"), ["cleo", "bob"]);
    assert_eq!(dan.unfollows(&ann).await.data(), &json!({ "isFollowing": false, "followersCount": 3 }));
    ann.follows(&dan).await;
    let met = ann.meets(&dan).await;
    assert_eq!(json!([met["isFollowing"], met["followersCount"]]), json!([true, 1]));
}

async fn stored_friend_requests_can_be_answered(past: &Past) {
    let [ann, cleo, dan, eve] = ["ann", "cleo", "dan", "eve"].map(|name| past.user(name));
    let waiting =
        async |user: &Person| user.get("/notification/friend-request").await.ok().data()["count"].clone();
    assert_eq!([waiting(&ann).await, waiting(&cleo).await, waiting(&eve).await], [1, 1, 0]);
    let sent = dan.get("/me/friend-requests/sent").await.ok();
    assert_eq!(sent.column("receiverId"), [json!(cleo.public_id), json!(ann.public_id)]);
    ann.patch("/me/friend-requests/dan/accept", Value::Null).await.ok();
    dan.patch("/me/friend-requests/cleo/cancel", Value::Null).await.ok();
    assert_eq!([waiting(&ann).await, waiting(&cleo).await], [0, 0]);
    let again = ann.post("/user/cleo/friend-request", Value::Null).await;
    assert_eq!(again.refused(400, "VALIDATION_FAILED"), "username: is already your friend");
    eve.befriends(&ann).await;
    assert_eq!(ann.get("/me/friend-requests/received").await.ok().column("senderId"), [json!(eve.public_id)]);
}

async fn a_stored_block_can_be_removed(past: &Past) {
    let (ann, lou) = (past.user("ann"), past.user("lou"));
    assert_eq!(ann.meets(&lou).await["isBlocked"], true);
    lou.post("/user/ann/follower", Value::Null).await.refused(403, "FORBIDDEN");
    lou.post(&past.post("liked").path("/reply"), json!({ "content": "Hi" })).await.refused(403, "FORBIDDEN");
    ann.post("/user/lou/block", json!({ "isBlocked": false })).await.ok();
    assert_eq!(lou.follows(&ann).await.data()["followersCount"], 4);
    lou.replies(&past.post("liked"), "Hi").await;
}

async fn a_stored_mute_can_be_removed(past: &Past) {
    let (ann, gil) = (past.user("ann"), past.user("gil"));
    assert_eq!(ann.meets(&gil).await["isMuted"], true);
    let post = gil.writes("Unheard").await;
    let first = async || ann.get("/posts/news-feed?take=1").await.ok().column("publicId");
    assert_ne!(first().await, [json!(post.id)]);
    ann.post("/user/gil/mute", json!({ "isMuted": false })).await.ok();
    assert_eq!(first().await, [json!(post.id)]);
}
