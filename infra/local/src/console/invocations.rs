//! Page of a function with its last invocations and log lines.

use axum::{
    extract::{Path, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};

use super::{
    layout::{self, FUNCTIONS, LOGS, Page},
    logs,
    page_request::{PageRequest, address},
    requests::cost,
};
use crate::recorder::{CallResult, Function, Invocation, Payload, Recorder};

const LINES_MAX: usize = 50;
const HEADS: &[(&str, &str)] = &[
    ("Time", ""),
    ("Payload", ""),
    ("Result", ""),
    ("ms", "number"),
    ("Calls", "number"),
    ("Read", "number"),
    ("Written", "number"),
    ("Log", ""),
];

pub(super) async fn show(
    State(recorder): State<Recorder>,
    Path(name): Path<String>,
    request: PageRequest,
) -> Response {
    let Some(function) = recorder.function_activity().remove(&name) else {
        return layout::failure(StatusCode::NOT_FOUND, &FUNCTIONS, "There is no function with this name.");
    };
    let lines = recorder.memory().lines.newest();
    let lines: Vec<_> = lines
        .iter()
        .filter(|line| line.item.function.as_deref() == Some(name.as_str()))
        .take(LINES_MAX)
        .collect();
    let page = Page { about: "The last invocations and log lines of a function.", ..FUNCTIONS };
    let content = html! { h2 #function { (name) } };
    let live = html! {
        (invocations(&function))
        h3 { "Log lines" }
        @if lines.is_empty() { (layout::empty("No log lines of this function among the last 500.")) } @else { (logs::list(&lines)) }
    };
    request.show_live(&page, content, live)
}

fn invocations(function: &Function) -> Markup {
    if function.last.is_empty() {
        return layout::empty("This function has not been called yet.");
    }
    html! {
        (layout::list("Invocations", HEADS, html! { @for invocation in function.last.iter().rev() { (row(invocation)) } }))
        p.limits { "The newest " (function.last.len()) " of " (function.calls) " calls." }
    }
}

fn row(invocation: &Invocation) -> Markup {
    html! {
        tr {
            td { (layout::moment(invocation.at)) }
            td.path { (payload(&invocation.payload)) }
            td { (result(&invocation.result)) }
            (cost(invocation.took, Some(&invocation.running)))
            td { a href=(address(LOGS.path, [("id", invocation.running.id.as_str())])) { "log" } }
        }
    }
}

fn payload(payload: &Payload) -> String {
    match payload {
        Payload::Request(line) => line.clone(),
        Payload::Messages(1, queue) => format!("1 message of {queue}"),
        Payload::Messages(count, queue) => format!("{count} messages of {queue}"),
        Payload::Records(1) => "1 record of the stream".to_owned(),
        Payload::Records(count) => format!("{count} records of the stream"),
    }
}

fn result(result: &CallResult) -> Markup {
    match result {
        CallResult::Answered(status) => layout::status(*status),
        CallResult::Done(0) => html! { span.badge.good { "done" } },
        CallResult::Done(failed) => html! { span.badge.bad { (failed) " failed" } },
        CallResult::Failed(why) => html! { span.badge.bad { "failed" } " " (why) },
    }
}
