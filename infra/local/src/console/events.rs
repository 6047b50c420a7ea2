//! Events as they go out.

use axum::{
    extract::{Query, State},
    response::Response,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    layout::{self, EVENTS},
    look::Look,
};
use crate::recorder::{Event, EventKind, Numbered, Recorder};

const SHOWN_MAX: usize = 100;

/// Which events to show.
#[derive(Deserialize)]
pub(super) struct Filter {
    #[serde(default)]
    kind: String,
}

pub(super) async fn show(
    State(recorder): State<Recorder>,
    Query(filter): Query<Filter>,
    look: Look,
) -> Response {
    let all = recorder.memory().events.newest();
    let shown: Vec<_> = all.iter().filter(|it| filter.wants(&it.thing)).take(SHOWN_MAX).collect();
    let moving = match shown.is_empty() {
        true => layout::empty("No events yet: a message, a notification or a circle in need sends one."),
        false => html! {
            @for it in &shown { (card(it)) }
            p.limits {
                "The newest " (SHOWN_MAX) " of the last 500. Web pushes and webhooks go straight to strangers: the lines of "
                "realtime and outbound tell of them."
            }
        },
    };
    look.live(&EVENTS, filter.form(), moving)
}

fn card(Numbered { number, thing: event }: &Numbered<Event>) -> Markup {
    let (kind, to) = match event.kind {
        EventKind::Bus => ("bus", "to the queues"),
        EventKind::Push => ("push", "on"),
    };
    html! {
        details.card id={ "event-" (number) } {
            summary { (layout::moment(event.at)) " " span.badge.plain { (kind) } " " strong { (event.name) } " "
                span.small { @if event.to.is_empty() { "to nobody" } @else { (to) " " (event.to.join(", ")) } } }
            (layout::json(&event.data))
        }
    }
}

impl Filter {
    fn wants(&self, event: &Event) -> bool {
        match self.kind.as_str() {
            "bus" => event.kind == EventKind::Bus,
            "push" => event.kind == EventKind::Push,
            _ => true,
        }
    }

    fn form(&self) -> Markup {
        html! {
            form.filter method="get" {
                label { "Which" select name="kind" {
                    @for (value, name) in [("", "all"), ("bus", "of the bus"), ("push", "pushes to clients")] {
                        option value=(value) selected[self.kind == value] { (name) }
                    }
                } }
                button type="submit" { "Filter" }
            }
        }
    }
}
