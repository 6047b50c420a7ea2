//! Members, and their roles.

use domain::circles::member_key;
use platform::table::Write;
use serde_json::{Value, json};
use tests::World;

use super::{NOBODY, answers, appoints, asks, founds, joins, writes};

#[tokio::test]
async fn everybody_sees_who_is_in_a_circle_page_by_page() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let circle = founds(&ann, "Night readers").await;
    for name in ["bob", "cleo", "dan"] {
        world.advance(1).await;
        joins(&world.person(name).await, &circle, &ann).await;
    }
    let path = circle.path("/members");
    let first = world.anyone.get(&format!("{path}?take=3")).await.ok();
    assert_eq!(first.column("username"), ["ann", "bob", "cleo"]);
    assert_eq!(first.column("role"), ["OWNER", "MEMBER", "MEMBER"]);
    let rest = world.anyone.get(&format!("{path}?take=3&after={}", first.after().unwrap())).await.ok();
    assert_eq!((rest.column("username"), rest.after()), (vec![json!("dan")], None));
    world.anyone.get(&format!("/circles/{NOBODY}/members")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_owner_gives_roles_and_nobody_else() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let circle = founds(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
    let made = appoints(&ann, &circle, &bob, "admin").await.ok();
    assert_eq!((&made.data()["role"], &made.data()["username"]), (&json!("ADMIN"), &json!("bob")));
    appoints(&bob, &circle, &ann, "MEMBER").await.refused(403, "FORBIDDEN");
    appoints(&ann, &circle, &cleo, "ADMIN").await.refused(404, "NOT_FOUND");
    appoints(&ann, &circle, &ann, "MEMBER").await.refused(400, "VALIDATION_FAILED");
    appoints(&ann, &circle, &bob, "KING").await.refused(400, "VALIDATION_FAILED");
    appoints(&ann, &circle, &bob, "OWNER").await.ok();
    assert_eq!(ann.get(&circle.path("")).await.ok().data()["role"], "ADMIN");
    appoints(&ann, &circle, &bob, "MEMBER").await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn permissions_are_read_once_in_30_seconds_and_never_trusted_blindly() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let circle = founds(&ann, "Night readers").await;
    asks(&bob, &circle).await.ok();
    let path = circle.manage("/join-requests");
    let (_, first) = world.cost_of(ann.get(&path)).await;
    let (_, second) = world.cost_of(ann.get(&path)).await;
    assert_eq!(first.calls, second.calls + 1);
    // Another instance takes the role away.
    let owner = ann.id.parse().unwrap();
    writes(&world, Write::update(member_key(circle.id(), owner)).set("role", "MEMBER")).await;
    ann.get(&path).await.ok();
    answers(&ann, &circle, &bob, "ACCEPT").await.refused(403, "FORBIDDEN");
    ann.get(&path).await.refused(403, "FORBIDDEN");
    assert_eq!(bob.get(&circle.path("")).await.ok().data()["role"], Value::Null);
}
