//! Page of all functions.

use std::{collections::BTreeMap, sync::Arc};

use axum::{extract::State, response::Response};
use maud::{Markup, html};

use super::{
    layout::{self, FUNCTIONS},
    page_request::PageRequest,
};
use crate::{
    recorder::{Function, Recorder},
    state::Running,
};

const HEADS: &[(&str, &str)] = &[
    ("Function", ""),
    ("Calls", "number"),
    ("Failed", "number"),
    ("Last call", ""),
    ("ms", "wide number"),
    ("Triggers", "wide"),
];

pub(super) async fn show(
    State(recorder): State<Recorder>,
    State(running): State<Arc<Running>>,
    request: PageRequest,
) -> Response {
    let called = recorder.function_activity();
    request.show_live(&FUNCTIONS, html! {}, layout::table("Functions", HEADS, rows(&running, &called)))
}

fn rows(running: &Running, called: &BTreeMap<String, Function>) -> Markup {
    let not_called = Function::default();
    html! {
        @for (name, triggers) in &running.functions {
            (row(name, triggers, called.get(name).unwrap_or(&not_called)))
        }
    }
}

fn row(name: &str, triggers: &[String], function: &Function) -> Markup {
    let last = function.last.back();
    html! {
        tr {
            td { a href={ (FUNCTIONS.path) "/" (name) } { (name) } }
            td.number { (function.calls) }
            td.number { @if function.failed > 0 { span.badge.bad { (function.failed) } } @else { "0" } }
            td { @if let Some(last) = last { (layout::moment(last.at)) } @else { "not yet" } }
            td.wide.number { @if let Some(last) = last { (layout::millis(last.took)) } }
            td.wide.small { (triggers.join(", ")) }
        }
    }
}
