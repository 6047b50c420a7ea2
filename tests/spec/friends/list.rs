//! Listing and ending friendships.

use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::request_path;
use crate::setup::sorted_statuses;

/// Makes two users friends.
async fn become_friends(one: &Person, other: &Person) {
    one.befriends(other).await;
    other.patch(&request_path(one, "accept"), Value::Null).await.ok();
}

async fn friends_of(user: &Person) -> Vec<Value> {
    user.get("/me/friends").await.ok().column("username")
}

fn friend(user: &Person) -> String {
    format!("/me/friends/{}", user.name)
}

#[tokio::test]
async fn friends_are_listed_for_both_users_newest_first() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    dan.befriends(&ann).await;
    for (one, other) in [(&ann, &bob), (&cleo, &ann)] {
        become_friends(one, other).await;
        world.advance(1).await;
    }
    ann.patch("/me/friend-requests/dan/accept", Value::Null).await.ok();
    assert_eq!(friends_of(&ann).await, ["dan", "cleo", "bob"], "sorted by the start of the friendship");
    for friend in [&bob, &cleo, &dan] {
        assert_eq!(friends_of(friend).await, ["ann"]);
    }
    ann.follows(&bob).await;
    let list = ann.get("/me/friends").await.ok();
    assert_eq!(list.column("isFollowing"), [false, false, true]);
    let keys: Vec<_> = list.rows()[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["avatar", "isFollowing", "isVerified", "name", "publicId", "username"]);
}

#[tokio::test]
async fn pending_and_canceled_friend_requests_list_no_friends() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    bob.befriends(&ann).await;
    ann.befriends(&cleo).await;
    ann.patch("/me/friend-requests/cleo/cancel", Value::Null).await.ok();
    for person in [&ann, &bob, &cleo] {
        assert!(friends_of(person).await.is_empty());
    }
}

#[tokio::test]
async fn a_former_friend_stays_valid_as_a_cursor() {
    let (world, people) = World::with(["ann", "bob", "cleo", "dan", "eve"]).await;
    let [ann, others @ ..] = &people;
    for (number, other) in others.iter().enumerate() {
        let (one, other) = if number % 2 == 0 { (ann, other) } else { (other, ann) };
        become_friends(one, other).await;
        world.advance(1).await;
    }
    let first = ann.get("/me/friends?take=2").await.ok();
    assert_eq!(first.column("username"), ["eve", "dan"]);
    assert_eq!(first.after(), first.rows()[1]["publicId"].as_str());
    ann.delete(&friend(&people[3])).await.ok();
    let rest = ann.get(&format!("/me/friends?take=2&after={}", first.after().unwrap())).await.ok();
    assert_eq!((rest.column("username"), rest.after()), (vec![json!("cleo"), json!("bob")], None));
    for after in ["nonsense", &ann.id] {
        ann.get(&format!("/me/friends?after={after}")).await.invalid("after");
    }
}

#[tokio::test]
async fn either_friend_can_end_and_renew_the_friendship() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for (user, other) in [(&ann, &bob), (&bob, &ann)] {
        become_friends(&ann, &bob).await;
        let ended = user.delete(&friend(other)).await.ok();
        assert_eq!(ended.data(), &json!({ "isFriend": false }));
        user.delete(&friend(other)).await.refused(404, "NOT_FOUND");
        assert!(friends_of(&ann).await.is_empty() && friends_of(&bob).await.is_empty());
    }
    become_friends(&bob, &ann).await;
    assert_eq!(friends_of(&ann).await, ["bob"]);
}

#[tokio::test]
async fn a_missing_friendship_cannot_be_ended() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.befriends(&bob).await;
    bob.delete(&friend(&ann)).await.refused(404, "NOT_FOUND");
    assert_eq!(bob.get("/me/friend-requests/received").await.ok().rows().len(), 1, "the request stays");
    ann.delete("/me/friends/unknown").await.refused(404, "NOT_FOUND");
    ann.delete(&friend(&ann)).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_friendship_ends_despite_races_and_lost_responses() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    become_friends(&ann, &bob).await;
    let (to_ann, to_bob) = (friend(&ann), friend(&bob));
    let (one, other) = tokio::join!(ann.delete(&to_bob), bob.delete(&to_ann));
    assert_eq!(sorted_statuses(&one, &other), [200, 404], "only one request ends the friendship");
    assert!(friends_of(&ann).await.is_empty());

    become_friends(&ann, &bob).await;
    // The first update of a request is for the session row.
    world.faults.plan("UpdateItem", Fault::LostAnswer, 1, 1);
    ann.delete(&to_bob).await.ok();
    assert_eq!(world.faults.calm(), 1);
    assert!(friends_of(&bob).await.is_empty());
}
