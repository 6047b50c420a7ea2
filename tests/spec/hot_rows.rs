//! Writes to a row with too many conflicts fail with 429, and can be retried.

use futures::future::join_all;
use serde_json::json;
use tests::{Fault, World};

/// Number of planned conflicts. All requests together retry fewer times.
const CONFLICTS: u32 = 1_000;

#[tokio::test]
async fn a_write_with_too_many_conflicts_can_be_retried_later() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hot").await;
    let group = bob.chats_with("ann").await;
    let requests = [
        (post.path("/reply"), json!({ "content": "me too" })),
        (post.path("/quote"), json!({ "content": "look" })),
        (post.path("/repost"), json!({})),
        ("/user/ann/follower".to_owned(), json!({ "isFollowing": true })),
        (format!("/message-group/{group}/messages"), json!({ "content": "hello" })),
    ];
    let send_all = || join_all(requests.iter().map(|(path, body)| bob.post(path, body.clone())));
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, CONFLICTS);
    let answers = send_all().await;
    world.faults.calm();
    for answer in answers {
        answer.refused(429, "TOO_MANY_REQUESTS");
        assert_eq!(answer.header("retry-after"), Some("1"), "{answer}");
    }
    for again in send_all().await {
        assert!((200..300).contains(&again.status), "{again}");
    }
    let post = ann.sees(&post).await;
    let counts = ["repliesCount", "quotesCount", "repostsCount"].map(|field| post[field].clone());
    assert_eq!(counts, [json!(1), json!(1), json!(1)]);
}
