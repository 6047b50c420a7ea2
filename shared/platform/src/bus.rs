//! The bus: publishes domain events, and reads them as a rule delivers them.

use aws_sdk_eventbridge::{Client, types::PutEventsRequestEntry};
use futures::future::join_all;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    error::{Error, Result},
    settings::{Setting, required},
};

/// The `source` of every event.
pub const SOURCE: &str = "social";
/// The field of the `detail` that holds the event's id.
const EVENT_ID: &str = "eventId";
/// The most events of one call.
const TOGETHER_MAX: usize = 10;

/// The bus of domain events.
#[derive(Clone)]
pub struct Bus {
    client: Client,
    bus: Setting<Option<String>>,
}

/// A domain event. Its name is the `detail-type`, which rules match; its fields are the `detail`.
pub trait Event: Serialize {
    /// The `detail-type`.
    const NAME: &'static str;
}

/// An event as a rule of the bus delivers it to a queue.
#[derive(Clone, Debug, Deserialize)]
pub struct BusEvent {
    /// The id that EventBridge gave to this publication.
    #[serde(default)]
    id: String,
    #[serde(rename = "detail-type")]
    name: String,
    detail: Value,
}

impl BusEvent {
    /// Returns the `detail-type`: an event's [`Event::NAME`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the event's id: the same each time that it is published.
    pub fn id(&self) -> &str {
        self.detail.get(EVENT_ID).and_then(Value::as_str).unwrap_or(&self.id)
    }

    /// Returns the event itself.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the fields are not those of such an event.
    pub fn detail<E: Event + DeserializeOwned>(&self) -> Result<E> {
        E::deserialize(&self.detail).map_err(|_| Error::invalid("detail", &format!("is no {}", E::NAME)))
    }

    /// Returns the error of a worker that has no work for such an event.
    pub fn unexpected(&self) -> Error {
        Error::invalid("detail-type", &format!("nobody expects {} here", self.name))
    }
}

/// Declares events: structs whose name is the `detail-type` and whose fields are the `detail`.
#[macro_export]
macro_rules! bus_events {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize, ::utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_doc])* pub $field: $kind,)* }

        impl $crate::bus::Event for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

/// An event of an outbox.
pub(crate) struct Publication {
    name: String,
    detail: String,
}

impl Publication {
    /// Puts the event's id into its detail, from where it comes back: EventBridge's own id differs each time that the
    /// same event is published.
    pub(crate) fn new(name: &str, detail: &Value, id: String) -> Self {
        let mut detail = detail.clone();
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
    /// Makes the bus that has this name.
    pub fn new(client: Client, bus: Setting<Option<String>>) -> Self {
        Self { client, bus }
    }

    /// Publishes events, and returns the positions of those that the bus did not accept; the cause is in the log.
    pub(crate) async fn publish_all(&self, events: &[Publication]) -> Vec<usize> {
        let calls = events.chunks(TOGETHER_MAX).enumerate().map(async |(chunk, events)| {
            let refused = self.publish_together(events).await;
            refused.into_iter().map(|it| chunk * TOGETHER_MAX + it).collect::<Vec<_>>()
        });
        join_all(calls).await.concat()
    }

    async fn publish_together(&self, events: &[Publication]) -> Vec<usize> {
        match self.try_publish_together(events).await {
            Ok(refused) => refused,
            Err(error) => {
                tracing::error!(events = events.len(), "events were not published: {error:?}");
                (0..events.len()).collect()
            }
        }
    }

    /// PutEvents answers 200 when it refuses, and says so for each entry.
    async fn try_publish_together(&self, events: &[Publication]) -> Result<Vec<usize>> {
        let bus = required(&self.bus, "EVENT_BUS_NAME")?;
        let entries = events.iter().map(|it| it.entry(bus)).collect();
        let answer = Box::pin(self.client.put_events().set_entries(Some(entries)).send())
            .await
            .map_err(Error::internal)?;
        let refused = answer.entries().iter().enumerate().filter(|(_, it)| it.error_code().is_some());
        Ok(refused
            .map(|(position, it)| {
                tracing::error!(code = it.error_code(), "an event was not accepted");
                position
            })
            .collect())
    }
}
