//! Members and their roles.

use domain::{circles::member_key, ledger::action_log::ActionType};
use platform::table::Write;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{
    Circle, UNKNOWN_ID, actions, answers, appoints, asks, circle_of,
    invitations::{accepts, invites},
    joins, with_circle, with_members, writes,
};

#[tokio::test]
async fn anyone_can_list_the_members_of_a_circle() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    for name in ["bob", "cleo", "dan"] {
        world.advance(1).await;
        joins(&world.person(name).await, &circle, &ann).await;
    }
    let path = circle.path("/members");
    let names = world.anyone.columns(&path, 3, "username").await;
    assert_eq!(json!(names), json!([["ann", "bob", "cleo"], ["dan"]]));
    let roles = world.anyone.all(&path, 3, "role").await;
    assert_eq!(roles, ["OWNER", "MEMBER", "MEMBER", "MEMBER"]);
}

#[tokio::test]
async fn only_the_owner_can_change_roles() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    let made = appoints(&ann, &circle, &bob, "admin").await.ok();
    assert_eq!(json!([made.data()["role"], made.data()["username"]]), json!(["ADMIN", "bob"]));
    appoints(&bob, &circle, &ann, "MEMBER").await.refused(403, "FORBIDDEN");
    appoints(&ann, &circle, &cleo, "ADMIN").await.refused(404, "NOT_FOUND");
    appoints(&ann, &circle, &ann, "MEMBER").await.refused(400, "VALIDATION_FAILED");
    appoints(&ann, &circle, &bob, "KING").await.refused(400, "VALIDATION_FAILED");
    appoints(&ann, &circle, &bob, "OWNER").await.ok();
    assert_eq!(ann.get(&circle.path("")).await.ok().data()["role"], "ADMIN");
    appoints(&ann, &circle, &bob, "MEMBER").await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn cached_permissions_are_checked_again_on_writes() {
    let (world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    asks(&bob, &circle).await.ok();
    let path = circle.manage("/join-requests");
    let (_, first) = world.cost_of(ann.get(&path)).await;
    let (_, second) = world.cost_of(ann.get(&path)).await;
    assert_eq!(first.calls, second.calls + 1);
    // Changes the role without a request, so that the cache keeps the earlier role.
    let owner = ann.id.parse().unwrap();
    writes(&world, Write::update(member_key(circle.id(), owner)).set("role", "MEMBER")).await;
    ann.get(&path).await.ok();
    answers(&ann, &circle, &bob, "ACCEPT").await.refused(403, "FORBIDDEN");
    ann.get(&path).await.refused(403, "FORBIDDEN");
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], Value::Null);
}

pub(super) async fn leaves(user: &Person, circle: &Circle) -> Answer {
    user.post(&circle.path("/leave"), Value::Null).await
}

pub(super) async fn removes(user: &Person, circle: &Circle, member: &str) -> Answer {
    user.delete(&circle.path(&format!("/members/{member}"))).await
}

#[tokio::test]
async fn only_higher_roles_can_remove_a_member() {
    let (world, [ann, bob, cleo, dan, eve]) = World::with(["ann", "bob", "cleo", "dan", "eve"]).await;
    let circle = circle_of(&ann, &[&bob, &cleo, &dan]).await;
    for user in [&bob, &cleo] {
        appoints(&ann, &circle, user, "ADMIN").await.ok();
    }
    for (user, member) in
        [(&dan, &bob), (&dan, &dan), (&bob, &ann), (&bob, &cleo), (&ann, &ann), (&eve, &dan)]
    {
        removes(user, &circle, &member.id).await.refused(403, "FORBIDDEN");
    }
    for unknown in [&eve.id, UNKNOWN_ID, "x"] {
        removes(&ann, &circle, unknown).await.refused(404, "NOT_FOUND");
    }
    removes(&ann, &Circle { id: "x".to_owned() }, &dan.id).await.refused(404, "NOT_FOUND");
    let removed = removes(&bob, &circle, &dan.id).await.ok();
    assert_eq!(json!([removed.data()["userId"], removed.data()["membersCount"]]), json!([dan.public_id, 3]));
    removes(&ann, &circle, &cleo.id).await.ok();
    removes(&bob, &circle, &dan.id).await.refused(404, "NOT_FOUND");
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
    let members = world.anyone.get(&circle.path("/members")).await.ok();
    assert_eq!(members.column("role").len(), 2);
    assert!(!members.column("username").contains(&json!("dan")));
}

#[tokio::test]
async fn leaving_a_circle_ends_the_membership_and_is_logged() {
    let (world, [_, bob], circle) = with_members(World::with(["ann", "bob"])).await;
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
async fn an_administrator_who_left_or_was_removed_loses_all_permissions() {
    for is_removed in [false, true] {
        let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
        let circle = circle_of(&ann, &[&bob]).await;
        appoints(&ann, &circle, &bob, "ADMIN").await.ok();
        asks(&cleo, &circle).await.ok();
        bob.get(&circle.manage("/join-requests")).await.ok();
        let gone =
            if is_removed { removes(&ann, &circle, &bob.id).await } else { leaves(&bob, &circle).await };
        gone.ok();
        answers(&bob, &circle, &cleo, "ACCEPT").await.refused(403, "FORBIDDEN");
        bob.get(&circle.manage("/join-requests")).await.refused(403, "FORBIDDEN");
        bob.post(&circle.path("/posts"), json!({ "content": "let me in" })).await.refused(403, "FORBIDDEN");
        assert_eq!(bob.get("/circles").await.ok().rows().len(), 0, "is removed: {is_removed}");
        let channel = json!({ "socket_id": "1.1", "channel_name": format!("presence-circle-{}", circle.id) });
        bob.post("/pusher/auth", channel).await.refused(403, "FORBIDDEN");
        let role = async || bob.get(&circle.path("")).await.ok().data()["role"].clone();
        assert_eq!(role().await, Value::Null, "is removed: {is_removed}");
        joins(&bob, &circle, &ann).await;
        assert_eq!(role().await, "MEMBER", "is removed: {is_removed}");
    }
}

#[tokio::test]
async fn returning_members_and_former_owners_give_a_circle_no_exp() {
    let (world, [ann, bob], circle) = with_members(World::with(["ann", "bob"])).await;
    leaves(&bob, &circle).await.ok();
    joins(&bob, &circle, &ann).await;
    removes(&ann, &circle, &bob.id).await.ok();
    invites(&ann, &circle, "bob").await.ok();
    accepts(&bob, &circle).await.ok();
    appoints(&ann, &circle, &bob, "OWNER").await.ok();
    removes(&bob, &circle, &ann.id).await.ok();
    joins(&ann, &circle, &bob).await;
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
    assert_eq!(circle.energy(&world).await["exp"], 5);
    let log = world.anyone.get(&circle.path("/exp-log")).await.ok().data()["logs"].clone();
    assert_eq!(json!([log[0]["reason"], log[0]["expDelta"]]), json!(["MEMBER_JOIN", 5]));
    assert_eq!(json!([log[0]["userId"], log[1]]), json!([bob.public_id, null]), "one entry");
}
