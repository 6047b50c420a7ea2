//! What the requests of groups ask of AWS: the chart of `shared/KEYS.md`, with the session's call.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Cost, World, send};

use super::{adds, departs, id, makes, opens, removes, says};

#[track_caller]
fn costs(cost: &Cost, calls: u32, rru: f64, wru: f64, announcements: u32) {
    let asked = (cost.calls, cost.rru, cost.wru, cost.announcements, cost.sends);
    assert_eq!(asked, (calls, rru, wru, announcements, 0), "{cost:?}");
}

#[tokio::test]
async fn groups_cost_what_their_chart_says() {
    let world = World::new().await;
    let [ann, bob, _cleo, dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let pair = opens(&ann, &["bob"]).await;
    let path = |message: &str| format!("/message-group/{pair}/messages/{message}");
    let sent = id(&says(&ann, &pair, "hello").await);
    let edit = ann.patch(&path(&sent), json!({ "content": "hi" }));
    costs(&world.cost_of(edit).await.1, 4, 4.5, 7.0, 1);
    let react = |emoji: Value| {
        let request = bob.request(Method::PUT, &format!("{}/reaction", path(&sent)));
        send(request.json(&json!({ "emoji": emoji })))
    };
    costs(&world.cost_of(react(json!("👍"))).await.1, 4, 4.5, 7.0, 1);
    costs(&world.cost_of(react(json!("👍"))).await.1, 3, 4.5, 1.0, 0);
    let reply =
        bob.post(&format!("/message-group/{pair}/messages"), json!({ "content": "yes", "replyToId": sent }));
    costs(&world.cost_of(reply).await.1, 5, 3.0, 5.0, 1);
    costs(&world.cost_of(ann.delete(&path(&sent))).await.1, 4, 4.5, 7.0, 1);
    costs(
        &world.cost_of(ann.post(&format!("/message-group/{group}/mute"), Value::Null)).await.1,
        3,
        3.0,
        3.0,
        0,
    );
    let name = json!({ "name": "Sunday runners" });
    costs(&world.cost_of(ann.patch(&format!("/message-group/{group}"), name)).await.1, 6, 6.0, 9.0, 1);
    costs(&world.cost_of(adds(&ann, &group, "dan")).await.1, 11, 10.0, 12.0, 1);
    costs(&world.cost_of(removes(&ann, &group, &bob)).await.1, 5, 5.0, 11.0, 1);
    costs(&world.cost_of(departs(&dan, &group)).await.1, 4, 4.0, 11.0, 1);
}
