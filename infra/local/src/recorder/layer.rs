//! Records log lines, and assigns each line to the function call that logged it.

use std::fmt::Debug;

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    layer::{Context, Layer},
    registry::LookupSpan,
};

use super::{
    Line, Recorder,
    invocation::{RunningCall, Units},
    truncate,
};

/// Recorded log levels by crate, or `WARN` for other crates. The table warns about each failed condition, so only its
/// errors are recorded.
const LEVELS: [(&str, LevelFilter); 6] = [
    ("domain", LevelFilter::INFO),
    ("dynoxide", LevelFilter::ERROR),
    ("local", LevelFilter::INFO),
    ("platform", LevelFilter::INFO),
    ("relay", LevelFilter::INFO),
    ("runtime", LevelFilter::INFO),
];

/// Sends log lines of a function call to the call's recorder. Other log lines go to this layer's recorder.
pub(super) struct LogLayer(Recorder);

#[derive(Default)]
struct LineFields {
    message: String,
    fields: Vec<(&'static str, String)>,
    read: Option<f64>,
    write: Option<f64>,
}

impl LogLayer {
    pub(super) fn of<S: Subscriber + for<'a> LookupSpan<'a>>(recorder: Recorder) -> impl Layer<S> {
        let levels = Targets::new().with_default(LevelFilter::WARN).with_targets(LEVELS);
        Layer::<S>::with_filter(Self(recorder), levels)
    }
}

impl<S: Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = LineFields::default();
        event.record(&mut fields);
        let level = *event.metadata().level();
        match RunningCall::current() {
            Some(running) => {
                if let (Some(read), Some(write)) = (fields.read, fields.write) {
                    running.set_units(Units { read, write });
                }
                let (function, id) = (running.function.to_string(), running.id.clone());
                fields.record(&running.recorder, level, Some((function, id)));
            }
            None => fields.record(&self.0, level, None),
        }
    }
}

impl LineFields {
    fn record(self, recorder: &Recorder, level: Level, call: Option<(String, String)>) {
        let at = recorder.0.clock.get().map(crate::clock::Clock::now);
        let (function, id) = call.unzip();
        let message = truncate(&self.message);
        recorder.memory().lines.push(Line { at, level, function, id, message, fields: self.fields });
    }

    fn add(&mut self, field: &Field, value: String) {
        match field.name() {
            "message" => self.message = value,
            name => self.fields.push((name, truncate(&value))),
        }
    }
}

impl Visit for LineFields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        match field.name() {
            "readUnits" => self.read = Some(value),
            "writeUnits" => self.write = Some(value),
            _ => {}
        }
        self.add(field, value.to_string());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn a_log_line_belongs_to_the_call_that_logged_it() {
        let (own, called) = (Recorder::default(), Recorder::default());
        let running = called.watch("posts").begin("r1".to_owned());
        let subscriber = tracing_subscriber::registry().with(own.layer());
        tracing::subscriber::with_default(subscriber, || {
            let work =
                async { tracing::info!(readUnits = 1.5, writeUnits = 2.0, route = "/posts", "answered") };
            futures::executor::block_on(std::sync::Arc::clone(&running).scope(work));
            tracing::warn!("outside");
            tracing::debug!("too much");
        });
        let line = &called.memory().lines.newest()[0].item;
        assert_eq!((line.message.as_str(), line.id.as_deref()), ("answered", Some("r1")));
        assert!(line.fields.contains(&("route", "/posts".to_owned())));
        assert_eq!(running.units().map(|units| (units.read, units.write)), Some((1.5, 2.0)));
        let outside: Vec<_> =
            own.memory().lines.newest().iter().map(|line| line.item.message.clone()).collect();
        assert_eq!(outside, ["outside"]);
    }
}
