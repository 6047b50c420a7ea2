//! The clock, and steps to move it by.

use std::time::Duration;

use axum::{Form, extract::State, response::Response};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    api::ADVANCE_MAX_SECONDS,
    layout::{self, CLOCK},
    look::{self, Look},
};
use crate::{
    advance::Advance as Clockwork,
    clock::{self, Clock},
    recorder::Recorder,
};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const STEPS: [(&str, u64); 6] = [
    ("1 minute", MINUTE),
    ("10 minutes", 10 * MINUTE),
    ("1 hour", HOUR),
    ("6 hours", 6 * HOUR),
    ("1 day", DAY),
    ("1 week", 7 * DAY),
];

/// By how much to move it.
#[derive(Deserialize)]
pub(super) struct Advance {
    seconds: f64,
}

pub(super) async fn show(State(clock): State<Clock>, look: Look) -> Response {
    let now = clock.now();
    let (whole, shown) = (clock::show(now), now.strftime("%A, %Y-%m-%d %H:%M:%S"));
    let moving = html! { p.now { time datetime=(whole) { (shown) } " UTC" } };
    look.live(&CLOCK, steps(), moving)
}

fn steps() -> Markup {
    html! {
        p { "The clock only goes forward. Schedules and messages that fall due on the way are done as they would be, \
             which takes some seconds for a long way. Access tokens live for 15 minutes of this time." }
        form.steps method="post" action=(CLOCK.path) {
            @for (name, seconds) in STEPS {
                button type="submit" name="seconds" value=(seconds) data-wait { "+ " (name) }
            }
        }
        form.filter method="post" action=(CLOCK.path) {
            label {
                "Seconds"
                input type="number" name="seconds" min="0" max=(ADVANCE_MAX_SECONDS) step="any" value="3600" required;
            }
            button type="submit" data-wait { "Move the clock" }
        }
    }
}

pub(super) async fn advance(
    State(clockwork): State<Clockwork>,
    State(recorder): State<Recorder>,
    form: Result<Form<Advance>, axum::extract::rejection::FormRejection>,
) -> Response {
    let seconds = form.map_or(f64::NAN, |it| it.0.seconds);
    if !(0.0..=ADVANCE_MAX_SECONDS).contains(&seconds) {
        let why = "The step must be a number of seconds from 0 to ten years.";
        return layout::failure(StatusCode::BAD_REQUEST, &CLOCK, why);
    }
    match clockwork.by(Duration::from_secs_f64(seconds)).await {
        Ok(()) => {
            let notice =
                format!("The clock moved by {seconds} seconds, to {}.", clock::show(clockwork.clock.now()));
            look::done(&recorder, CLOCK.path, notice)
        }
        Err(error) => layout::failure(StatusCode::INTERNAL_SERVER_ERROR, &CLOCK, &format!("{error:#}")),
    }
}
