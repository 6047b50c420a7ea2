//! Checks the costs of circle requests against `shared/keys.toml`.

use serde_json::{Value, json};
use tests::World;

use super::{answers, appoints, asks, circle_of, creates_circle, joins};

#[tokio::test]
async fn circle_requests_match_their_cost_budgets() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    world.budget("create a circle", creates_circle(&ann, "Other")).await;
    let circle = creates_circle(&ann, "Night readers").await;
    world.budget("request to join a circle", asks(&bob, &circle)).await;
    world.budget("requests to join", ann.get(&circle.manage("/join-requests"))).await;
    world.budget("accept a request to join", answers(&ann, &circle, &bob, "ACCEPT")).await;
    asks(&cleo, &circle).await.ok();
    world.budget("reject a request to join", answers(&ann, &circle, &cleo, "REJECT")).await;
    let invitation = json!({ "username": "cleo" });
    world.budget("invite", ann.post(&circle.path("/invitations"), invitation)).await;
    world.budget("own invitations", cleo.get("/circles/invitations")).await;
    let path = circle.path("/invitations/accept");
    world.budget("accept an invitation", cleo.post(&path, Value::Null)).await;
    world.budget("change the role of a member", appoints(&ann, &circle, &bob, "ADMIN")).await;
    world.budget("transfer a circle", appoints(&ann, &circle, &bob, "OWNER")).await;
    world.budget("leave a circle", cleo.post(&circle.path("/leave"), Value::Null)).await;
    joins(&cleo, &circle, &bob).await;
    let below = circle.path(&format!("/members/{}", cleo.id));
    world.budget("remove a member from a circle", bob.delete(&below)).await;
    joins(&cleo, &circle, &bob).await;
    let path = circle.path(&format!("/members/{}/ban", cleo.id));
    world.budget("ban from a circle", bob.post(&path, Value::Null)).await;
    world.budget("users banned from a circle", bob.get(&circle.path("/bans"))).await;
    world.budget("lift a ban from a circle", bob.delete(&path)).await;
    let invitations_path = circle.path("/invitations");
    bob.post(&invitations_path, json!({ "username": "cleo" })).await.ok();
    let path = circle.path("/invitations/decline");
    world.budget("decline an invitation", cleo.post(&path, Value::Null)).await;
    bob.post(&invitations_path, json!({ "username": "cleo" })).await.ok();
    world.budget("revoke an invitation", bob.delete(&circle.path("/invitations/cleo"))).await;
    asks(&cleo, &circle).await.ok();
    world.budget("withdraw a request to join", cleo.delete(&circle.path("/join-request"))).await;
    joins(&cleo, &circle, &bob).await;
    world.budget("edit a circle", bob.patch(&circle.path(""), json!({ "name": "Late readers" }))).await;
    world.budget("a circle", ann.get(&circle.path(""))).await;
    world.budget("own circles", ann.get("/circles")).await;
    world.budget("members of a circle", ann.get(&circle.path("/members"))).await;
    world.budget("energy", world.anyone.get(&circle.path("/energy"))).await;
    world.budget("log of a circle", world.anyone.get(&circle.path("/exp-log"))).await;
    world.budget("energy over 7 days", world.anyone.get(&circle.path("/energy/history"))).await;
    world.budget("delete a circle", bob.delete(&circle.path(""))).await;
}

#[tokio::test]
async fn the_departures_of_owners_match_their_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    let path = circle.path("/leave");
    world.budget("leave a circle as its owner", ann.post(&path, Value::Null)).await;
    world.budget("leave a circle as its last member", bob.post(&path, Value::Null)).await;
}
