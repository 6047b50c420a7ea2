//! Divides pushes into calls of the push provider.

use platform::{Result, bus::BusEvent, error::Error};
use serde_json::{Value, json, to_value};

use crate::events::PushedEvent;

/// The most bytes of data that the provider accepts in one event.
const DATA_MAX_BYTES: usize = 10 * 1024;
/// The most events that the provider accepts in one call, each on one channel.
const EVENTS_MAX: usize = 10;
/// The most channels that the provider accepts in a call of one event.
const CHANNELS_MAX: usize = 100;

/// An event for the clients on some channels.
#[derive(Clone, Debug)]
pub struct Push {
    channels: Vec<String>,
    name: &'static str,
    data: String,
}

/// A call of the provider: up to 10 events on one channel each, or one event on up to 100.
pub(super) struct Call<'a>(Vec<Part<'a>>);

/// What a call takes of a push: some of its channels.
#[derive(Clone, Copy)]
struct Part<'a> {
    index: usize,
    push: &'a Push,
    channels: &'a [String],
}

/// Divides pushes into calls. A push to more channels than a call takes events has calls of its own, which name its
/// channels; all others share calls, with an event for each channel. That is the fewest calls, but for the last one.
pub(super) fn calls(pushes: &[Push]) -> Vec<Call<'_>> {
    let (mut calls, mut shared) = (Vec::new(), Vec::new());
    for (index, push) in pushes.iter().enumerate() {
        let part = |channels| Part { index, push, channels };
        if push.channels.len() > EVENTS_MAX {
            calls.extend(push.channels.chunks(CHANNELS_MAX).map(|it| Call(vec![part(it)])));
        } else {
            shared.extend(push.channels.chunks(1).map(part));
        }
    }
    calls.extend(shared.chunks(EVENTS_MAX).map(|it| Call(it.to_vec())));
    calls
}

impl Push {
    /// Returns what an event of the bus pushes. Its data has the event's id.
    ///
    /// # Errors
    /// Those of [`Push::new`].
    pub fn of(event: &BusEvent, channels: Vec<String>, pushed: PushedEvent<'_>) -> Result<Self> {
        let mut data = to_value(pushed)?;
        if let Some(fields) = data.as_object_mut() {
            fields.insert("eventId".to_owned(), event.id().into());
        }
        Self::new(channels, pushed.name(), &data)
    }

    /// Returns an event with its data.
    ///
    /// # Errors
    /// Invalid when the data is larger than the provider accepts.
    fn new(channels: Vec<String>, name: &'static str, data: &Value) -> Result<Self> {
        // The data travels as a string of JSON inside the JSON.
        let data = data.to_string();
        if data.len() > DATA_MAX_BYTES {
            return Err(Error::invalid("data", "is larger than the 10 KB that the push provider accepts"));
        }
        Ok(Self { channels, name, data })
    }
}

impl Call<'_> {
    /// Returns whether it has more than one event.
    pub(super) fn is_shared(&self) -> bool {
        self.0.len() > 1
    }

    /// Returns the indexes of the pushes in it.
    pub(super) fn indexes(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|it| it.index)
    }

    /// Returns a call for each of its events.
    pub(super) fn divided(self) -> impl Iterator<Item = Self> {
        self.0.into_iter().map(|it| Self(vec![it]))
    }

    /// Returns the provider's resource and the body for it.
    pub(super) fn request(&self) -> (&'static str, Value) {
        match &*self.0 {
            [it] => ("events", it.event("channels", json!(it.channels))),
            parts => {
                let events = parts.iter().map(|it| it.event("channel", json!(it.channels.first())));
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
    fn pushes_to_few_channels_share_calls_and_one_to_many_has_its_own() {
        for (channels, expected) in [
            (vec![1; 10], vec![10]),
            (vec![2, 1, 2, 1, 2, 1, 2, 1], vec![10, 2]),
            (vec![10, 10], vec![10, 10]),
            (vec![98, 1, 98, 1], vec![1, 1, 2]),
            (vec![11, 101, 1], vec![1, 1, 1, 1]),
            (vec![0], vec![]),
        ] {
            let pushes: Vec<_> = channels.iter().map(|it| push(*it)).collect();
            let sizes: Vec<_> = calls(&pushes).iter().map(|it| it.0.len()).collect();
            assert_eq!(sizes, expected, "{channels:?}");
        }
    }

    #[test]
    fn each_channel_of_each_push_is_in_one_call() {
        let pushes: Vec<_> = [3, 120, 10, 1].map(push).into();
        let calls = calls(&pushes);
        let parts = calls.iter().flat_map(|it| &it.0);
        let mut there: Vec<_> =
            parts.flat_map(|it| it.channels.iter().map(|channel| (it.index, channel.clone()))).collect();
        there.sort();
        let mut all: Vec<_> = pushes
            .iter()
            .enumerate()
            .flat_map(|(index, it)| it.channels.iter().map(move |channel| (index, channel.clone())))
            .collect();
        all.sort();
        assert_eq!(there, all);
    }

    #[test]
    fn data_of_ten_kilobytes_is_pushed_and_not_a_byte_more() {
        let of = |bytes: usize| Push::new(Vec::new(), "x", &json!("x".repeat(bytes - 2)));
        assert!(of(DATA_MAX_BYTES).is_ok());
        assert!(of(DATA_MAX_BYTES + 1).is_err_and(|it| it.is_permanent()));
    }

    fn push(channels: usize) -> Push {
        let channels = (0..channels).map(|it| it.to_string()).collect();
        Push { channels, name: "x", data: String::new() }
    }
}
