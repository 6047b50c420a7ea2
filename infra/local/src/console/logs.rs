//! Page of log lines, newest first.

use std::sync::Arc;

use axum::{
    extract::{Query, State},
    response::Response,
};
use maud::{Markup, html};
use serde::Deserialize;
use tracing::Level;

use super::{
    layout::{self, FUNCTIONS, LOGS},
    page_request::{PageRequest, address},
};
use crate::{
    recorder::{Line, Numbered, Recorder},
    state::Running,
};

const SHOWN_MAX: usize = 200;
const HEADS: &[(&str, &str)] = &[("Time", ""), ("Level", ""), ("Source", ""), ("Line", "")];

/// Filter for lines. An empty field matches every line.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Filter {
    level: String,
    function: String,
    id: String,
}

pub(super) async fn show(
    State(recorder): State<Recorder>,
    State(running): State<Arc<Running>>,
    Query(filter): Query<Filter>,
    request: PageRequest,
) -> Response {
    let all = recorder.memory().lines.newest();
    let shown: Vec<_> = all.iter().filter(|line| filter.matches(&line.item)).take(SHOWN_MAX).collect();
    let live = match (shown.is_empty(), all.len()) {
        (true, 0) => {
            layout::empty("No log lines yet. Functions under make watch log to their own terminal instead.")
        }
        (true, _) => layout::empty("No matching lines among the last 500."),
        _ => html! { (list(&shown)) p.limits { "The newest " (SHOWN_MAX) " of the last 500 lines." } },
    };
    request.show_live(&LOGS, filter.form(&running), live)
}

pub(super) fn list(lines: &[&Numbered<Line>]) -> Markup {
    layout::list("Lines", HEADS, html! { @for line in lines { (row(&line.item)) } })
}

fn row(line: &Line) -> Markup {
    html! {
        tr {
            td { @if let Some(at) = line.at { (layout::moment(at)) } @else { "at startup" } }
            td { (level(line.level)) }
            td { (source(line)) }
            td.line {
                (line.message)
                @for (name, value) in &line.fields { " " span.field { (name) "=" code { (value) } } }
            }
        }
    }
}

fn source(line: &Line) -> Markup {
    match (&line.function, &line.id) {
        (Some(function), Some(id)) => html! {
            a href={ (FUNCTIONS.path) "/" (function) } { (function) } " "
            a.small href=(address(LOGS.path, [("id", id.as_str())])) aria-label="Lines of the same call" { "call" }
        },
        _ => html! { "the stack" },
    }
}

fn level(level: Level) -> Markup {
    let class = match level {
        Level::ERROR => "bad",
        Level::WARN => "warn",
        _ => "plain",
    };
    html! { span class={ "badge " (class) } { (level) } }
}

impl Filter {
    fn matches(&self, line: &Line) -> bool {
        let level = match self.level.as_str() {
            "error" => line.level == Level::ERROR,
            "warn" => line.level <= Level::WARN,
            _ => true,
        };
        let equals =
            |wanted: &str, value: &Option<String>| wanted.is_empty() || value.as_deref() == Some(wanted);
        level && equals(&self.function, &line.function) && equals(&self.id, &line.id)
    }

    fn form(&self, running: &Running) -> Markup {
        let levels = [("", "all"), ("warn", "warnings and errors"), ("error", "errors")];
        let functions = running.functions.keys().map(|name| (name.as_str(), name.as_str()));
        let functions = [("", "all")].into_iter().chain(functions);
        let fields = html! {
            (layout::choice("Level", "level", &self.level, levels))
            (layout::choice("Function", "function", &self.function, functions))
            label { "ID of a request or call" input type="search" name="id" value=(self.id) maxlength="64"; }
        };
        layout::filter(fields, "Filter")
    }
}
