//! Ownership of circles: a new owner replaces one who leaves or is banned. A circle without members is closed.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::{
    Circle, answers, appoints, asks, creates_circle,
    death::rows_of,
    hours,
    invitations::{accepts, invites},
    joins,
    members::leaves,
    notices::ticks,
    with_circle, without_ticks,
};
use crate::{admin::administrator, notifications::notifications};

/// Creates a circle of `ann`. The members join in this order, a second apart.
pub(crate) async fn circle_in_order(world: &World, ann: &Person, members: &[&Person]) -> Circle {
    let circle = creates_circle(ann, "Night readers").await;
    for member in members {
        joins(member, &circle, ann).await;
        world.advance(1).await;
    }
    circle
}

/// Returns the role and the username of each member of a circle, the owner first.
async fn roles(world: &World, circle: &Circle) -> Vec<(Value, Value)> {
    let members = world.anyone.get(&circle.path("/members")).await.ok();
    let mut roles: Vec<_> = members.column("role").into_iter().zip(members.column("username")).collect();
    roles.sort_by_key(|(role, name)| (role != "OWNER", format!("{role}{name}")));
    roles
}

async fn owner(world: &World, circle: &Circle) -> Value {
    circle.seen(world).await["owner"]["username"].clone()
}

#[tokio::test]
async fn the_longest_standing_administrator_becomes_the_next_owner() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let circle = circle_in_order(&world, &ann, &[&bob, &cleo, &dan]).await;
    for user in [&dan, &cleo] {
        appoints(&ann, &circle, user, "ADMIN").await.ok();
    }
    ticks(&world).await;
    leaves(&ann, &circle).await.ok();
    let left = roles(&world, &circle).await;
    assert_eq!(left[0], (json!("OWNER"), json!("cleo")));
    assert_eq!(json!([left.len(), circle.seen(&world).await["membersCount"]]), json!([3, 3]));
    ticks(&world).await;
    let notice = &notifications(&cleo).await[0];
    assert_eq!(json!([notice["type"], notice["targetId"]]), json!(["CIRCLE_OWNER", circle.id]));
    assert_eq!(notice["message"], "You are now the owner of a circle. Open the circle to see its members.");
    for user in [&bob, &dan] {
        assert!(notifications(user).await.iter().all(|row| row["type"] != "CIRCLE_OWNER"));
    }
    leaves(&cleo, &circle).await.ok();
    leaves(&dan, &circle).await.ok();
    assert_eq!(roles(&world, &circle).await, [(json!("OWNER"), json!("bob"))]);
    bob.patch(&circle.path(""), json!({ "name": "Late readers" })).await.ok();
}

#[tokio::test]
async fn a_circle_is_closed_when_its_last_member_leaves() {
    let (world, [ann, bob], circle) = with_circle(without_ticks(["ann", "bob"])).await;
    invites(&ann, &circle, "bob").await.ok();
    assert_eq!(leaves(&ann, &circle).await.ok().data()["membersCount"], 0);
    for below in ["", "/members", "/energy"] {
        bob.get(&circle.path(below)).await.refused(404, "NOT_FOUND");
    }
    accepts(&bob, &circle).await.refused(404, "NOT_FOUND");
    assert!(bob.get("/circles/invitations").await.ok().rows().is_empty());
    hours(&world, 26).await;
    assert_eq!(rows_of(&world, &circle).await, Vec::<String>::new());
    assert!(bob.signs_in().await.get("/museum").await.ok().rows().is_empty(), "a closed circle is not dead");
}

