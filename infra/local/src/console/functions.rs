//! All functions, and how their calls went.

use std::{collections::BTreeMap, sync::Arc};

use axum::{extract::State, response::Response};
use maud::{Markup, html};

use super::{
    layout::{self, Column, FUNCTIONS},
    look::Look,
};
use crate::{recorder::Function, stack::Parts};

const HEADS: &[(&str, Column)] = &[
    ("Function", Column::Text),
    ("Calls", Column::Number),
    ("Failed", Column::Number),
    ("Last call", Column::Text),
    ("ms", Column::WideNumber),
    ("Called by", Column::Wide),
];

pub(super) async fn show(State(stack): State<Arc<Parts>>, look: Look) -> Response {
    let called = stack.recorder.called();
    look.live(&FUNCTIONS, html! {}, layout::table("Functions", HEADS, rows(&stack, &called)))
}

fn rows(stack: &Parts, called: &BTreeMap<String, Function>) -> Markup {
    let nothing = Function::default();
    html! {
        @for (name, by) in &stack.running.functions {
            (row(name, by, called.get(name).unwrap_or(&nothing)))
        }
    }
}

fn row(name: &str, by: &[String], function: &Function) -> Markup {
    let last = function.last.back();
    html! {
        tr {
            td { a href={ (FUNCTIONS.path) "/" (name) } { (name) } }
            td.number { (function.calls) }
            td.number { @if function.failed > 0 { span.badge.bad { (function.failed) } } @else { "0" } }
            td { @if let Some(last) = last { (layout::moment(last.at)) } @else { "not yet" } }
            td.wide.number { @if let Some(last) = last { (layout::millis(last.took)) } }
            td.wide.small { (by.join(", ")) }
        }
    }
}
