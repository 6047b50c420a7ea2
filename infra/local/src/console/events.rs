//! Page of events and pushes.

use axum::{
    extract::{Query, State},
    response::Response,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    layout::{self, EVENTS},
    page_request::PageRequest,
};
use crate::recorder::{Event, EventKind, Numbered, Recorder};

const SHOWN_MAX: usize = 100;

/// Filter by kind. An empty filter shows all kinds.
#[derive(Deserialize)]
pub(super) struct Filter {
    #[serde(default)]
    kind: String,
}

pub(super) async fn show(
    State(recorder): State<Recorder>,
    Query(filter): Query<Filter>,
    request: PageRequest,
) -> Response {
    let all = recorder.memory().events.newest();
    let shown: Vec<_> = all.iter().filter(|event| filter.matches(&event.item)).take(SHOWN_MAX).collect();
    let live = match shown.is_empty() {
        true => layout::empty("No events yet. For example, a message or a notification causes an event."),
        false => html! {
            @for event in &shown { (card(event)) }
            p.limits {
                "The newest " (SHOWN_MAX) " of the last 500 events. Web pushes and webhooks are not listed. See the logs of "
                "realtime-push and outbound."
            }
        },
    };
    request.show_live(&EVENTS, filter.form(), live)
}

fn card(Numbered { number, item: event }: &Numbered<Event>) -> Markup {
    let (kind, to) = match event.kind {
        EventKind::Bus => ("bus", "to queues"),
        EventKind::Push => ("push", "on"),
    };
    html! {
        details.card id={ "event-" (number) } {
            summary { (layout::moment(event.at)) " " span.badge.plain { (kind) } " " strong { (event.name) } " "
                span.small { @if event.to.is_empty() { "no recipients" } @else { (to) " " (event.to.join(", ")) } } }
            (layout::json(&event.data))
        }
    }
}

impl Filter {
    fn matches(&self, event: &Event) -> bool {
        match self.kind.as_str() {
            "bus" => event.kind == EventKind::Bus,
            "push" => event.kind == EventKind::Push,
            _ => true,
        }
    }

    fn form(&self) -> Markup {
        let kinds = [("", "all"), ("bus", "bus"), ("push", "pushes to clients")];
        layout::filter(layout::choice("Kind", "kind", &self.kind, kinds), "Filter")
    }
}
