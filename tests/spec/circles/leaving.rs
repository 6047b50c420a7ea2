//! Leaving a circle.

use domain::ledger::action_log::ActionType;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{Circle, UNKNOWN_ID, actions, answers, appoints, asks, circle_of, creates_circle, joins};

async fn leaves(user: &Person, circle: &Circle) -> Answer {
    user.post(&circle.path("/leave"), Value::Null).await
}

#[tokio::test]
async fn leaving_a_circle_ends_the_membership_and_is_logged() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    let left = leaves(&bob, &circle).await.ok();
    assert_eq!(json!([left.data()["membersCount"], left.data()["userId"]]), json!([1, bob.public_id]));
    assert_eq!(circle.seen(&world).await["membersCount"], 1);
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], Value::Null);
    assert_eq!(bob.get("/circles").await.ok().rows().len(), 0);
    let logged = actions(&world, &bob, ActionType::LeaveCircle).await;
    assert_eq!(logged, [json!({ "target": circle.id, "metadata": null })]);
    leaves(&bob, &circle).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn only_members_can_leave_a_circle() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    leaves(&bob, &circle).await.refused(403, "FORBIDDEN");
    leaves(&bob, &Circle { id: UNKNOWN_ID.to_owned() }).await.refused(404, "NOT_FOUND");
    world.anyone.post(&circle.path("/leave"), Value::Null).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn owners_can_leave_after_a_handover_or_as_last_member() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    appoints(&ann, &circle, &bob, "OWNER").await.ok();
    leaves(&ann, &circle).await.ok();
    assert_eq!(circle.seen(&world).await["owner"]["username"], "bob");
    assert_eq!(leaves(&bob, &circle).await.ok().data()["membersCount"], 0);
    bob.get(&circle.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_former_administrator_cannot_accept_join_requests() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    asks(&cleo, &circle).await.ok();
    bob.get(&circle.manage("/join-requests")).await.ok();
    leaves(&bob, &circle).await.ok();
    answers(&bob, &circle, &cleo, "ACCEPT").await.refused(403, "FORBIDDEN");
    bob.get(&circle.manage("/join-requests")).await.refused(403, "FORBIDDEN");
    joins(&bob, &circle, &ann).await;
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], "MEMBER");
}
