//! The bus: publishes domain events, and reads them as a rule delivers them.

use anyhow::anyhow;
use aws_sdk_eventbridge::{Client, types::PutEventsRequestEntry};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    error::{Error, Result},
    settings::{Setting, required},
};

/// The `source` of every event.
pub const SOURCE: &str = "social";

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
    #[serde(rename = "detail-type")]
    name: String,
    detail: Value,
}

impl BusEvent {
    /// Returns the `detail-type`: an event's [`Event::NAME`].
    pub fn name(&self) -> &str {
        &self.name
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
        #[derive(Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_doc])* pub $field: $kind,)* }

        impl $crate::bus::Event for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

impl Bus {
    /// Makes the bus that has this name.
    pub fn new(client: Client, bus: Setting<Option<String>>) -> Self {
        Self { client, bus }
    }

    /// Publishes one event. Costs 1 call.
    ///
    /// # Errors
    /// Fails when the bus refused the event: PutEvents answers 200 and says so for each entry.
    pub async fn publish<E: Event>(&self, event: &E) -> Result<()> {
        let bus = required(&self.bus, "EVENT_BUS_NAME")?;
        let entry = PutEventsRequestEntry::builder().event_bus_name(bus).source(SOURCE);
        let entry = entry.detail_type(E::NAME).detail(serde_json::to_string(event)?).build();
        let answer = self.client.put_events().entries(entry).send().await.map_err(Error::internal)?;
        match answer.failed_entry_count {
            0 => Ok(()),
            _ => Err(Error::internal(anyhow!("the bus refused {}", E::NAME))),
        }
    }
}
