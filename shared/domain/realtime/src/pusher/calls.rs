//! Groups pushes into calls to the push provider.

use platform::{BusEvent, Error, Result};
use serde_json::{Value, json, to_value};

use crate::events::PushedEvent;

/// Maximum bytes of data that the provider accepts in an event.
const DATA_MAX_BYTES: usize = 10 * 1024;
/// Maximum number of events that the provider accepts in a call if each event is for one channel.
const EVENTS_MAX: usize = 10;
/// Maximum number of channels that the provider accepts in a call with one event.
const CHANNELS_MAX: usize = 100;

/// An event to push to clients on some channels.
#[derive(Clone, Debug)]
pub struct Push {
    channels: Vec<String>,
    name: &'static str,
    data: String,
}

/// A call to the push provider. A call contains up to 10 events, each for one channel, or one event for up to 100
/// channels.
pub(super) struct Call<'a>(Vec<Part<'a>>);

/// A push with some of its channels.
#[derive(Clone, Copy)]
struct Part<'a> {
    index: usize,
    push: &'a Push,
    channels: &'a [String],
}

/// Returns calls that contain the pushes. A push to more than 10 channels gets its own calls. All other pushes share
/// calls, which contain one event for each channel.
pub(super) fn calls(pushes: &[Push]) -> Vec<Call<'_>> {
    let (mut calls, mut shared) = (Vec::new(), Vec::new());
    for (index, push) in pushes.iter().enumerate() {
        let part = |channels| Part { index, push, channels };
        if push.channels.len() > EVENTS_MAX {
            calls.extend(push.channels.chunks(CHANNELS_MAX).map(|channels| Call(vec![part(channels)])));
        } else {
            shared.extend(push.channels.chunks(1).map(part));
        }
    }
    calls.extend(shared.chunks(EVENTS_MAX).map(|parts| Call(parts.to_vec())));
    calls
}

impl Push {
    /// Returns the push of a bus event. Adds the event's ID to the data.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the data is larger than 10 KB.
    pub fn of(event: &BusEvent, channels: Vec<String>, pushed: PushedEvent<'_>) -> Result<Self> {
        let mut data = to_value(pushed)?;
        if let Some(fields) = data.as_object_mut() {
            fields.insert("eventId".to_owned(), event.id().into());
        }
        Self::new(channels, pushed.name(), &data)
    }

    fn new(channels: Vec<String>, name: &'static str, data: &Value) -> Result<Self> {
        // The data is sent as a JSON string inside the JSON body.
        let data = data.to_string();
        if data.len() > DATA_MAX_BYTES {
            return Err(Error::invalid(
                "data",
                "must be at most 10 KB, which is the limit of the push provider",
            ));
        }
        Ok(Self { channels, name, data })
    }
}

impl Call<'_> {
    /// Returns whether the call has more than one event.
    pub(super) fn is_shared(&self) -> bool {
        self.0.len() > 1
    }

    pub(super) fn indexes(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|part| part.index)
    }

    /// Returns one call for each event of the call.
    pub(super) fn divided(self) -> impl Iterator<Item = Self> {
        self.0.into_iter().map(|part| Self(vec![part]))
    }

    /// Returns the provider's resource and the request body.
    pub(super) fn request(&self) -> (&'static str, Value) {
        match &*self.0 {
            [part] => ("events", part.event("channels", json!(part.channels))),
            parts => {
                let events = parts.iter().map(|part| part.event("channel", json!(part.channels.first())));
                ("batch_events", json!({ "batch": events.collect::<Vec<_>>() }))
            }
        }
    }
}

impl Part<'_> {
    fn event(&self, field: &str, channels: Value) -> Value {
        json!({ "name": self.push.name, field: channels, "data": self.push.data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_to_at_most_10_channels_share_calls() {
        for (channels, expected) in [
            (vec![1; 10], vec![10]),
            (vec![2, 1, 2, 1, 2, 1, 2, 1], vec![10, 2]),
            (vec![10, 10], vec![10, 10]),
            (vec![98, 1, 98, 1], vec![1, 1, 2]),
            (vec![11, 101, 1], vec![1, 1, 1, 1]),
            (vec![0], vec![]),
        ] {
            let pushes: Vec<_> = channels.iter().map(|count| push(*count)).collect();
            let sizes: Vec<_> = calls(&pushes).iter().map(|call| call.0.len()).collect();
            assert_eq!(sizes, expected, "{channels:?}");
        }
    }

    #[test]
    fn each_channel_of_each_push_is_in_one_call() {
        let pushes: Vec<_> = [3, 120, 10, 1].map(push).into();
        let calls = calls(&pushes);
        let parts = calls.iter().flat_map(|call| &call.0);
        let mut called: Vec<_> = parts
            .flat_map(|part| part.channels.iter().map(|channel| (part.index, channel.clone())))
            .collect();
        called.sort();
        let mut pushed: Vec<_> = pushes
            .iter()
            .enumerate()
            .flat_map(|(index, push)| push.channels.iter().map(move |channel| (index, channel.clone())))
            .collect();
        pushed.sort();
        assert_eq!(called, pushed);
    }

    #[test]
    fn data_of_more_than_10_kilobytes_is_rejected() {
        let push = |bytes: usize| Push::new(Vec::new(), "x", &json!("x".repeat(bytes - 2)));
        assert!(push(DATA_MAX_BYTES).is_ok());
        assert!(push(DATA_MAX_BYTES + 1).is_err_and(|error| error.is_permanent()));
    }

    fn push(channels: usize) -> Push {
        let channels = (0..channels).map(|channel| channel.to_string()).collect();
        Push { channels, name: "x", data: String::new() }
    }
}
