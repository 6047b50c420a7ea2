//! Checks the AWS costs of message and group requests against `shared/keys.toml`.

use reqwest::Method;
use serde_json::{Value, json};
use tests::send;

use super::{adds, departs, id, makes, opens, removes, says};
use crate::setup::world_with;

#[tokio::test]
async fn message_requests_stay_within_their_cost_budgets() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let pair = opens(&ann, &["bob"]).await;
    let sent = id(&says(&ann, &pair, "hello").await);
    let (messages, message) =
        (format!("/message-group/{pair}/messages"), format!("/message-group/{pair}/messages/{sent}"));
    let reaction = format!("{message}/reaction");
    let react = || send(bob.request(Method::PUT, &reaction).json(&json!({ "emoji": "👍" })));
    let reply = json!({ "content": "yes", "replyToId": sent });
    world.budget("edit a message", ann.patch(&message, json!({ "content": "hi" }))).await.ok();
    world.budget("react to a message", react()).await.ok();
    world.budget("react to a message again", react()).await.ok();
    world.budget("reply to a message", bob.post(&messages, reply)).await.ok();
    world.budget("delete a message", ann.delete(&message)).await.ok();
}

#[tokio::test]
async fn group_chat_requests_stay_within_their_cost_budgets() {
    let (world, [ann, bob, _cleo, dan]) = world_with(["ann", "bob", "cleo", "dan"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let (path, mute) = (format!("/message-group/{group}"), format!("/message-group/{group}/mute"));
    let members = format!("{path}/members");
    let name = json!({ "name": "Sunday runners" });
    world.budget("add a member", adds(&ann, &group, "dan")).await.ok();
    world.budget("members of a crowd", ann.get(&members)).await.ok();
    world.budget("a group", ann.get(&path)).await.ok();
    world.budget("mute a group", ann.post(&mute, Value::Null)).await.ok();
    world.budget("name a crowd", ann.patch(&path, name)).await.ok();
    world.budget("name a crowd again", ann.patch(&path, json!({ "name": "Runners" }))).await.ok();
    world.budget("remove a member from a crowd", removes(&ann, &group, &bob)).await.ok();
    world.budget("leave a crowd", departs(&dan, &group)).await.ok();
}
