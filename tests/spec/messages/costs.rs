//! What the requests of groups ask of AWS: the chart of `shared/KEYS.md`, with the session's call.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, World, send};

use super::{adds, departs, id, makes, opens, removes, says};

/// Calls, RRU, WRU, and what is announced.
type Figures = (u32, f64, f64, u32);

async fn figures(world: &World, request: impl Future<Output = Answer>) -> Figures {
    let (answer, cost) = world.cost_of(request).await;
    answer.ok();
    (cost.calls, cost.rru, cost.wru, cost.announcements)
}

#[tokio::test]
async fn messages_cost_what_their_chart_says() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let pair = opens(&ann, &["bob"]).await;
    let sent = id(&says(&ann, &pair, "hello").await);
    let (messages, message) =
        (format!("/message-group/{pair}/messages"), format!("/message-group/{pair}/messages/{sent}"));
    let reaction = format!("{message}/reaction");
    let react = || send(bob.request(Method::PUT, &reaction).json(&json!({ "emoji": "👍" })));
    let reply = json!({ "content": "yes", "replyToId": sent });
    let asked = [
        figures(&world, ann.patch(&message, json!({ "content": "hi" }))).await,
        figures(&world, react()).await,
        figures(&world, react()).await,
        figures(&world, bob.post(&messages, reply)).await,
        figures(&world, ann.delete(&message)).await,
    ];
    let chart = [(4, 3.5, 7.0, 1), (4, 3.5, 7.0, 1), (3, 3.5, 1.0, 0), (5, 3.0, 5.0, 1), (4, 3.5, 7.0, 1)];
    assert_eq!(asked, chart);
}

#[tokio::test]
async fn crowds_cost_what_their_chart_says() {
    let world = World::new().await;
    let [ann, bob, _cleo, dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let (path, mute) = (format!("/message-group/{group}"), format!("/message-group/{group}/mute"));
    let members = format!("{path}/members");
    let name = json!({ "name": "Sunday runners" });
    let asked = [
        figures(&world, adds(&ann, &group, "dan")).await,
        figures(&world, ann.get(&members)).await,
        figures(&world, ann.post(&mute, Value::Null)).await,
        figures(&world, ann.patch(&path, name.clone())).await,
        figures(&world, ann.patch(&path, name)).await,
        figures(&world, removes(&ann, &group, &bob)).await,
        figures(&world, departs(&dan, &group)).await,
    ];
    let chart = [
        (10, 9.0, 11.0, 1),
        (5, 5.0, 0.0, 0),
        (3, 2.0, 3.0, 0),
        (6, 5.5, 9.0, 1),
        (6, 5.5, 7.0, 1),
        (5, 4.0, 8.0, 1),
        (4, 3.0, 8.0, 1),
    ];
    assert_eq!(asked, chart);
}
