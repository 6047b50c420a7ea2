//! Replies to messages.

use serde_json::{Value, json};
use tests::{Answer, Person};

use super::{adds, group_chat, group_chat_beside, id, opens, private_group, reads, says};

pub(super) async fn replies(user: &Person, group: &str, to: &str, text: &str) -> Answer {
    user.post(&format!("/message-group/{group}/messages"), json!({ "content": text, "replyToId": to })).await
}

async fn newest(user: &Person, group: &str) -> Value {
    reads(user, group).await[0].clone()
}

#[tokio::test]
async fn a_reply_shows_an_excerpt_of_the_original() {
    let (world, [ann, bob], group) = private_group().await;
    let long = "ế".repeat(100);
    let sent = id(&says(&ann, &group, &long).await);
    world.advance(1).await;
    let answer = replies(&bob, &group, &sent, "yes").await.ok();
    let excerpt = &answer.data()["replyTo"];
    let shown = ["publicId", "senderId", "excerpt"].map(|field| &excerpt[field]);
    assert_eq!(json!(shown), json!([sent, ann.public_id, "ế".repeat(80)]));
    assert_eq!(excerpt["sender"]["username"], "ann");
    assert_eq!(newest(&ann, &group).await["replyTo"], *excerpt);
    let one = ann.get(&format!("/message-group/{group}/messages?take=1")).await.ok();
    assert_eq!(one.rows()[0]["replyTo"], *excerpt, "a reply shows an original that is not on the same page");
    let chat = json!({ "conversationId": group, "content": "and", "replyToId": sent });
    assert_eq!(ann.post("/chat/message", chat).await.ok().data()["replyTo"], *excerpt);
    ann.patch(&format!("/message-group/{group}/messages/{sent}"), json!({ "content": "short" })).await.ok();
    assert_eq!(newest(&bob, &group).await["replyTo"]["excerpt"], "short");
}

#[tokio::test]
async fn a_reply_needs_a_visible_message_in_the_same_group() {
    let (_world, [ann, bob, cleo], group) = group_chat().await;
    let other = opens(&ann, &["bob"]).await;
    let elsewhere = id(&says(&ann, &other, "hello").await);
    let sent = id(&says(&ann, &group, "hello").await);
    replies(&ann, &group, &elsewhere, "x").await.refused(404, "NOT_FOUND");
    replies(&ann, &group, "nonsense", "x").await.invalid("replyToId");
    cleo.blocks(&ann).await;
    replies(&cleo, &group, &sent, "x").await.refused(404, "NOT_FOUND");
    ann.delete(&format!("/message-group/{group}/messages/{sent}")).await.ok();
    replies(&bob, &group, &sent, "x").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_reply_does_not_reveal_a_hidden_message() {
    let (world, [ann, bob, cleo, dan], group) = group_chat_beside("dan").await;
    let sent = id(&says(&ann, &group, "secret").await);
    world.advance(1).await;
    adds(&ann, &group, "dan").await.ok();
    ann.blocks(&cleo).await;
    world.advance(1).await;
    replies(&bob, &group, &sent, "yes").await.ok();
    let hidden =
        json!({ "publicId": sent, "senderId": null, "sender": null, "excerpt": null, "isDeleted": false });
    for (user, why) in [(&dan, "sent before dan joined"), (&cleo, "a block")] {
        let read = newest(user, &group).await;
        assert_eq!((&read["content"], &read["replyTo"]), (&json!("yes"), &hidden), "{why}");
    }
    assert_eq!(newest(&bob, &group).await["replyTo"]["excerpt"], "secret");
}
