//! JSON API of the console.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    response::Response,
    routing::{get, post},
};
use lambda_http::http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::{
    advance::Advance as ClockMover,
    answer,
    clock::{self, Clock},
    delivery::Deliveries,
    schedules::Schedules,
    ses::Mailbox,
    sqs::Queues,
    state::{Addresses, Running, Services},
};

/// Maximum number of seconds to advance the clock at once: 10 years.
pub(super) const ADVANCE_MAX_SECONDS: f64 = 10.0 * 366.0 * 24.0 * 60.0 * 60.0;

pub(super) fn routes() -> Router<Services> {
    Router::new()
        .route("/addresses", get(addresses))
        .route("/mail", get(mail))
        .route("/clock", get(time).post(move_clock))
        .route("/queues", get(queues))
        .route("/streams", get(streams))
        .route("/settle", post(settle))
        .route("/schedules", get(schedules))
        .route("/schedules/{name}/fire", post(fire))
}

/// Returns the addresses for tools that access the table.
async fn addresses(State(addresses): State<Arc<Addresses>>, State(running): State<Arc<Running>>) -> Response {
    let (aws, dynamodb) = (&addresses.aws, &addresses.dynamodb);
    answer::data(json!({ "awsUrl": aws, "dynamodbUrl": dynamodb, "tableName": running.tables.first() }))
}

async fn mail(State(mailbox): State<Mailbox>) -> Response {
    answer::data(mailbox.mails())
}

async fn time(State(clock): State<Clock>) -> Response {
    let now = clock.now();
    answer::data(json!({ "now": clock::show(now), "unixSeconds": now.as_second() }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Advance {
    advance_seconds: f64,
}

async fn move_clock(State(mover): State<ClockMover>, body: Bytes) -> Response {
    let seconds = match serde_json::from_slice(&body) {
        Ok(Advance { advance_seconds }) if (0.0..=ADVANCE_MAX_SECONDS).contains(&advance_seconds) => {
            advance_seconds
        }
        _ => {
            return answer::refusal(
                StatusCode::BAD_REQUEST,
                "advanceSeconds: must be a number between 0 and 316224000 (10 years)",
            );
        }
    };
    match mover.by(Duration::from_secs_f64(seconds)).await {
        Ok(()) => time(State(mover.clock)).await,
        Err(error) => failed(&error),
    }
}

async fn queues(State(queues): State<Queues>) -> Response {
    answer::data(queues.queue_states())
}

async fn streams(State(deliveries): State<Deliveries>) -> Response {
    answer::data(deliveries.streams.states())
}

async fn settle(State(deliveries): State<Deliveries>) -> Response {
    match deliveries.settle().await {
        Ok(report) => answer::data(report),
        Err(error) => failed(&error),
    }
}

async fn schedules(State(schedules): State<Arc<Schedules>>) -> Response {
    let schedule = |(name, expression)| json!({ "name": name, "expression": expression });
    answer::data(schedules.list().map(schedule).collect::<Vec<_>>())
}

async fn fire(State(schedules): State<Arc<Schedules>>, Path(name): Path<String>) -> Response {
    match schedules.fire(&name).await {
        Some(Ok(())) => answer::data(json!({ "fired": name })),
        Some(Err(error)) => failed(&error),
        None => answer::refusal(StatusCode::NOT_FOUND, "There is no schedule with this name"),
    }
}

pub(super) async fn not_found() -> Response {
    answer::refusal(StatusCode::NOT_FOUND, "The route does not exist")
}

pub(super) async fn wrong_method() -> Response {
    answer::refusal(StatusCode::METHOD_NOT_ALLOWED, "The route does not support this method")
}

fn failed(error: &anyhow::Error) -> Response {
    answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}"))
}
