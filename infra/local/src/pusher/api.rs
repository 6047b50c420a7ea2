//! HTTP API of the push provider. Requests publish events, or close the connections of a user.

use std::{borrow::Cow, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{Path, RawQuery, State},
};
use documents::asyncapi;
use lambda_http::http::StatusCode;
use md5::{Digest, Md5};
use serde::Deserialize;
use serde_json::{Value, json};

use super::PushProvider;
use crate::{recorder::EventKind, signed::SignedQuery};

const TIMESTAMP_TOLERANCE_SECONDS: u64 = 600;
const EVENTS_MAX: usize = 10;
const CHANNELS_MAX: usize = 100;
const DATA_MAX_BYTES: usize = 10 * 1024;

type Refusal = (StatusCode, &'static str);

#[derive(Deserialize)]
struct Batch {
    batch: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    name: String,
    data: Value,
    #[serde(default)]
    channels: Vec<String>,
    channel: Option<String>,
    socket_id: Option<String>,
}

pub(super) async fn publish(
    State(provider): State<Arc<PushProvider>>,
    Path((id, resource)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let events = provider.parse(&id, &resource, &query.unwrap_or_default(), &body)?;
    // Only debug builds check events against the API reference, because release builds are for measurements.
    if cfg!(debug_assertions) {
        check_described(&events)?;
    }
    events.iter().for_each(|event| provider.deliver(event));
    Ok(Json(json!({})))
}

pub(super) async fn terminate(
    State(provider): State<Arc<PushProvider>>,
    Path((id, user)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let resource = format!("users/{user}/terminate_connections");
    provider.check_signed(&id, &resource, &query.unwrap_or_default(), &body)?;
    provider.terminate(&user);
    Ok(Json(json!({})))
}

/// Fails if the API reference does not describe all events.
fn check_described(events: &[Event]) -> Result<(), Refusal> {
    let Some(why) = events.iter().find_map(Event::undescribed) else { return Ok(()) };
    tracing::error!("the API reference does not describe a pushed event: {why}");
    Err((StatusCode::BAD_REQUEST, "The API reference does not describe this event"))
}

impl PushProvider {
    /// Returns the events of a request. Fails if the signature or an event is invalid.
    fn parse(&self, id: &str, resource: &str, query: &str, body: &[u8]) -> Result<Vec<Event>, Refusal> {
        if !matches!(resource, "events" | "batch_events") {
            return Err((StatusCode::NOT_FOUND, "Unknown resource"));
        }
        self.check_signed(id, resource, query, body)?;
        let events = match resource {
            "events" => serde_json::from_slice(body).map(|event| vec![event]),
            _ => serde_json::from_slice(body).map(|body: Batch| body.batch),
        };
        let events = events.map_err(|_| (StatusCode::BAD_REQUEST, "Invalid body"))?;
        if events.is_empty() || events.len() > EVENTS_MAX {
            return Err((StatusCode::BAD_REQUEST, "batch: must have 1 to 10 events"));
        }
        events.iter().try_for_each(Event::check)?;
        Ok(events)
    }

    fn check_signed(&self, id: &str, resource: &str, query: &str, body: &[u8]) -> Result<(), Refusal> {
        let path = format!("/apps/{id}/{resource}");
        let signed = id == self.id && self.is_signed(&path, query, body);
        signed.then_some(()).ok_or((StatusCode::UNAUTHORIZED, "Invalid signature"))
    }

    fn deliver(&self, event: &Event) {
        let channels = event.channels().cloned().collect();
        self.recorder.add_event(EventKind::Push, &event.name, channels, &event.text());
        for channel in event.channels() {
            self.broadcast(channel, &event.name, &event.data, event.socket_id.as_deref());
        }
    }

    /// Returns whether a request has a valid and recent signature by this app.
    fn is_signed(&self, path: &str, query: &str, body: &[u8]) -> bool {
        let query = SignedQuery::parse(query);
        let field = |name: &str| query.get(name).unwrap_or_default();
        let signature = self.mac(&format!("POST\n{path}\n{}", query.without("auth_signature")));
        let is_recent = field("auth_timestamp")
            .parse::<i64>()
            .is_ok_and(|time| self.clock.now().as_second().abs_diff(time) <= TIMESTAMP_TOLERANCE_SECONDS);
        let is_intact = field("body_md5") == hex::encode(Md5::digest(body));
        field("auth_key") == self.key && is_recent && is_intact && field("auth_signature") == signature
    }
}

impl Event {
    fn channels(&self) -> impl Iterator<Item = &String> {
        self.channels.iter().chain(&self.channel)
    }

    /// Returns the data as text. Data that is not text is formatted as JSON.
    fn text(&self) -> Cow<'_, str> {
        self.data.as_str().map_or_else(|| self.data.to_string().into(), Cow::from)
    }

    fn undescribed(&self) -> Option<String> {
        let data = self.data.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null);
        self.channels().find_map(|channel| asyncapi::undescribed(channel, &self.name, &data))
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.text().len() > DATA_MAX_BYTES {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, "data: must have at most 10 KB"));
        }
        if !(1..=CHANNELS_MAX).contains(&self.channels().count()) {
            return Err((StatusCode::BAD_REQUEST, "channels: must have 1 to 100 channels"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use anyhow::Result;

    use super::*;
    use crate::{
        clock::{Clock, Start},
        disk::Disk,
        recorder::Recorder,
        secrets::SecretStore,
    };

    const APP: &str = "app";

    #[test]
    fn a_batch_ignores_unknown_fields() -> Result<()> {
        let events = json!([
            { "name": "a", "channel": "one", "data": "{}", "info": "user_count" },
            { "name": "b", "channel": "two", "data": "{}" },
        ]);
        let events = parsed_events("batch_events", &json!({ "batch": events, "more": 1 }))?;
        let events = events.map_err(|(status, why)| anyhow::anyhow!("{status}: {why}"))?;
        let parsed: Vec<_> =
            events.iter().map(|event| (event.name.as_str(), event.channel.as_deref())).collect();
        assert_eq!(parsed, [("a", Some("one")), ("b", Some("two"))]);
        Ok(())
    }

    #[test]
    fn a_batch_has_one_to_ten_events() -> Result<()> {
        for (events, status) in [(0, Some(400)), (1, None), (10, None), (11, Some(400))] {
            assert_eq!(refused("batch_events", &batch(vec![event(2); events]))?, status, "{events}");
        }
        Ok(())
    }

    #[test]
    fn an_event_has_at_most_ten_kilobytes() -> Result<()> {
        for (bytes, status) in [(DATA_MAX_BYTES, None), (DATA_MAX_BYTES + 1, Some(413))] {
            assert_eq!(refused("events", &event(bytes))?, status, "{bytes}");
            assert_eq!(refused("batch_events", &batch(vec![event(2), event(bytes)]))?, status, "{bytes}");
        }
        Ok(())
    }

    #[test]
    fn an_event_has_one_to_a_hundred_channels() -> Result<()> {
        for (channels, status) in [(0, Some(400)), (1, None), (100, None), (101, Some(400))] {
            let event = json!({ "name": "a", "data": "{}", "channels": vec!["one"; channels] });
            assert_eq!(refused("events", &event)?, status, "{channels}");
        }
        Ok(())
    }

    #[test]
    fn events_missing_from_the_api_reference_are_refused() -> Result<()> {
        let notification = |data: Value| {
            let event =
                json!({ "name": "notification", "channel": "notifications", "data": data.to_string() });
            serde_json::from_value::<Event>(event)
        };
        let (known, unknown) = (json!({ "count": 1, "eventId": "e" }), json!({ "count": 1 }));
        assert!(check_described(&[notification(known.clone())?]).is_ok());
        let refusal = check_described(&[notification(known)?, notification(unknown)?]).err();
        assert_eq!(refusal.map(|refusal| refusal.0), Some(StatusCode::BAD_REQUEST));
        Ok(())
    }

    #[test]
    fn a_signature_for_a_different_resource_is_refused() -> Result<()> {
        let (provider, body) = (provider()?, batch(vec![event(2)]).to_string());
        let query = signed(&provider, "events", &body);
        let refused = provider.parse(APP, "batch_events", &query, body.as_bytes()).err();
        assert_eq!(refused.map(|refusal| refusal.0), Some(StatusCode::UNAUTHORIZED));
        Ok(())
    }

    fn event(bytes: usize) -> Value {
        json!({ "name": "a", "channel": "one", "data": "x".repeat(bytes) })
    }

    fn batch(events: Vec<Value>) -> Value {
        json!({ "batch": events })
    }

    fn refused(resource: &str, body: &Value) -> Result<Option<u16>> {
        Ok(parsed_events(resource, body)?.err().map(|refusal| refusal.0.as_u16()))
    }

    fn parsed_events(resource: &str, body: &Value) -> Result<Result<Vec<Event>, Refusal>> {
        let (provider, body) = (provider()?, body.to_string());
        let query = signed(&provider, resource, &body);
        Ok(provider.parse(APP, resource, &query, body.as_bytes()))
    }

    fn signed(provider: &PushProvider, resource: &str, body: &str) -> String {
        let (at, md5) = (provider.clock.now().as_second(), hex::encode(Md5::digest(body)));
        let query = format!("auth_key=key&auth_timestamp={at}&auth_version=1.0&body_md5={md5}");
        let signature = provider.mac(&format!("POST\n/apps/{APP}/{resource}\n{query}"));
        format!("{query}&auth_signature={signature}")
    }

    fn provider() -> Result<PushProvider> {
        let clock = Clock::new(Start::Now, Disk::default())?;
        let mut provider = PushProvider::new(
            &BTreeMap::new(),
            &SecretStore::new(Vec::new(), Disk::default())?,
            clock,
            Recorder::default(),
        );
        (provider.id, provider.key, provider.secret) =
            (APP.to_owned(), "key".to_owned(), "secret".to_owned());
        Ok(provider)
    }
}