#[tokio::test]
async fn an_account_deletion_closes_a_circle_without_other_members() {
    let (world, [ann], circle) = with_circle(without_ticks(["ann"])).await;
    ann.leaves().await;
    world.settle().await;
    world.anyone.get(&circle.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_permanent_ban_of_the_owner_appoints_a_new_owner() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let circle = circle_in_order(&world, &ann, &[&bob, &cleo, &dan]).await;
    let alone = creates_circle(&ann, "Alone").await;
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    let bans = async |user: &Person, body: Value| {
        root.patch(&format!("/admin/users/{}/ban", user.id), body).await.ok();
        ticks(&world).await;
    };
    bans(&bob, json!({})).await;
    bans(&ann, json!({ "bannedUntil": "2026-01-09T00:00:00Z" })).await;
    assert_eq!(owner(&world, &circle).await, "ann", "after a temporary ban, a user can be owner");
    bans(&ann, json!({})).await;
    let all = roles(&world, &circle).await;
    assert_eq!(all[0], (json!("OWNER"), json!("cleo")), "bob is banned too");
    assert!(all.contains(&(json!("MEMBER"), json!("ann"))), "{all:?}");
    assert_eq!(circle.seen(&world).await["membersCount"], 4);
    assert_eq!(notifications(&cleo).await[0]["type"], "CIRCLE_OWNER");
    world.anyone.get(&alone.path("")).await.refused(404, "NOT_FOUND");
    root.patch(&format!("/admin/users/{}/unlock", ann.id), Value::Null).await.ok();
    ticks(&world).await;
    assert_eq!(owner(&world, &circle).await, "cleo");
}

#[tokio::test]
async fn a_circle_closes_when_all_its_members_are_banned() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let bans = async |user: &Person, body: Value| {
        root.patch(&format!("/admin/users/{}/ban", user.id), body).await.ok();
        world.settle().await;
    };
    let [banned, left] =
        [circle_in_order(&world, &ann, &[&bob]).await, circle_in_order(&world, &cleo, &[&bob, &dan]).await];
    bans(&bob, json!({})).await;
    assert_eq!(owner(&world, &banned).await, "ann");
    bans(&ann, json!({})).await;
    world.anyone.get(&banned.path("")).await.refused(404, "NOT_FOUND");
    root.patch(&format!("/admin/users/{}/unlock", ann.id), Value::Null).await.ok();
    let ann = ann.signs_in().await;
    ann.get(&banned.path("")).await.refused(404, "NOT_FOUND");
    bans(&dan, json!({ "bannedUntil": "2026-01-09T00:00:00Z" })).await;
    leaves(&cleo, &left).await.ok();
    assert_eq!(owner(&world, &left).await, "dan", "after a temporary ban, a user can be owner");
    bans(&dan, json!({})).await;
    world.anyone.get(&left.path("")).await.refused(404, "NOT_FOUND");
    let last = circle_in_order(&world, &cleo, &[&ann]).await;
    bans(&ann, json!({})).await;
    leaves(&cleo.signs_in().await, &last).await.ok();
    world.anyone.get(&last.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_banned_member_cannot_become_the_owner() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let circle = circle_in_order(&world, &ann, &[&bob, &cleo]).await;
    root.patch(&format!("/admin/users/{}/lock", bob.id), Value::Null).await.ok();
    ann.post(&circle.path("/owner"), json!({ "username": "bob" })).await.invalid("username");
    leaves(&ann, &circle).await.ok();
    assert_eq!(owner(&world, &circle).await, "cleo", "bob joined earlier, but is locked");
}

#[tokio::test]
async fn a_new_owner_is_appointed_once_despite_a_worker_crash() {
    for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer, Fault::Conflict] {
        let world = World::builder().without_ticks().start().await;
        let root = administrator(&world, "root", Role::Admin).await;
        let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
        let circles = [
            circle_in_order(&world, &ann, &[&bob, &cleo]).await,
            circle_in_order(&world, &ann, &[&cleo, &bob]).await,
        ];
        world.settle().await;
        root.patch(&format!("/admin/users/{}/ban", ann.id), json!({})).await.ok();
        world.settle_despite("TransactWriteItems", fault, 0).await;
        for (circle, heir) in circles.iter().zip(["bob", "cleo"]) {
            let owners = roles(&world, circle).await.into_iter().filter(|(role, _)| role == "OWNER");
            assert_eq!(owners.collect::<Vec<_>>(), [(json!("OWNER"), json!(heir))], "{fault:?}");
        }
    }
}

#[tokio::test]
async fn concurrent_departures_never_leave_a_circle_without_owner() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    for _ in 0..3 {
        let circle = circle_in_order(&world, &ann, &[&bob, &cleo]).await;
        asks(&dan, &circle).await.ok();
        let accepted = answers(&ann, &circle, &dan, "ACCEPT");
        let (one, other, _) = futures::join!(leaves(&ann, &circle), leaves(&bob, &circle), accepted);
        assert!([one.status, other.status].iter().all(|status| [200, 429].contains(status)));
        let owners = roles(&world, &circle).await.into_iter().filter(|(role, _)| role == "OWNER").count();
        assert_eq!(owners, 1);
    }
}
