//! Checks the costs of posts, verdicts, drains and CPRs against `shared/keys.toml`.

use serde_json::json;

use super::{
    cpr::{begins, post_of},
    creates_circle,
    critic::{judged_world, text},
    earns,
    posts::{comments, id, writes_in},
    sacrifice::gives,
};

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
