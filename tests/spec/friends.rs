//! Friend requests: sending, accepting, canceling, listing.

mod list;

use domain::people::friendships;
use serde_json::{Value, json};
use tests::{Person, World};

use crate::setup::sorted_statuses;

#[tokio::test]
async fn a_friend_request_is_sent_listed_and_accepted() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let (sent, cost) = world.cost_of(ann.befriends(&bob)).await;
    let request = json!({
        "senderId": ann.public_id, "receiverId": bob.public_id, "status": "PENDING",
        "createdAt": "2026-01-01T00:00:00.000Z",
    });
    assert_eq!((sent.status, sent.data(), cost.announcements), (201, &request, 1));
    assert_eq!(pending(&world, &bob).await, 1);

    let received = bob.get("/me/friend-requests/received").await.ok();
    assert_eq!(received.column("senderId"), [json!(ann.public_id)]);
    let keys: Vec<_> = received.rows()[0]["sender"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["avatar", "isVerified", "name", "publicId", "username"]);
    let sent = ann.get("/me/friend-requests/sent").await.ok();
    assert_eq!(sent.rows()[0]["receiver"]["username"], "bob");

    world.advance(60).await;
    let (accepted, cost) = world.cost_of(bob.patch(&request_path(&ann, "accept"), Value::Null)).await;
    let accepted = accepted.ok();
    assert_eq!((&accepted.data()["status"], cost.announcements), (&json!("ACCEPTED"), 1));
    assert_eq!(accepted.data()["createdAt"], request["createdAt"]);
    assert_eq!(pending(&world, &bob).await, 0);
    for (person, list) in [(&bob, "received"), (&ann, "sent")] {
        assert!(person.get(&format!("/me/friend-requests/{list}")).await.ok().rows().is_empty());
    }
    assert_eq!(bob.meets(&ann).await["isFollowing"], false, "friends do not follow each other automatically");
}

#[tokio::test]
async fn a_profile_shows_the_friend_status_to_both_users() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let statuses = async || {
        let [seen_by_ann, seen_by_bob] = [ann.meets(&bob).await, bob.meets(&ann).await];
        json!([seen_by_ann["friendStatus"], seen_by_bob["friendStatus"]])
    };
    assert_eq!(statuses().await, json!(["NONE", "NONE"]));
    ann.befriends(&bob).await;
    assert_eq!(statuses().await, json!(["SENT", "RECEIVED"]));
    bob.patch(&request_path(&ann, "cancel"), Value::Null).await.ok();
    assert_eq!(statuses().await, json!(["NONE", "NONE"]));
    bob.befriends(&ann).await;
    ann.patch(&request_path(&bob, "accept"), Value::Null).await.ok();
    assert_eq!(statuses().await, json!(["FRIENDS", "FRIENDS"]));
    assert_eq!(ann.meets(&ann).await["friendStatus"], "NONE");
    assert_eq!(world.anyone.get("/user/ann").await.ok().data()["friendStatus"], "NONE");
    ann.delete("/me/friends/bob").await.ok();
    assert_eq!(statuses().await, json!(["NONE", "NONE"]));
}

/// Returns the path that accepts, rejects or cancels the friend request between the caller and `other`.
pub(crate) fn request_path(other: &Person, action: &str) -> String {
    format!("/me/friend-requests/{}/{action}", other.name)
}

