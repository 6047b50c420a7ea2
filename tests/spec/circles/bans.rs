//! Bans from a circle.

use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{
    Circle, THOUGHT, UNKNOWN_ID, answers, appoints, asks, circle_of, creates_circle,
    invitations::{accepts, invites},
    joins,
    notices::ticks,
    posts::{comments, id, writes_in},
    with_members, without_ticks,
};
use crate::{
    deletion::{runs_deletions, traces::rows_with},
    notifications::notifications,
};

pub(super) async fn bans(person: &Person, circle: &Circle, user: &str) -> Answer {
    person.post(&circle.path(&format!("/members/{user}/ban")), Value::Null).await
}

pub(super) async fn lifts(person: &Person, circle: &Circle, user: &str) -> Answer {
    person.delete(&circle.path(&format!("/members/{user}/ban"))).await
}

async fn banned(person: &Person, circle: &Circle) -> Vec<Value> {
    person.get(&circle.path("/bans")).await.ok().column("username")
}

#[tokio::test]
async fn a_banned_member_cannot_return_until_the_ban_is_lifted() {
    let (world, [ann, bob], circle) = with_members(World::with(["ann", "bob"])).await;
    world.advance(1).await;
    let ban = bans(&ann, &circle, &bob.id).await.ok();
    assert_eq!(json!([ban.data()["username"], ban.data()["bannedAt"]]), json!(["bob", world.app().now()]));
    world.advance(1).await;
    assert_eq!(bans(&ann, &circle, &bob.id).await.ok().data(), ban.data(), "a second ban changes nothing");
    assert_eq!(circle.seen(&world).await["membersCount"], 1);
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], Value::Null);
    asks(&bob, &circle).await.refused(403, "FORBIDDEN");
    invites(&ann, &circle, "bob").await.refused(400, "VALIDATION_FAILED");
    assert!(bob.get("/circles").await.ok().rows().is_empty());
    assert_eq!(banned(&ann, &circle).await, [json!("bob")]);
    lifts(&ann, &circle, &bob.id).await.ok();
    lifts(&ann, &circle, &bob.id).await.refused(404, "NOT_FOUND");
    assert!(banned(&ann, &circle).await.is_empty());
    joins(&bob, &circle, &ann).await;
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
    assert_eq!(circle.energy(&world).await["exp"], 5, "joining again gives the circle no EXP");
}

#[tokio::test]
async fn a_ban_ends_pending_join_requests_and_invitations() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    asks(&bob, &circle).await.ok();
    invites(&ann, &circle, "cleo").await.ok();
    for person in [&bob, &cleo, &dan] {
        bans(&ann, &circle, &person.id).await.ok();
    }
    assert!(ann.get(&circle.manage("/join-requests")).await.ok().rows().is_empty());
    answers(&ann, &circle, &bob, "ACCEPT").await.refused(400, "VALIDATION_FAILED");
    assert!(cleo.get("/circles/invitations").await.ok().rows().is_empty());
    accepts(&cleo, &circle).await.refused(404, "NOT_FOUND");
    asks(&dan, &circle).await.refused(403, "FORBIDDEN");
    assert_eq!(circle.seen(&world).await["membersCount"], 1);
    lifts(&ann, &circle, &dan.id).await.ok();
    joins(&dan, &circle, &ann).await;
    assert_eq!(circle.energy(&world).await["exp"], 5, "a first join after a ban gives EXP");
}

#[tokio::test]
async fn only_higher_roles_can_ban_a_member_and_list_bans() {
    let (world, [ann, bob, cleo, dan, eve]) = World::with(["ann", "bob", "cleo", "dan", "eve"]).await;
    let circle = circle_of(&ann, &[&bob, &cleo, &dan]).await;
    for person in [&bob, &cleo] {
        appoints(&ann, &circle, person, "ADMIN").await.ok();
    }
    for (person, user) in
        [(&dan, &cleo), (&bob, &ann), (&bob, &cleo), (&bob, &bob), (&ann, &ann), (&eve, &dan)]
    {
        bans(person, &circle, &user.id).await.refused(403, "FORBIDDEN");
    }
    for unknown in [UNKNOWN_ID, "x"] {
        bans(&ann, &circle, unknown).await.refused(404, "NOT_FOUND");
        lifts(&ann, &circle, unknown).await.refused(404, "NOT_FOUND");
    }
    bans(&bob, &circle, &dan.id).await.ok();
    bans(&bob, &circle, &eve.id).await.ok();
    for person in [&dan, &eve] {
        person.get(&circle.path("/bans")).await.refused(403, "FORBIDDEN");
        lifts(person, &circle, &dan.id).await.refused(403, "FORBIDDEN");
    }
    let mut pages = cleo.columns(&circle.path("/bans"), 1, "username").await;
    pages.sort_by_key(|page| page[0].to_string());
    assert_eq!(pages, [["dan"], ["eve"]]);
    assert_eq!(circle.seen(&world).await["membersCount"], 3);
}

#[tokio::test]
async fn a_ban_wins_over_a_concurrently_accepted_invitation() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for attempt in 0..3 {
        let circle = creates_circle(&ann, &format!("Circle {attempt}")).await;
        invites(&ann, &circle, "bob").await.ok();
        let (ban, _) = futures::join!(bans(&ann, &circle, &bob.id), accepts(&bob, &circle));
        ban.ok();
        assert_eq!(circle.seen(&world).await["membersCount"], 1);
        let members = world.anyone.get(&circle.path("/members")).await.ok();
        assert_eq!(members.column("username"), [json!("ann")]);
        assert_eq!(banned(&ann, &circle).await, [json!("bob")]);
    }
}

#[tokio::test]
async fn a_banned_user_gets_no_notifications_of_the_circle() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let circle = circle_of(&ann, &[&bob, &cleo]).await;
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    let post = id(&writes_in(&bob, &circle, THOUGHT).await.ok());
    invites(&bob, &circle, "dan").await.ok();
    ticks(&world).await;
    let before = notifications(&bob).await.len();
    bans(&ann, &circle, &bob.id).await.ok();
    comments(&cleo, &circle, &post, THOUGHT).await;
    accepts(&dan, &circle).await.ok();
    circle.gains(&world, -400, 0).await;
    ticks(&world).await;
    assert_eq!(notifications(&bob).await.len(), before);
    assert_eq!(notifications(&cleo).await[0]["type"], "CIRCLE_STAGE");
    let channel = format!("presence-circle-{}", circle.id);
    let subscription = json!({ "socket_id": "1234.1234", "channel_name": channel });
    bob.post("/pusher/auth", subscription.clone()).await.refused(403, "FORBIDDEN");
    cleo.post("/pusher/auth", subscription).await;
}

#[tokio::test]
async fn account_deletion_erases_bans() {
    let (world, [ann, bob, cleo]) = without_ticks(["ann", "bob", "cleo"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    bans(&ann, &circle, &bob.id).await.ok();
    bans(&ann, &circle, &cleo.id).await.ok();
    bob.leaves().await;
    cleo.leaves().await;
    world.settle().await;
    runs_deletions(&world).await;
    assert_eq!(rows_with(&world, &[&bob.id, &cleo.id]).await, Vec::<String>::new());
    let ann = ann.signs_in().await;
    assert!(banned(&ann, &circle).await.is_empty());
}
