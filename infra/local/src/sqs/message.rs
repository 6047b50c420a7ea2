//! Messages: new, stored and received.

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Refusal;

/// Maximum total size of bodies and attributes, of one message or of a batch.
pub(super) const SIZE_MAX_BYTES: usize = 1024 * 1024;

pub(crate) struct NewMessage {
    pub(crate) body: String,
    pub(crate) attributes: BTreeMap<String, Json>,
    pub(crate) delay: Option<Duration>,
}

#[derive(Clone, Deserialize, Serialize)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) body: String,
    pub(crate) attributes: BTreeMap<String, Json>,
    pub(crate) sent: Timestamp,
    pub(crate) first_received: Option<Timestamp>,
    pub(crate) receives: u64,
    pub(crate) visible_at: Timestamp,
    pub(crate) in_flight: bool,
}

/// A received message, which is in flight.
#[derive(Clone)]
pub(crate) struct Received {
    pub(crate) receipt: String,
    pub(crate) message: Message,
}

impl NewMessage {
    pub(crate) fn new(body: String) -> Self {
        Self { body, attributes: BTreeMap::new(), delay: None }
    }

    /// Fails if the body is empty or the message is too large.
    pub(super) fn check_size(&self) -> Result<(), Refusal> {
        if self.body.is_empty() {
            return Err(Refusal::value("The request must contain the parameter MessageBody."));
        }
        if self.size() > SIZE_MAX_BYTES {
            return Err(Refusal::value(
                "One or more parameters are invalid. Message must be shorter than 1048576 bytes.",
            ));
        }
        Ok(())
    }

    fn size(&self) -> usize {
        let attribute = |(name, value): (&String, &Json)| {
            let field = |key| value.get(key).and_then(Json::as_str).map_or(0, str::len);
            name.len() + field("DataType") + field("StringValue") + field("BinaryValue")
        };
        self.body.len() + self.attributes.iter().map(attribute).sum::<usize>()
    }
}
