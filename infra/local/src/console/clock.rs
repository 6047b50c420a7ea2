//! Page that shows and moves the clock.

use std::time::Duration;

use axum::{Form, extract::State, response::Response};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    api::ADVANCE_MAX_SECONDS,
    layout::{self, CLOCK},
    page_request::{self, PageRequest},
};
use crate::{
    advance::Advance as ClockMover,
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

/// Number of seconds to move the clock forward.
#[derive(Deserialize)]
pub(super) struct Advance {
    seconds: f64,
}

pub(super) async fn show(State(clock): State<Clock>, request: PageRequest) -> Response {
    let now = clock.now();
    let (full, text) = (clock::show(now), now.strftime("%A, %Y-%m-%d %H:%M:%S"));
    let live = html! { p.now { time datetime=(full) { (text) } " UTC" } };
    request.show_live(&CLOCK, steps(), live)
}

fn steps() -> Markup {
    html! {
        p { "The clock only moves forward. Schedules and messages that fall due on the way are processed, so a long step \
             takes some seconds. Access tokens expire after 15 minutes of this clock." }
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
    State(mover): State<ClockMover>,
    State(recorder): State<Recorder>,
    form: Result<Form<Advance>, axum::extract::rejection::FormRejection>,
) -> Response {
    let seconds = form.map_or(f64::NAN, |form| form.0.seconds);
    if !(0.0..=ADVANCE_MAX_SECONDS).contains(&seconds) {
        let why = "seconds: must be a number between 0 and 316224000 (10 years)";
        return layout::failure(StatusCode::BAD_REQUEST, &CLOCK, why);
    }
    match mover.by(Duration::from_secs_f64(seconds)).await {
        Ok(()) => {
            let notice =
                format!("The clock moved by {seconds} seconds, to {}.", clock::show(mover.clock.now()));
            page_request::redirect(&recorder, CLOCK.path, notice)
        }
        Err(error) => layout::internal_error(&CLOCK, &error),
    }
}
