//! Requests to join a circle.

use domain::ledger::action_log::ActionType;
use futures::future::join_all;
use serde_json::json;
use tests::World;

use super::{UNKNOWN_ID, actions, answers, appoints, asks, circle_of, joins, with_circle, without_ticks};

#[tokio::test]
async fn an_accepted_join_request_gives_a_membership_and_is_logged() {
    let (world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    let asked = asks(&bob, &circle).await.ok();
    assert_eq!(json!([asked.status, asked.data()["status"]]), json!([201, "PENDING"]));
    assert_eq!(json!([asked.data()["circleId"], asked.data()["userId"]]), json!([circle.id, bob.public_id]));
    let waiting = ann.get(&circle.manage("/join-requests")).await.ok();
    assert_eq!(waiting.column("requestId"), [asked.data()["requestId"].clone()]);
    assert_eq!(waiting.rows()[0]["user"]["username"], "bob");

    let body = json!({ "requestId": asked.data()["requestId"], "action": "ACCEPT" });
    let path = format!("/api/v1{}", circle.manage("/join-request/respond"));
    let accepted = ann.post(&path, body).await.ok();
    assert_eq!(json!([accepted.status, accepted.data()["status"]]), json!([200, "ACCEPTED"]));
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], "MEMBER");
    assert_eq!(bob.get("/circles").await.ok().column("publicId"), [json!(circle.id)]);
    assert_eq!(ann.get(&circle.manage("/join-requests")).await.ok().rows().len(), 0);
    let joined = actions(&world, &bob, ActionType::JoinCircle).await;
    let metadata = json!({ "approvedById": ann.id, "source": "JOIN_REQUEST" });
    assert_eq!(joined, [json!({ "target": circle.id, "metadata": metadata })]);
    assert!(actions(&world, &ann, ActionType::JoinCircle).await.is_empty());
}

#[tokio::test]
async fn pages_of_join_requests_stay_full_despite_deletions_and_rejections() {
    let (world, [ann], circle) = with_circle(without_ticks(["ann"])).await;
    let mut askers = Vec::new();
    for name in ["bob", "cleo", "dan", "eve", "fay", "gil"] {
        askers.push(world.person(name).await);
        asks(askers.last().unwrap(), &circle).await.ok();
        world.advance(1).await;
    }
    for gone in &askers[1..4] {
        gone.leaves().await;
    }
    let path = circle.manage("/join-requests");
    let [bob, .., fay, gil] = &askers[..] else { panic!("six users asked") };
    let first = ann.get(&format!("{path}?take=2")).await.ok();
    assert_eq!(json!(first.column("userId")), json!([gil.public_id, fay.public_id]));
    answers(&ann, &circle, fay, "REJECT").await.ok();
    let rest = ann.get(&format!("{path}?take=2&after={}", first.after().unwrap())).await.ok();
    assert_eq!((rest.column("userId"), rest.after()), (vec![json!(bob.public_id)], None));
    ann.get(&format!("{path}?after={UNKNOWN_ID}")).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_rejected_user_can_request_again() {
    let (world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    asks(&bob, &circle).await.ok();
    let rejected = answers(&ann, &circle, &bob, "REJECT").await.ok();
    assert_eq!(rejected.data()["status"], "REJECTED");
    assert_eq!(circle.seen(&world).await["membersCount"], 1);
    assert!(actions(&world, &bob, ActionType::JoinCircle).await.is_empty());
    answers(&ann, &circle, &bob, "ACCEPT").await.refused(400, "VALIDATION_FAILED");
    joins(&bob, &circle, &ann).await;
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
}

#[tokio::test]
async fn join_requests_by_members_and_duplicates_are_refused() {
    let (_world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    asks(&bob, &circle).await.ok();
    asks(&bob, &circle).await.refused(400, "VALIDATION_FAILED");
    asks(&ann, &circle).await.refused(400, "VALIDATION_FAILED");
    answers(&ann, &circle, &bob, "ACCEPT").await.ok();
    asks(&bob, &circle).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn only_circle_administrators_decide_join_requests() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    asks(&cleo, &circle).await.ok();
    for user in [&bob, &cleo] {
        answers(user, &circle, &cleo, "ACCEPT").await.refused(403, "FORBIDDEN");
        user.get(&circle.manage("/join-requests")).await.refused(403, "FORBIDDEN");
    }
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    assert_eq!(bob.get(&circle.manage("/join-requests")).await.ok().rows().len(), 1);
    appoints(&ann, &circle, &bob, "MEMBER").await.ok();
    answers(&bob, &circle, &cleo, "ACCEPT").await.refused(403, "FORBIDDEN");
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    answers(&bob, &circle, &cleo, "ACCEPT").await.ok();
}

#[tokio::test]
async fn an_invalid_decision_on_a_join_request_is_refused() {
    let (_world, [ann, bob, cleo], circle) = with_circle(World::with(["ann", "bob", "cleo"])).await;
    asks(&bob, &circle).await.ok();
    let path = circle.manage("/join-request/respond");
    for (body, field) in [
        (json!({ "action": "ACCEPT" }), "requestId"),
        (json!({ "userId": bob.id }), "action"),
        (json!({ "userId": bob.id, "action": "MAYBE" }), "action"),
        (json!({ "userId": "b", "action": "ACCEPT" }), "userId"),
        (json!({ "userId": bob.id, "requestId": cleo.id, "action": "ACCEPT" }), "userId"),
    ] {
        ann.post(&path, body).await.invalid(field);
    }
    answers(&ann, &circle, &cleo, "ACCEPT").await.refused(404, "NOT_FOUND");
    answers(&ann, &circle, &bob, "ACCEPT").await.ok();
    for action in ["ACCEPT", "REJECT"] {
        answers(&ann, &circle, &bob, action).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn each_concurrent_join_is_counted_once() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    let fans = world.fans(0..6).await;
    join_all(fans.iter().map(|fan| asks(fan, &circle))).await;
    let twice = fans.iter().chain(&fans);
    let done = join_all(twice.map(|fan| answers(&ann, &circle, fan, "ACCEPT"))).await;
    assert_eq!(done.iter().filter(|answer| answer.status == 200).count(), 6, "{done:?}");
    assert!(done.iter().all(|answer| matches!(answer.status, 200 | 400)), "{done:?}");
    assert_eq!(circle.seen(&world).await["membersCount"], 7);
    assert_eq!(circle.energy(&world).await["exp"], 30);
}

#[tokio::test]
async fn a_join_request_can_be_withdrawn_and_repeated() {
    let (world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    let path = circle.path("/join-request");
    bob.delete(&path).await.refused(404, "NOT_FOUND");
    asks(&bob, &circle).await.ok();
    assert_eq!(bob.delete(&path).await.ok().data()["status"], "WITHDRAWN");
    bob.delete(&path).await.refused(404, "NOT_FOUND");
    assert!(ann.get(&circle.manage("/join-requests")).await.ok().rows().is_empty());
    answers(&ann, &circle, &bob, "ACCEPT").await.refused(400, "VALIDATION_FAILED");
    asks(&bob, &circle).await.ok();
    let (accepted, withdrawn) =
        futures::join!(answers(&ann, &circle, &bob, "ACCEPT"), async { bob.delete(&path).await });
    assert_ne!(accepted.status == 200, withdrawn.status == 200, "{accepted} {withdrawn}");
    let members = if accepted.status == 200 { 2 } else { 1 };
    assert_eq!(circle.seen(&world).await["membersCount"], members);
    circle.gains(&world, -500, 0).await;
    bob.delete(&path).await.refused(404, "NOT_FOUND");
}