async fn pending(world: &World, person: &Person) -> i64 {
    friendships::count_pending(&world.app(), person.id.parse().unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_second_friend_request_is_refused_in_both_directions() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.befriends(&bob).await;
    let refused = async |message: &str| {
        for (one, other) in [(&ann, &bob), (&bob, &ann)] {
            let second = one.post(&other.path("/friend-request"), Value::Null).await;
            assert_eq!(second.refused(400, "VALIDATION_FAILED"), message);
        }
    };
    refused("username: a friend request between you is already pending").await;
    bob.patch(&request_path(&ann, "accept"), Value::Null).await.ok();
    refused("username: is already your friend").await;
    assert_eq!([pending(&world, &ann).await, pending(&world, &bob).await], [0, 0]);
    ann.post(&ann.path("/friend-request"), Value::Null).await.refused(400, "VALIDATION_FAILED");
    ann.post("/user/unknown/friend-request", Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn concurrent_mutual_friend_requests_create_one_request() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let [to_bob, to_ann] = [&bob, &ann].map(|person| person.path("/friend-request"));
    let (one, other) = tokio::join!(ann.post(&to_bob, Value::Null), bob.post(&to_ann, Value::Null));
    assert_eq!(sorted_statuses(&one, &other), [201, 400]);
    assert_eq!(pending(&world, &ann).await + pending(&world, &bob).await, 1);
}

#[tokio::test]
async fn either_user_can_cancel_a_friend_request_and_send_another() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for (user, other) in [(&ann, &bob), (&bob, &ann)] {
        ann.befriends(&bob).await;
        let canceled = user.patch(&request_path(other, "cancel"), Value::Null).await.ok();
        assert_eq!(canceled.data()["status"], "CANCELLED");
        assert_eq!(pending(&world, &bob).await, 0);
        user.patch(&request_path(other, "accept"), Value::Null).await.refused(404, "NOT_FOUND");
    }
    bob.befriends(&ann).await;
    assert_eq!(pending(&world, &ann).await, 1);
}

#[tokio::test]
async fn a_friend_request_is_accepted_once_and_only_by_its_receiver() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    ann.befriends(&bob).await;
    ann.patch(&request_path(&bob, "accept"), Value::Null).await.refused(404, "NOT_FOUND");
    cleo.patch(&request_path(&ann, "accept"), Value::Null).await.refused(404, "NOT_FOUND");
    cleo.patch(&request_path(&ann, "cancel"), Value::Null).await.refused(404, "NOT_FOUND");
    let path = request_path(&ann, "accept");
    let (one, two) = tokio::join!(bob.patch(&path, Value::Null), bob.patch(&path, Value::Null));
    assert_eq!(one.ok().body, two.ok().body);
    assert_eq!(pending(&world, &bob).await, 0);
    for (one, other) in [(&ann, &bob), (&bob, &ann)] {
        one.patch(&request_path(other, "cancel"), Value::Null).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn an_accepted_friend_request_stays_valid_as_a_cursor() {
    let (_world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    for sender in [&bob, &cleo, &dan] {
        sender.befriends(&ann).await;
    }
    let first = ann.get("/me/friend-requests/received?take=1").await.ok();
    assert_eq!(first.column("senderId"), [json!(dan.public_id)]);
    assert_eq!(first.after(), Some(&*dan.public_id));
    ann.patch(&request_path(&dan, "accept"), Value::Null).await.ok();
    let rest = ann.get(&format!("/me/friend-requests/received?after={}", dan.id)).await.ok();
    assert_eq!(rest.column("senderId"), [json!(cleo.public_id), json!(bob.public_id)]);
    assert_eq!(rest.after(), None);
    let sent = bob.get(&format!("/me/friend-requests/sent?after={}", ann.id)).await.ok();
    assert!(sent.rows().is_empty());
    for cursor in ["nonsense", &ann.id] {
        ann.get(&format!("/me/friend-requests/received?after={cursor}")).await.invalid("after");
    }
}

#[tokio::test]
async fn sent_friend_requests_page_by_any_id_of_the_receiver() {
    let (_world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    for receiver in [&bob, &cleo, &dan] {
        ann.befriends(receiver).await;
    }
    let list = "/me/friend-requests/sent";
    let pages = ann.columns(list, 2, "receiverId").await;
    assert_eq!(json!(pages), json!([[dan.public_id, cleo.public_id], [bob.public_id]]));
    let first = ann.get(&format!("{list}?take=1")).await.ok();
    assert_eq!(first.after(), Some(&*dan.public_id));
    dan.patch(&request_path(&ann, "accept"), Value::Null).await.ok();
    for cursor in [&dan.public_id, &dan.id, &dan.name] {
        let rest = ann.get(&format!("{list}?after={cursor}")).await.ok();
        assert_eq!(rest.column("receiverId"), [json!(cleo.public_id), json!(bob.public_id)], "{cursor}");
        assert_eq!(rest.after(), None);
    }
    for cursor in ["nonsense", &ann.public_id] {
        ann.get(&format!("{list}?after={cursor}")).await.invalid("after");
    }
}

#[tokio::test]
async fn a_repeated_friend_request_publishes_one_event() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let path = bob.path("/friend-request");
    for announcements in [1, 0] {
        let (answer, cost) = world.cost_of(ann.post_once("key", &path, Value::Null)).await;
        assert_eq!((answer.ok().status, cost.announcements), (201, announcements));
    }
    let (again, cost) = world.cost_of(ann.post(&path, Value::Null)).await;
    again.refused(400, "VALIDATION_FAILED");
    assert_eq!((cost.announcements, pending(&world, &bob).await), (0, 1));

    let path = request_path(&ann, "accept");
    for announcements in [1, 0] {
        let (_, cost) = world.cost_of(bob.patch(&path, Value::Null)).await;
        assert_eq!((cost.announcements, pending(&world, &bob).await), (announcements, 0));
    }
}
