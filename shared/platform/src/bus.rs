//! What happened, told to whoever listens on the bus.

use anyhow::anyhow;
use aws_sdk_eventbridge::{Client, types::PutEventsRequestEntry};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    error::{Error, Result},
    settings::{Setting, required},
};

/// The `source` of every event of this service.
pub const SOURCE: &str = "social";

/// The bus, through the AWS SDK.
#[derive(Clone)]
pub struct Events {
    client: Client,
    bus: Setting<Option<String>>,
}

/// Something that happened. Its name is the event's `detail-type`, what rules match on; its
/// fields are the `detail`.
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
    /// Internal, when its fields are not those of such an event.
    pub fn detail<E: Event + DeserializeOwned>(&self) -> Result<E> {
        Ok(E::deserialize(&self.detail)?)
    }

    /// Returns the error of a worker that has no work for such an event.
    pub fn unexpected(&self) -> Error {
        Error::internal(anyhow!("nobody expects the event {} here", self.name))
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

impl Events {
    /// Speaks to the bus named `bus` through `client`.
    pub fn new(client: Client, bus: Setting<Option<String>>) -> Self {
        Self { client, bus }
    }

    /// Puts one event on the bus. 1 call.
    ///
    /// # Errors
    /// Internal, when the bus did not take it: PutEvents answers 200 and says so per entry.
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
