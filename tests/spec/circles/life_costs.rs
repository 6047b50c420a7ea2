//! What a circle's life costs, in calls and capacity.

use serde_json::json;
use tests::Cost;

use super::{
    cpr::{begins, post_of},
    critic::{Critic, text},
    earns, founds,
    posts::{comments, id, writes_in},
    sacrifice::gives,
};

#[tokio::test]
async fn writing_judging_draining_and_saving_stay_within_their_budgets() {
    let world = Critic::new().await.world().await;
    let ann = world.person("ann").await;
    world.settle().await;
    let circle = founds(&ann, "Night readers").await;
    circle.feels(&world, 0, 200).await;
    circle.feels(&world, -440, 0).await;
    world.stack.settle(None).await.unwrap();
    let (answer, write) = world.cost_of(writes_in(&ann, &circle, &text(7, "x".repeat(900)))).await;
    let post = id(&answer.ok());
    let (_, judge) = world.cost_of(world.stack.settle(None)).await;
    let (_, comment) = world.cost_of(comments(&ann, &circle, &post, &text(7, "y".repeat(900)))).await;
    let (_, judge_comment) = world.cost_of(world.stack.settle(None)).await;
    let (_, latest) = world.cost_of(world.anyone.get(&circle.path("/posts"))).await;
    let (_, best) = world.cost_of(world.anyone.get(&circle.path("/posts?sort=quality"))).await;
    let (_, standing) = world.cost_of(world.anyone.get(&format!("/posts/{post}/judge-status"))).await;
    let path = format!("/posts/{post}");
    let (_, by_id) = world.cost_of(world.anyone.get(&path)).await;
    let (_, edit) = world.cost_of(ann.patch(&path, json!({ "content": text(0, "z".repeat(900)) }))).await;
    let reason = json!({ "reason": "It is bad.", "type": "circle" });
    let bob = world.person("bob").await;
    world.settle().await;
    let (_, report) = world.cost_of(bob.post(&format!("{path}/report"), reason)).await;
    world.settle().await;
    let (_, delete) = world.cost_of(ann.delete(&path)).await;
    circle.feels(&world, -10, 0).await;
    let (cpr, begin) = world.cost_of(begins(&ann, &circle, 5)).await;
    let (_, status) = world.cost_of(world.anyone.get(&circle.path("/cpr/status"))).await;
    comments(&ann, &circle, &post_of(&cpr.ok()), &text(8, "z".repeat(900))).await;
    world.stack.settle(None).await.unwrap();
    earns(&world, &ann, 5).await;
    let (_, gift) = world.cost_of(gives(&ann, &circle, 2)).await;
    world.advance(3600).await;
    let (_, hour) = world.cost_of(world.stack.settle(None)).await;
    // The circle is dying: each change of its energy also writes its place in the list of those.
    let costs: [(&str, Cost, (u32, f64, f64)); 15] = [
        ("write", write, (3, 4.0, 21.0)),
        ("judge", judge, (6, 7.0, 23.0)),
        ("comment", comment, (3, 5.0, 17.0)),
        ("judge a comment", judge_comment, (6, 7.0, 23.0)),
        ("latest", latest, (2, 3.0, 0.0)),
        ("best", best, (2, 3.0, 0.0)),
        ("judge-status", standing, (1, 1.0, 0.0)),
        ("by id", by_id, (3, 3.0, 0.0)),
        ("edit", edit, (5, 4.0, 13.0)),
        ("report", report, (7, 3.5, 13.0)),
        ("delete", delete, (4, 2.0, 14.0)),
        ("begin a cpr", begin, (5, 6.0, 15.0)),
        ("cpr status", status, (1, 3.0, 0.0)),
        ("sacrifice", gift, (3, 5.0, 19.0)),
        // Its drain, with a note that somebody wrote in it, a look for purges, and one for CPR every five minutes; a look for likes, reports and posts of which
        // the message was lost, for uploads that nothing uses, and for people who left.
        ("an hour of one circle", hour, (8 * 14 + 12 + 66 + 16 + 2 + 1, 95.0 + 8.0 + 1.0, 6.0 + 4.0 + 1.0)),
    ];
    for (request, cost, budget) in &costs {
        println!("{request}: {} calls, {} RRU, {} WRU, {} sends", cost.calls, cost.rru, cost.wru, cost.sends);
        let within = cost.calls <= budget.0 && cost.rru <= budget.1 && cost.wru <= budget.2;
        assert!(within, "{request} may take {budget:?}, but took {cost:?}");
    }
    assert_eq!(circle.energy(&world).await["level"], json!(2));
}
