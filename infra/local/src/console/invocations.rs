//! One function: its last invocations, and its last lines in the log.

use axum::{
    extract::{Path, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};

use super::{
    layout::{self, FUNCTIONS, LOGS, Page},
    logs,
    look::{Look, address},
    requests::or_dash,
};
use crate::recorder::{Brought, Ended, Function, Invocation, Recorder};

const LINES_MAX: usize = 50;
const HEADS: &[(&str, &str)] = &[
    ("Time", ""),
    ("Brought", ""),
    ("Ended", ""),
    ("ms", "number"),
    ("Calls", "number"),
    ("Read", "number"),
    ("Written", "number"),
    ("Log", ""),
];

pub(super) async fn show(State(recorder): State<Recorder>, Path(name): Path<String>, look: Look) -> Response {
    let Some(function) = recorder.called().remove(&name) else {
        return layout::failure(StatusCode::NOT_FOUND, &FUNCTIONS, "There is no function of that name.");
    };
    let lines = recorder.memory().lines.newest();
    let lines: Vec<_> = lines
        .iter()
        .filter(|it| it.thing.function.as_deref() == Some(name.as_str()))
        .take(LINES_MAX)
        .collect();
    let page = Page { about: "Its last invocations, and what they logged.", ..FUNCTIONS };
    let content = html! { h2 #function { (name) } };
    let moving = html! {
        (invocations(&function))
        h3 { "Lines" }
        @if lines.is_empty() { (layout::empty("No lines among the last 500.")) } @else { (logs::list(&lines)) }
    };
    look.live(&page, content, moving)
}

fn invocations(function: &Function) -> Markup {
    if function.last.is_empty() {
        return layout::empty("It was not called yet.");
    }
    html! {
        (layout::list("Invocations", HEADS, html! { @for it in function.last.iter().rev() { (row(it)) } }))
        p.limits { "Its newest " (function.last.len()) " of " (function.calls) " calls." }
    }
}

fn row(it: &Invocation) -> Markup {
    let units = it.running.units();
    html! {
        tr {
            td { (layout::moment(it.at)) }
            td.path { (brought(&it.brought)) }
            td { (ended(&it.ended)) }
            td.number data-label="ms" { (layout::millis(it.took)) }
            td.number data-label="calls" { (it.running.calls()) }
            td.number data-label="read" { (or_dash(units.map(|it| it.read))) }
            td.number data-label="written" { (or_dash(units.map(|it| it.write))) }
            td { a href=(address(LOGS.path, [("id", it.running.id.as_str())])) { "log" } }
        }
    }
}

fn brought(brought: &Brought) -> String {
    match brought {
        Brought::Request(line) => line.clone(),
        Brought::Messages(1, queue) => format!("1 message of {queue}"),
        Brought::Messages(count, queue) => format!("{count} messages of {queue}"),
        Brought::Records(1) => "1 record of the stream".to_owned(),
        Brought::Records(count) => format!("{count} records of the stream"),
    }
}

fn ended(ended: &Ended) -> Markup {
    match ended {
        Ended::Answered(status) => layout::status(*status),
        Ended::Done(0) => html! { span.badge.good { "done" } },
        Ended::Done(failed) => html! { span.badge.bad { (failed) " again" } },
        Ended::Broke(why) => html! { span.badge.bad { "broke" } " " (why) },
    }
}
