//! Invitations to circles.

use domain::ledger::action_log::ActionType;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{
    Circle, actions, answers, appoints, asks, circle_of, creates_circle, creates_circles, joins, with_circle,
};

pub(crate) async fn invites(user: &Person, circle: &Circle, name: &str) -> Answer {
    user.post(&circle.path("/invitations"), json!({ "username": name })).await
}

pub(crate) async fn accepts(user: &Person, circle: &Circle) -> Answer {
    user.post(&circle.path("/invitations/accept"), Value::Null).await
}

#[tokio::test]
async fn an_accepted_invitation_gives_a_membership_and_is_logged() {
    let (world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    let invited = invites(&ann, &circle, "bob").await.ok();
    let invitation = invited.data();
    assert_eq!(json!([invited.status, invitation["status"]]), json!([201, "PENDING"]));
    assert_eq!(
        json!([invitation["userId"], invitation["invitedById"]]),
        json!([bob.public_id, ann.public_id])
    );
    let waiting = bob.get("/circles/invitations").await.ok();
    assert_eq!(waiting.column("circleName"), ["Night readers"]);
    assert_eq!(circle.seen(&world).await["membersCount"], 1);
    let accepted = accepts(&bob, &circle).await.ok();
    assert_eq!(json!([accepted.status, accepted.data()["status"]]), json!([200, "ACCEPTED"]));
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
    assert_eq!(circle.energy(&world).await["exp"], 5);
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], "MEMBER");
    assert_eq!(bob.get("/circles/invitations").await.ok().rows().len(), 0);
    accepts(&bob, &circle).await.refused(404, "NOT_FOUND");
    let sent = actions(&world, &ann, ActionType::InviteSent).await;
    assert_eq!(sent, [json!({ "target": bob.id, "metadata": { "circleId": circle.id } })]);
    let accepted = actions(&world, &bob, ActionType::InviteAccepted).await;
    assert_eq!(accepted, [json!({ "target": circle.id, "metadata": null })]);
    assert!(actions(&world, &bob, ActionType::JoinCircle).await.is_empty());
}

#[tokio::test]
async fn a_block_hides_invitations_and_prevents_joining() {
    let (world, [ann, bob, cleo], circle) = with_circle(World::with(["ann", "bob", "cleo"])).await;
    invites(&ann, &circle, "bob").await.ok();
    asks(&cleo, &circle).await.ok();
    bob.blocks(&ann).await;
    cleo.blocks(&ann).await;
    assert_eq!(bob.get("/circles/invitations").await.ok().rows().len(), 0);
    accepts(&bob, &circle).await.refused(404, "NOT_FOUND");
    answers(&ann, &circle, &cleo, "ACCEPT").await.refused(403, "FORBIDDEN");
    answers(&ann, &circle, &cleo, "REJECT").await.ok();
    assert_eq!(circle.seen(&world).await["membersCount"], 1);
}

#[tokio::test]
async fn invitation_pages_stay_full_if_circles_are_hidden() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    for (number, circle) in creates_circles(&world, &ann, 9).await.into_iter().enumerate() {
        invites(&ann, &circle, "bob").await.ok();
        world.advance(1).await;
        if number % 3 == 0 { shown.push(circle) } else { hidden.push(circle) }
    }
    let blocked = creates_circle(&cleo, "Blocked").await;
    invites(&cleo, &blocked, "bob").await.ok();
    bob.blocks(&cleo).await;
    for (number, circle) in hidden.iter().enumerate() {
        match number % 2 {
            0 => drop(ann.delete(&circle.path("")).await.ok()),
            _ => circle.gains(&world, -500, 0).await,
        }
    }
    let pages = bob.columns("/circles/invitations", 2, "circleId").await;
    assert_eq!(json!(pages), json!([[shown[2].id, shown[1].id], [shown[0].id]]));
}

#[tokio::test]
async fn an_invalid_invitation_is_refused() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let [dan, eve] = world.people(["dan", "eve"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    asks(&cleo, &circle).await.ok();
    eve.blocks(&ann).await;
    for name in ["ann", "bob", "cleo", "x"] {
        invites(&ann, &circle, name).await.invalid("username");
    }
    invites(&ann, &circle, "unknown").await.refused(404, "NOT_FOUND");
    invites(&ann, &circle, "eve").await.refused(403, "FORBIDDEN");
    accepts(&dan, &circle).await.refused(404, "NOT_FOUND");
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    invites(&bob, &circle, "DAN").await.ok();
    invites(&ann, &circle, "dan").await.refused(400, "VALIDATION_FAILED");
    asks(&dan, &circle).await.refused(400, "VALIDATION_FAILED");
}

pub(super) async fn declines(user: &Person, circle: &Circle) -> Answer {
    user.post(&circle.path("/invitations/decline"), Value::Null).await
}

async fn revokes(user: &Person, circle: &Circle, name: &str) -> Answer {
    user.delete(&circle.path(&format!("/invitations/{name}"))).await
}

#[tokio::test]
async fn a_declined_invitation_can_be_sent_again() {
    let (world, [ann, bob, cleo], circle) = with_circle(World::with(["ann", "bob", "cleo"])).await;
    invites(&ann, &circle, "bob").await.ok();
    declines(&cleo, &circle).await.refused(404, "NOT_FOUND");
    assert_eq!(declines(&bob, &circle).await.ok().data()["status"], "REJECTED");
    declines(&bob, &circle).await.refused(404, "NOT_FOUND");
    accepts(&bob, &circle).await.refused(404, "NOT_FOUND");
    assert!(bob.get("/circles/invitations").await.ok().rows().is_empty());
    invites(&ann, &circle, "bob").await.ok();
    let (accepted, declined) = futures::join!(accepts(&bob, &circle), declines(&bob, &circle));
    assert_ne!(accepted.status == 200, declined.status == 200, "{accepted} {declined}");
    let members = if accepted.status == 200 { 2 } else { 1 };
    assert_eq!(circle.seen(&world).await["membersCount"], members);
    circle.gains(&world, -500, 0).await;
    declines(&bob, &circle).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn only_the_inviter_or_owner_can_revoke_an_invitation() {
    let (_world, [ann, bob, cleo, dan, eve]) = World::with(["ann", "bob", "cleo", "dan", "eve"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    for user in [&bob, &cleo] {
        joins(user, &circle, &ann).await;
        appoints(&ann, &circle, user, "ADMIN").await.ok();
    }
    invites(&bob, &circle, "dan").await.ok();
    for user in [&cleo, &dan, &eve] {
        revokes(user, &circle, "dan").await.refused(403, "FORBIDDEN");
        revokes(user, &circle, "eve").await.refused(403, "FORBIDDEN");
    }
    revokes(&ann, &circle, "eve").await.refused(404, "NOT_FOUND");
    revokes(&ann, &circle, "unknown").await.refused(404, "NOT_FOUND");
    assert_eq!(revokes(&bob, &circle, "dan").await.ok().data()["status"], "WITHDRAWN");
    revokes(&bob, &circle, "dan").await.refused(404, "NOT_FOUND");
    accepts(&dan, &circle).await.refused(404, "NOT_FOUND");
    invites(&bob, &circle, "dan").await.ok();
    revokes(&ann, &circle, "dan").await.ok();
    assert!(dan.get("/circles/invitations").await.ok().rows().is_empty());
    assert_eq!(asks(&dan, &circle).await.ok().status, 201);
}
