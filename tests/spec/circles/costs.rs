//! Checks the costs of circle requests, posts, verdicts, drains and CPRs against `shared/keys.toml`.

use serde_json::json;
use tests::World;

use super::{
    answers, appoints, asks,
    bans::{bans, lifts},
    cpr::{begins, post_of},
    creates_circle,
    critic::{judged_world, text},
    earns,
    invitations::{accepts, declines, invites},
    joins,
    members::{leaves, removes},
    posts::{comments, id, writes_in},
    sacrifice::gives,
    with_members,
};

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
    world.budget("invite", invites(&ann, &circle, "cleo")).await;
    world.budget("own invitations", cleo.get("/circles/invitations")).await;
    world.budget("accept an invitation", accepts(&cleo, &circle)).await;
    world.budget("change the role of a member", appoints(&ann, &circle, &bob, "ADMIN")).await;
    world.budget("transfer a circle", appoints(&ann, &circle, &bob, "OWNER")).await;
    world.budget("leave a circle", leaves(&cleo, &circle)).await;
    joins(&cleo, &circle, &bob).await;
    world.budget("remove a member from a circle", removes(&bob, &circle, &cleo.id)).await;
    joins(&cleo, &circle, &bob).await;
    world.budget("ban from a circle", bans(&bob, &circle, &cleo.id)).await;
    world.budget("users banned from a circle", bob.get(&circle.path("/bans"))).await;
    world.budget("lift a ban from a circle", lifts(&bob, &circle, &cleo.id)).await;
    invites(&bob, &circle, "cleo").await.ok();
    world.budget("decline an invitation", declines(&cleo, &circle)).await;
    invites(&bob, &circle, "cleo").await.ok();
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
    let (world, [ann, bob], circle) = with_members(World::with(["ann", "bob"])).await;
    world.budget("leave a circle as its owner", leaves(&ann, &circle)).await;
    world.budget("leave a circle as its last member", leaves(&bob, &circle)).await;
}

#[tokio::test]
async fn circle_posts_verdicts_and_cprs_match_their_cost_budgets() {
    let (world, [ann]) = judged_world(["ann"]).await;
    world.settle().await;
    let circle = creates_circle(&ann, "Night readers").await;
    circle.gains(&world, 0, 200).await;
    circle.gains(&world, -440, 0).await;
    world.stack.settle(None).await.unwrap();
    let answer =
        world.budget("write in a dying circle", writes_in(&ann, &circle, &text(7, "x".repeat(900)))).await;
    let post = id(&answer.ok());
    world.budget("judge a post (job)", world.stack.settle(None)).await.unwrap();
    world.budget("comment in a circle", comments(&ann, &circle, &post, &text(7, "y".repeat(900)))).await;
    world.budget("judge a comment (job)", world.stack.settle(None)).await.unwrap();
    world.budget("latest posts of a circle", world.anyone.get(&circle.path("/posts"))).await;
    world.budget("best posts of a circle", world.anyone.get(&circle.path("/posts?sort=quality"))).await;
    world.budget("judging status of a post", world.anyone.get(&format!("/posts/{post}/judge-status"))).await;
    let path = format!("/posts/{post}");
    world.budget("a post of a circle", world.anyone.get(&path)).await;
    let edit = json!({ "content": text(0, "z".repeat(900)) });
    world.budget("edit a post of a circle", ann.patch(&path, edit)).await;
    world.budget("judge an edited post (job)", world.stack.settle(None)).await.unwrap();
    let reason = json!({ "reason": "It is bad.", "type": "circle" });
    let bob = world.person("bob").await;
    world.settle().await;
    world.budget("report a post of a circle", bob.post(&format!("{path}/report"), reason)).await;
    world.settle().await;
    world.budget("delete a post of a circle", ann.delete(&path)).await;
    circle.gains(&world, -10, 0).await;
    let cpr = world.budget("start a CPR", begins(&ann, &circle, 5)).await;
    world.budget("status of a CPR", world.anyone.get(&circle.path("/cpr/status"))).await;
    comments(&ann, &circle, &post_of(&cpr.ok()), &text(8, "z".repeat(900))).await;
    world.stack.settle(None).await.unwrap();
    earns(&world, &ann, 5).await;
    world.budget("give karma to a dying circle", gives(&ann, &circle, 3)).await;
    world.advance(3600).await;
    world.budget("an hour of one circle (jobs)", world.stack.settle(None)).await.unwrap();
    assert_eq!(circle.energy(&world).await["level"], json!(2));
}
