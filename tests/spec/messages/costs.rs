//! Checks the AWS costs of message and group requests against `shared/keys.toml`.

use serde_json::{Value, json};

use super::{adds, departs, group_chat_beside, id, private_group, reacts, removes, replies::replies, says};

#[tokio::test]
async fn message_requests_stay_within_their_cost_budgets() {
    let (world, [ann, bob], pair) = private_group().await;
    let sent = id(&says(&ann, &pair, "hello").await);
    let message = format!("/message-group/{pair}/messages/{sent}");
    let react = || reacts(&bob, &pair, &sent, "👍");
    world.budget("edit a message", ann.patch(&message, json!({ "content": "hi" }))).await.ok();
    world.budget("react to a message", react()).await.ok();
    world.budget("react to a message again", react()).await.ok();
    world.budget("reply to a message", replies(&bob, &pair, &sent, "yes")).await.ok();
    world.budget("delete a message", ann.delete(&message)).await.ok();
}

#[tokio::test]
async fn group_chat_requests_stay_within_their_cost_budgets() {
    let (world, [ann, bob, _cleo, dan], group) = group_chat_beside("dan").await;
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
