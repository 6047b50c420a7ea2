//! Requests as they pass.

use axum::{
    extract::{Query, State},
    response::Response,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    layout::{self, FUNCTIONS, LOGS, REQUESTS},
    look::{Look, address},
};
use crate::recorder::{Numbered, Recorder, Request};

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

/// Which requests to show.
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
    look: Look,
) -> Response {
    let all = recorder.memory().requests.newest();
    let shown: Vec<_> = all.iter().filter(|it| filter.wants(&it.thing)).take(SHOWN_MAX).collect();
    look.live(&REQUESTS, filter.form(), list(&shown, all.len()))
}

fn list(shown: &[&Numbered<Request>], kept: usize) -> Markup {
    match (shown.is_empty(), kept) {
        (true, 0) => layout::empty("No requests yet. The terminal of make dev shows a first one to copy."),
        (true, _) => layout::empty("None of the last requests is like that."),
        _ => html! {
            (layout::list("Requests", HEADS, html! { @for it in shown { (row(it)) } }))
            p.limits { "The newest " (SHOWN_MAX) " of the last 500. Read and written are units of the table. Bodies, headers and queries are not kept." }
        },
    }
}

fn row(Numbered { thing: request, .. }: &Numbered<Request>) -> Markup {
    let (invocation, method) = (request.invocation.as_ref(), request.method.as_str());
    let units = invocation.and_then(|it| it.units());
    html! {
        tr {
            td { (layout::moment(request.at)) }
            td.path { strong { (method) } " " (request.path) }
            td { (layout::status(request.status.as_u16())) }
            td.number data-label="ms" { (layout::millis(request.took)) }
            td.number data-label="calls" { (or_dash(invocation.map(|it| it.calls()))) }
            td.number data-label="read" { (or_dash(units.map(|it| it.read))) }
            td.number data-label="written" { (or_dash(units.map(|it| it.write))) }
            td.wide {
                @if let Some(it) = invocation {
                    a href={ (FUNCTIONS.path) "/" (it.function) } { (it.function) }
                } @else { "none" }
            }
            td {
                @if let Some(it) = invocation {
                    @let name = format!("Log of {method} {}", request.path);
                    a href=(address(LOGS.path, [("id", it.id.as_str())])) aria-label=(name) { "log" }
                }
            }
        }
    }
}

/// A figure, or a dash where functions run elsewhere or none was called.
pub(super) fn or_dash(figure: Option<impl std::fmt::Display>) -> String {
    figure.map_or_else(|| "–".to_owned(), |it| it.to_string())
}

impl Filter {
    fn wants(&self, request: &Request) -> bool {
        let failed = self.failed.is_none() || request.status.as_u16() >= 400;
        let line = format!("{} {}", request.method, request.path).to_lowercase();
        failed && line.contains(&self.q.trim().to_lowercase())
    }

    fn form(&self) -> Markup {
        html! {
            form.filter method="get" {
                label { "Method or path" input type="search" name="q" value=(self.q) maxlength="200"; }
                label.check {
                    input type="checkbox" name="failed" value="yes" checked[self.failed.is_some()];
                    "Only refused and failed"
                }
                button type="submit" { "Filter" }
            }
        }
    }
}
