//! Schedules, with a button that fires each.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};

use super::{
    layout::{self, SCHEDULES},
    look::{self, Look},
};
use crate::{
    recorder::Recorder,
    schedules::{Plan, Schedules},
};

const HEADS: &[(&str, &str)] = &[("Schedule", ""), ("Comes next", ""), ("Expression", "wide"), ("Now", "")];

pub(super) async fn show(State(schedules): State<Arc<Schedules>>, look: Look) -> Response {
    let plans = schedules.plans();
    let moving = match plans.is_empty() {
        true => layout::empty("The template has no schedules."),
        false => layout::table("Schedules", HEADS, html! { @for plan in &plans { (row(plan)) } }),
    };
    look.live(&SCHEDULES, html! {}, moving)
}

fn row(plan: &Plan) -> Markup {
    let action = format!("{}/{}/fire", SCHEDULES.path, plan.name);
    html! {
        tr {
            td { (plan.name) }
            td { @if let Some(next) = plan.next { (layout::time(next)) } @else { "never again" } }
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
        Some(Ok(())) => look::done(&recorder, SCHEDULES.path, format!("Fired {name}.")),
        Some(Err(error)) => {
            layout::failure(StatusCode::INTERNAL_SERVER_ERROR, &SCHEDULES, &format!("{error:#}"))
        }
        None => layout::failure(StatusCode::NOT_FOUND, &SCHEDULES, "There is no schedule of that name."),
    }
}
