//! The guides show recorded requests. The other instructions in the guides are correct too.

use serde_json::{Value, json};
use tests::World;

use crate::{
    admin::webhooks::service::signature,
    realtime::listener::{Listener, user_channel},
};

const WORDS_MAX: usize = 250;

#[tokio::test]
async fn the_guides_are_served_as_markdown() {
    let world = World::new().await;
    let answer = world.anyone.get("/docs/guides.md").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/markdown; charset=utf-8")));
    assert_eq!(answer.text, documents::guides::published());
}

#[test]
fn every_request_in_the_guides_is_recorded() {
    let text = documents::guides::published();
    assert!(!text.contains("{{"), "{text}");
    let directives = documents::guides::sources().into_iter().flat_map(str::lines);
    let directives = directives.filter(|line| line.starts_with("{{")).count();
    assert_eq!(text.matches("```http\n").count(), 2 * directives);
    assert!(directives > 20, "{directives}");
}

#[test]
fn a_guide_has_at_most_250_words() {
    for guide in documents::guides::sources() {
        let words = guide.split_whitespace().count();
        assert!(words <= WORDS_MAX, "{words} words: {guide}");
    }
}

#[tokio::test]
async fn the_messages_in_the_guide_to_realtime_events_are_right() {
    let (world, [ann, binh]) = World::with(["ann", "binh"]).await;
    let (sent, expected) = (frames("> "), frames("< "));
    let [signing_in, subscribing] = &sent[..] else { panic!("{sent:?}") };
    let mut listener = Listener::connects(&world).await;
    let (channel, signed) = (user_channel(&ann), listener.authenticates(&ann).await.ok().body);
    listener.says(filled(signing_in, &signed, &channel)).await;
    let mut received = vec![json!({ "event": "pusher:connection_established" }), listener.next().await];
    let allowed = listener.asks(&ann, &channel).await.ok().body;
    listener.says(filled(subscribing, &allowed, &channel)).await;
    received.push(listener.next().await);
    let group = binh.chats_with("ann").await;
    let path = format!("/message-group/{group}/messages");
    binh.post(&path, json!({ "content": "Coffee?" })).await.ok();
    world.settle().await;
    received.push(listener.next().await);
    assert_eq!(expected.len(), received.len());
    for (expected, received) in expected.iter().zip(received) {
        assert_eq!(expected["event"], received["event"], "{received}");
        let is_channel = expected["channel"] == "CHANNEL" && received["channel"] == json!(channel);
        assert!(is_channel || expected["channel"].is_null(), "{received}");
    }
}

/// Returns the messages of the guide to realtime events that begin with `mark`.
fn frames(mark: &str) -> Vec<Value> {
    let lines = documents::guides::sources()[3].lines().filter_map(|line| line.strip_prefix(mark));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a message with the values of the API in place of the words in capital letters.
fn filled(message: &Value, signed: &Value, channel: &str) -> Value {
    let mut message = message.clone();
    for (word, value) in
        [("AUTH", &signed["auth"]), ("USER_DATA", &signed["user_data"]), ("CHANNEL", &json!(channel))]
    {
        for field in message["data"].as_object_mut().unwrap().values_mut() {
            if field == word {
                *field = value.clone();
            }
        }
    }
    message
}

#[test]
fn the_signature_in_the_guide_to_webhooks_is_right() {
    let guide = documents::guides::sources()[6];
    let value = |name: &str| guide.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim();
    let body = guide.lines().find(|line| line.starts_with("{\"data\"")).unwrap();
    let (id, timestamp) = (value("webhook-id "), value("webhook-timestamp "));
    let expected = signature(value("secret "), id, timestamp, body);
    assert_eq!(value("webhook-signature "), expected);
}
