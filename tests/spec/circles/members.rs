//! Members and their roles.

use domain::circles::member_key;
use platform::table::Write;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{Circle, UNKNOWN_ID, answers, appoints, asks, circle_of, creates_circle, joins, writes};

#[tokio::test]
async fn anyone_can_list_the_members_of_a_circle() {
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    for name in ["bob", "cleo", "dan"] {
        world.advance(1).await;
        joins(&world.person(name).await, &circle, &ann).await;
    }
    let path = circle.path("/members");
    let names = world.anyone.columns(&path, 3, "username").await;
    assert_eq!(json!(names), json!([["ann", "bob", "cleo"], ["dan"]]));
    let roles = world.anyone.all(&path, 3, "role").await;
    assert_eq!(roles, ["OWNER", "MEMBER", "MEMBER", "MEMBER"]);
    world.anyone.get(&format!("/circles/{UNKNOWN_ID}/members")).await.refused(404, "NOT_FOUND");
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
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
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

async fn removes(user: &Person, circle: &Circle, member: &str) -> Answer {
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
    removes(&ann, &Circle { id: UNKNOWN_ID.to_owned() }, &dan.id).await.refused(404, "NOT_FOUND");
    removes(&ann, &Circle { id: "x".to_owned() }, &dan.id).await.refused(404, "NOT_FOUND");
    let path = circle.path(&format!("/members/{}", dan.id));
    world.anyone.delete(&path).await.refused(401, "UNAUTHORIZED");
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
async fn a_removed_member_loses_all_permissions() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    asks(&cleo, &circle).await.ok();
    bob.get(&circle.manage("/join-requests")).await.ok();
    removes(&ann, &circle, &bob.id).await.ok();
    answers(&bob, &circle, &cleo, "ACCEPT").await.refused(403, "FORBIDDEN");
    bob.post(&circle.path("/posts"), json!({ "content": "let me in" })).await.refused(403, "FORBIDDEN");
    assert_eq!(bob.get("/circles").await.ok().rows().len(), 0);
    let channel = json!({ "socket_id": "1.1", "channel_name": format!("presence-circle-{}", circle.id) });
    bob.post("/pusher/auth", channel).await.refused(403, "FORBIDDEN");
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], Value::Null);
}

#[tokio::test]
async fn returning_members_and_former_owners_give_a_circle_no_exp() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    removes(&ann, &circle, &bob.id).await.ok();
    ann.post(&circle.path("/invitations"), json!({ "username": "bob" })).await.ok();
    bob.post(&circle.path("/invitations/accept"), Value::Null).await.ok();
    appoints(&ann, &circle, &bob, "OWNER").await.ok();
    removes(&bob, &circle, &ann.id).await.ok();
    joins(&ann, &circle, &bob).await;
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
    assert_eq!(circle.energy(&world).await["exp"], 5);
}
