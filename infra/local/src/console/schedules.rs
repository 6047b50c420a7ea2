//! Page of schedules.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};

use super::{
    layout::{self, SCHEDULES},
    page_request::{self, PageRequest},
};
use crate::{
    recorder::Recorder,
    schedules::{Plan, Schedules},
};

const HEADS: &[(&str, &str)] = &[("Schedule", ""), ("Next run", ""), ("Expression", "wide"), ("Run", "")];

pub(super) async fn show(State(schedules): State<Arc<Schedules>>, request: PageRequest) -> Response {
    let plans = schedules.plans();
    let live = match plans.is_empty() {
        true => layout::empty("The template has no schedules."),
        false => layout::table("Schedules", HEADS, html! { @for plan in &plans { (row(plan)) } }),
    };
    request.show_live(&SCHEDULES, html! {}, live)
}

fn row(plan: &Plan) -> Markup {
    let action = format!("{}/{}/fire", SCHEDULES.path, plan.name);
    html! {
        tr {
            td { (plan.name) }
            td { @if let Some(next) = plan.next { (layout::time(next)) } @else { "none" } }
            td.wide { code { (plan.expression) } }
            td { (layout::button(&action, "Fire", &format!("Fire {}", plan.name))) }
        }
    }
}

pub(super) async fn fire(
    State(schedules): State<Arc<Schedules>>,
    State(recorder): State<Recorder>,
    Path(name): Path<String>,
) -> Response {
    match schedules.fire(&name).await {
        Some(Ok(())) => page_request::redirect(&recorder, SCHEDULES.path, format!("Fired {name}.")),
        Some(Err(error)) => layout::internal_error(&SCHEDULES, &error),
        None => layout::failure(StatusCode::NOT_FOUND, &SCHEDULES, "There is no schedule with this name."),
    }
}
