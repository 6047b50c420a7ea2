//! The AsyncAPI document describes every event that the code can push.

use std::collections::BTreeSet;

use domain::realtime::{events::PushedEvent, pusher::ChannelKind};
use serde_json::Value;
use tests::World;

use super::{assert_all_used, valid_references};

async fn document() -> Value {
    World::new().await.anyone.get("/asyncapi.json").await.body
}

#[tokio::test]
async fn the_event_document_is_served_with_and_without_api_v1() {
    let world = World::new().await;
    let events = world.anyone.get("/asyncapi.json").await;
    let operations = world.anyone.get("/openapi.json").await;
    assert_eq!(events.body["asyncapi"], "3.1.0");
    assert_eq!(events.body["info"]["version"], operations.body["info"]["version"]);
    for name in ["content-type", "cache-control"] {
        assert_eq!(events.header(name), operations.header(name), "{name}");
    }
    assert_eq!(world.anyone.get("/api/v1/asyncapi.json").await.body, events.body);
}

#[tokio::test]
async fn every_event_has_channels_an_example_and_a_payload() {
    let document = document().await;
    let descriptions = PushedEvent::descriptions();
    assert_eq!(descriptions.len(), 16);
    for event in descriptions {
        let messages = document["components"]["messages"].as_object().unwrap();
        let (key, message) =
            messages.iter().find(|(_, message)| message["name"] == event.name).expect(event.name);
        assert!(message["summary"].as_str().unwrap().len() > 10, "{key}");
        assert!(message["examples"][0]["payload"]["eventId"].is_string(), "{key}: {message}");
        let payload = &message["payload"]["allOf"][0]["$ref"];
        assert_eq!(*payload, format!("#/components/schemas/{}", event.schema), "{key}");
        let channels = document["channels"].as_object().unwrap().values();
        let on = channels.filter(|channel| channel["messages"].get(key).is_some()).count();
        assert_eq!(on, event.channels.len(), "{key}");
    }
}

#[tokio::test]
async fn every_channel_lists_its_subscribers_and_messages() {
    let document = document().await;
    let channels = document["channels"].as_object().unwrap();
    assert_eq!(channels.len(), ChannelKind::ALL.len());
    for (key, channel) in channels {
        assert!(channel["x-subscribers"].as_str().unwrap().len() > 10, "{key}");
        assert!(!channel["messages"].as_object().unwrap().is_empty(), "{key}");
        let mut operations = document["operations"].as_object().unwrap().values();
        let reference = format!("#/channels/{key}");
        assert!(operations.any(|operation| operation["channel"]["$ref"] == reference), "{key}");
    }
    let addresses: BTreeSet<_> =
        channels.values().map(|channel| channel["address"].as_str().unwrap()).collect();
    let expected = [
        "notifications",
        "presence-circle-{circleId}",
        "presence-user-{userId}",
        "private-chat-{groupId}",
        "private-user-{userId}",
    ];
    assert_eq!(addresses, expected.into());
}

#[tokio::test]
async fn the_event_document_has_no_missing_or_unused_components() {
    let document = document().await;
    let references = valid_references(&document);
    for kind in ["messages", "schemas", "securitySchemes"] {
        assert_all_used(&document, kind, &references);
    }
}
