//! Publishes domain events to EventBridge, and parses the events that a rule delivers.

use aws_sdk_eventbridge::{Client, types::PutEventsRequestEntry};
use futures::future::join_all;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    Error, Result,
    refused::{Cause, Refused, call_error},
    settings::{Setting, required},
};

/// The `source` of every event.
pub const SOURCE: &str = "social";
/// Name of the field in `detail` that contains the event's ID.
const EVENT_ID: &str = "eventId";
const CALL_MAX_EVENTS: usize = 10;

/// The bus of domain events.
#[derive(Clone)]
pub struct Bus {
    client: Client,
    bus: Setting<Option<String>>,
}

/// A domain event. [`Event::NAME`] becomes the `detail-type`, and the fields become the `detail`.
pub trait Event: Serialize {
    /// The `detail-type`, which EventBridge rules match.
    const NAME: &'static str;
}

/// An event as an EventBridge rule delivers it to a queue.
#[derive(Clone, Debug, Deserialize)]
pub struct BusEvent {
    /// ID that EventBridge assigned to this publication.
    #[serde(default)]
    id: String,
    #[serde(rename = "detail-type")]
    name: String,
    detail: Value,
}

impl BusEvent {
    /// Returns the `detail-type`, which is the [`Event::NAME`] of the event.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the event's ID, which stays the same if the event is published again.
    pub fn id(&self) -> &str {
        self.detail.get(EVENT_ID).and_then(Value::as_str).unwrap_or(&self.id)
    }

    /// Parses `detail` as an event of type `E`.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if `detail` lacks a field of `E`, or if a field is invalid.
    pub fn detail<E: Event + DeserializeOwned>(&self) -> Result<E> {
        E::deserialize(&self.detail)
            .map_err(|_| Error::invalid("detail", &format!("is not a valid {}", E::NAME)))
    }

    /// Returns the error for an event that the worker does not handle.
    pub fn unexpected(&self) -> Error {
        Error::invalid("detail-type", &format!("{} is not handled by this worker", self.name))
    }
}

/// Declares events: structs whose name is the `detail-type` and whose fields are the `detail`.
#[macro_export]
macro_rules! bus_events {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_doc])* pub $field: $kind,)* }

        impl $crate::bus::Event for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

pub(crate) struct Publication {
    name: String,
    detail: String,
}

impl Publication {
    /// Adds `id` to the detail, because EventBridge assigns a new ID to each publication.
    pub(crate) fn new(name: &str, mut detail: Value, id: String) -> Self {
        if let Some(fields) = detail.as_object_mut() {
            fields.insert(EVENT_ID.to_owned(), id.into());
        }
        Self { name: name.to_owned(), detail: detail.to_string() }
    }

    fn entry(&self, bus: &str) -> PutEventsRequestEntry {
        let entry = PutEventsRequestEntry::builder().event_bus_name(bus).source(SOURCE);
        entry.detail_type(&self.name).detail(&self.detail).build()
    }
}

impl Bus {
    /// Creates a publisher for the bus with this name.
    pub fn new(client: Client, bus: Setting<Option<String>>) -> Self {
        Self { client, bus }
    }

    /// Publishes events. Returns the events that the bus refused, and logs the causes.
    pub(crate) async fn publish_all(&self, events: &[Publication]) -> Vec<Refused> {
        let calls = events.chunks(CALL_MAX_EVENTS).enumerate().map(async |(chunk, events)| {
            let refused = self.publish_call(events).await.into_iter();
            let position = |event: &Refused| chunk * CALL_MAX_EVENTS + event.position;
            refused.map(|event| Refused { position: position(&event), ..event }).collect::<Vec<_>>()
        });
        join_all(calls).await.concat()
    }

    async fn publish_call(&self, events: &[Publication]) -> Vec<Refused> {
        self.try_publish_call(events).await.unwrap_or_else(|error| {
            tracing::error!(events = events.len(), "failed to publish events: {error:?}");
            let cause = Cause::of_error(&error);
            (0..events.len()).map(|position| Refused { position, cause }).collect()
        })
    }

    /// Publishes up to 10 events. Returns the refused events, which `PutEvents` reports with status 200.
    async fn try_publish_call(&self, events: &[Publication]) -> Result<Vec<Refused>> {
        let bus = required(&self.bus, "EVENT_BUS_NAME")?;
        let entries = events.iter().map(|event| event.entry(bus)).collect();
        let response =
            Box::pin(self.client.put_events().set_entries(Some(entries)).send()).await.map_err(call_error)?;
        let refused = response.entries().iter().enumerate().filter_map(|(position, entry)| {
            let code = entry.error_code()?;
            tracing::error!(code, "failed to publish an event");
            Some(Refused { position, cause: Cause::of_code(code) })
        });
        Ok(refused.collect())
    }
}
