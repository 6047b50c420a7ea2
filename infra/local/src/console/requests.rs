//! Page of requests, newest first.

use std::time::Duration;

use axum::{
    extract::{Query, State},
    response::Response,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    layout::{self, FUNCTIONS, LOGS, REQUESTS},
    page_request::{PageRequest, address},
};
use crate::recorder::{Numbered, Recorder, Request, RunningCall};

const SHOWN_MAX: usize = 200;
const HEADS: &[(&str, &str)] = &[
    ("Time", ""),
    ("Request", ""),
    ("Status", ""),
    ("ms", "number"),
    ("Calls", "number"),
    ("Read", "number"),
    ("Written", "number"),
    ("Function", "wide"),
    ("Log", ""),
];

#[derive(Deserialize)]
pub(super) struct Filter {
    #[serde(default)]
    q: String,
    #[serde(default)]
    failed: Option<String>,
}

pub(super) async fn show(
    State(recorder): State<Recorder>,
    Query(filter): Query<Filter>,
    page: PageRequest,
) -> Response {
    let all = recorder.memory().requests.newest();
    let shown: Vec<_> = all.iter().filter(|request| filter.matches(&request.item)).take(SHOWN_MAX).collect();
    page.show_live(&REQUESTS, filter.form(), list(&shown, all.len()))
}

fn list(shown: &[&Numbered<Request>], kept: usize) -> Markup {
    match (shown.is_empty(), kept) {
        (true, 0) => layout::empty("No requests yet. Try the first request that make dev prints."),
        (true, _) => layout::empty("No matching requests among the last 500."),
        _ => html! {
            (layout::list("Requests", HEADS, html! { @for request in shown { (row(request)) } }))
            p.limits { "The newest " (SHOWN_MAX) " of the last 500 requests. Read and written are units of the table. Bodies, headers and queries are not recorded." }
        },
    }
}

fn row(Numbered { item: request, .. }: &Numbered<Request>) -> Markup {
    let (invocation, method) = (request.invocation.as_deref(), request.method.as_str());
    html! {
        tr {
            td { (layout::moment(request.at)) }
            td.path { strong { (method) } " " (request.path) }
            td { (layout::status(request.status.as_u16())) }
            (cost(request.took, invocation))
            td.wide {
                @if let Some(invocation) = invocation {
                    a href={ (FUNCTIONS.path) "/" (invocation.function) } { (invocation.function) }
                } @else { "none" }
            }
            td {
                @if let Some(invocation) = invocation {
                    @let name = format!("Log of {method} {}", request.path);
                    a href=(address(LOGS.path, [("id", invocation.id.as_str())])) aria-label=(name) { "log" }
                }
            }
        }
    }
}

/// Renders a request's table cells: its duration, its number of DynamoDB calls, and the consumed capacity units.
pub(super) fn cost(took: Duration, call: Option<&RunningCall>) -> Markup {
    let units = call.and_then(RunningCall::units);
    html! {
        td.number data-label="ms" { (layout::millis(took)) }
        td.number data-label="calls" { (or_dash(call.map(RunningCall::calls))) }
        td.number data-label="read" { (or_dash(units.map(|units| units.read))) }
        td.number data-label="written" { (or_dash(units.map(|units| units.write))) }
    }
}

/// Formats a number, or a dash if it is unknown.
fn or_dash(number: Option<impl std::fmt::Display>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| number.to_string())
}

impl Filter {
    fn matches(&self, request: &Request) -> bool {
        let failed = self.failed.is_none() || request.status.as_u16() >= 400;
        let line = format!("{} {}", request.method, request.path).to_lowercase();
        failed && line.contains(&self.q.trim().to_lowercase())
    }

    fn form(&self) -> Markup {
        let fields = html! {
            label { "Method or path" input type="search" name="q" value=(self.q) maxlength="200"; }
            label.check {
                input type="checkbox" name="failed" value="yes" checked[self.failed.is_some()];
                "Only errors"
            }
        };
        layout::filter(fields, "Filter")
    }
}
