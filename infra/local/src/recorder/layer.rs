//! How the recorder hears what is logged: lines of functions become theirs, with what they say a call cost.

use std::fmt::{Debug, Write};

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    layer::{Context, Filter, Layer},
    registry::LookupSpan,
};

use super::{
    Line, Recorder, cut,
    invocation::{Running, Units},
};

/// What is heard of whom; of all others warnings. The table warns of every refused condition, which are answers here.
const HEARD: [(&str, LevelFilter); 6] = [
    ("domain", LevelFilter::INFO),
    ("dynoxide", LevelFilter::ERROR),
    ("local", LevelFilter::INFO),
    ("platform", LevelFilter::INFO),
    ("relay", LevelFilter::INFO),
    ("runtime", LevelFilter::INFO),
];

/// Gives each line to the recorder of the call that writes it; those of nobody's call to its own.
pub(super) struct Listener(Recorder);

/// What a line says.
#[derive(Default)]
struct Said {
    message: String,
    fields: Vec<(&'static str, String)>,
    read: Option<f64>,
    write: Option<f64>,
}

impl Listener {
    pub(super) fn of<S: Subscriber + for<'a> LookupSpan<'a>>(recorder: Recorder) -> impl Layer<S> {
        Self(recorder).with_filter(heard::<S>())
    }
}

fn heard<S>() -> impl Filter<S> {
    Targets::new().with_default(LevelFilter::WARN).with_targets(HEARD)
}

impl<S: Subscriber> Layer<S> for Listener {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut said = Said::default();
        event.record(&mut said);
        let level = *event.metadata().level();
        match Running::current() {
            Some(running) => {
                if let (Some(read), Some(write)) = (said.read, said.write) {
                    running.consumed(Units { read, write });
                }
                let (function, id) = (running.function.to_string(), running.id.clone());
                said.keep(&running.recorder, level, Some((function, id)));
            }
            None => said.keep(&self.0, level, None),
        }
    }
}

impl Said {
    fn keep(self, recorder: &Recorder, level: Level, of: Option<(String, String)>) {
        let at = recorder.0.clock.get().map(crate::clock::Clock::now);
        let (function, id) = of.unzip();
        let message = cut(&self.message);
        recorder.memory().lines.push(Line { at, level, function, id, message, fields: self.fields });
    }

    fn say(&mut self, field: &Field, value: String) {
        match field.name() {
            "message" => self.message = value,
            name => self.fields.push((name, cut(&value))),
        }
    }
}

impl Visit for Said {
    fn record_f64(&mut self, field: &Field, value: f64) {
        match field.name() {
            "readUnits" => self.read = Some(value),
            "writeUnits" => self.write = Some(value),
            _ => {}
        }
        self.say(field, value.to_string());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.say(field, value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        let _ = write!(text, "{value:?}");
        self.say(field, text);
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn a_line_is_that_of_the_call_that_writes_it() {
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
        let line = &called.memory().lines.newest()[0].thing;
        assert_eq!((line.message.as_str(), line.id.as_deref()), ("answered", Some("r1")));
        assert!(line.fields.contains(&("route", "/posts".to_owned())));
        assert_eq!(running.units().map(|it| (it.read, it.write)), Some((1.5, 2.0)));
        let outside: Vec<_> = own.memory().lines.newest().iter().map(|it| it.thing.message.clone()).collect();
        assert_eq!(outside, ["outside"]);
    }
}
