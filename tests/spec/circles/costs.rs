//! What requests about circles cost, in calls and capacity.

use serde_json::{Value, json};
use tests::World;

use super::{answers, appoints, asks, founds, joins};

#[tokio::test]
async fn requests_about_circles_stay_within_their_budgets() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let (_, make) = world.cost_of(founds(&ann, "Other")).await;
    let circle = founds(&ann, "Night readers").await;
    let (_, ask) = world.cost_of(asks(&bob, &circle)).await;
    let (_, asking) = world.cost_of(ann.get(&circle.manage("/join-requests"))).await;
    let (_, accept) = world.cost_of(answers(&ann, &circle, &bob, "ACCEPT")).await;
    asks(&cleo, &circle).await.ok();
    let (_, reject) = world.cost_of(answers(&ann, &circle, &cleo, "REJECT")).await;
    let invitation = json!({ "username": "cleo" });
    let (_, invite) = world.cost_of(ann.post(&circle.path("/invitations"), invitation)).await;
    let (_, invitations) = world.cost_of(cleo.get("/circles/invitations")).await;
    let path = circle.path("/invitations/accept");
    let (_, come) = world.cost_of(cleo.post(&path, Value::Null)).await;
    let (_, appoint) = world.cost_of(appoints(&ann, &circle, &bob, "ADMIN")).await;
    let (_, hand_over) = world.cost_of(appoints(&ann, &circle, &bob, "OWNER")).await;
    let (_, leave) = world.cost_of(cleo.post(&circle.path("/leave"), Value::Null)).await;
    joins(&cleo, &circle, &bob).await;
    let below = circle.path(&format!("/members/{}", cleo.id));
    let (_, remove) = world.cost_of(bob.delete(&below)).await;
    joins(&cleo, &circle, &bob).await;
    let path = circle.path(&format!("/members/{}/ban", cleo.id));
    let (_, ban) = world.cost_of(bob.post(&path, Value::Null)).await;
    let (_, bans) = world.cost_of(bob.get(&circle.path("/bans"))).await;
    let (_, lift) = world.cost_of(bob.delete(&path)).await;
    let invitations_path = circle.path("/invitations");
    bob.post(&invitations_path, json!({ "username": "cleo" })).await.ok();
    let path = circle.path("/invitations/decline");
    let (_, decline) = world.cost_of(cleo.post(&path, Value::Null)).await;
    bob.post(&invitations_path, json!({ "username": "cleo" })).await.ok();
    let (_, revoke) = world.cost_of(bob.delete(&circle.path("/invitations/cleo"))).await;
    asks(&cleo, &circle).await.ok();
    let (_, withdraw) = world.cost_of(cleo.delete(&circle.path("/join-request"))).await;
    joins(&cleo, &circle, &bob).await;
    let (_, edit) = world.cost_of(bob.patch(&circle.path(""), json!({ "name": "Late readers" }))).await;
    let (_, read) = world.cost_of(ann.get(&circle.path(""))).await;
    let (_, list) = world.cost_of(ann.get("/circles")).await;
    let (_, members) = world.cost_of(ann.get(&circle.path("/members"))).await;
    let (_, energy) = world.cost_of(world.anyone.get(&circle.path("/energy"))).await;
    let (_, log) = world.cost_of(world.anyone.get(&circle.path("/exp-log"))).await;
    let (_, history) = world.cost_of(world.anyone.get(&circle.path("/energy/history"))).await;
    let (_, delete) = world.cost_of(bob.delete(&circle.path(""))).await;
    let costs = [
        ("make", make, (4, 1.0, 15.0)),
        ("read", read, (3, 4.5, 0.0)),
        ("list", list, (5, 4.5, 0.0)),
        ("members", members, (3, 3.0, 0.0)),
        ("ask", ask, (3, 5.0, 10.0)),
        ("asking", asking, (4, 4.0, 0.0)),
        ("accept", accept, (3, 5.0, 21.0)),
        ("reject", reject, (3, 5.0, 6.0)),
        ("invite", invite, (4, 6.0, 12.0)),
        ("invitations", invitations, (3, 2.0, 0.0)),
        ("accept an invitation", come, (3, 5.0, 19.0)),
        ("appoint", appoint, (4, 3.0, 7.0)),
        ("hand over", hand_over, (5, 5.0, 11.0)),
        ("leave", leave, (3, 5.0, 9.0)),
        ("remove", remove, (3, 5.0, 11.0)),
        ("ban", ban, (4, 6.0, 13.0)),
        ("bans", bans, (4, 3.0, 0.0)),
        ("lift a ban", lift, (3, 5.0, 7.0)),
        ("decline", decline, (3, 2.0, 3.0)),
        ("revoke", revoke, (4, 3.0, 3.0)),
        ("withdraw a request", withdraw, (3, 2.0, 3.0)),
        ("edit", edit, (4, 3.5, 7.0)),
        ("delete", delete, (3, 1.0, 11.0)),
        ("energy history", history, (2, 1.5, 0.0)),
        ("energy", energy, (1, 1.0, 0.0)),
        ("exp-log", log, (2, 1.5, 0.0)),
    ];
    let took = costs.each_ref().map(|(request, it, _)| (*request, (it.calls, it.rru, it.wru), it.sends));
    let budgets = costs.each_ref().map(|(request, _, budget)| (*request, *budget, 0));
    assert_eq!(took, budgets);
}
