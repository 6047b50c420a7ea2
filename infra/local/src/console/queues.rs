//! Pages of queues and their messages.

use axum::{
    extract::{Path, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};

use super::{
    layout::{self, Page, QUEUES},
    page_request::{self, PageRequest},
};
use crate::{
    clock::Clock,
    delivery::Deliveries,
    recorder::Recorder,
    sqs::{Message, QueueState, Queues},
};

const SHOWN_MAX: usize = 50;
const HEADS: &[(&str, &str)] = &[
    ("Queue", ""),
    ("Visible", "number"),
    ("In flight", "wide number"),
    ("Delayed", "wide number"),
    ("Dead", "number"),
    ("Retry", ""),
];

pub(super) async fn show(State(queues): State<Queues>, request: PageRequest) -> Response {
    let settle = html! {
        p { "Messages are delivered automatically. Failed messages wait for their timeout. This button retries them now." }
        (layout::button("/_local/console/settle", "Deliver everything now", "Deliver everything now"))
    };
    let rows = html! { @for queue in queues.queue_states() { (row(&queue)) } };
    request.show_live(&QUEUES, settle, layout::table("Queues", HEADS, rows))
}

fn row(queue: &QueueState) -> Markup {
    html! {
        tr {
            td { a href={ (QUEUES.path) "/" (queue.name) } { (queue.name) } }
            td.number { (queue.visible) }
            td.wide.number { (queue.in_flight) }
            td.wide.number { (queue.delayed) }
            td.number { @if queue.dead > 0 { span.badge.bad { (queue.dead) } } @else { "0" } }
            td { @if queue.dead > 0 { (redrive_button(&queue.name)) } }
        }
    }
}

fn redrive_button(queue: &str) -> Markup {
    let action = format!("{}/{queue}/redrive", QUEUES.path);
    layout::button(&action, "Redrive", &format!("Redrive the dead letters of {queue}"))
}

pub(super) async fn show_one(
    State(queues): State<Queues>,
    State(clock): State<Clock>,
    Path(name): Path<String>,
    request: PageRequest,
) -> Response {
    let Ok(settings) = queues.settings(&name) else { return unknown() };
    let page = Page { about: "Messages and dead letters of a queue, oldest first.", ..QUEUES };
    let live = html! {
        h3 { "Messages" }
        (messages((&queues, &clock), &name, "No messages."))
        @if let Some(dead_letters) = settings.dead_letters() {
            h3 { "Dead letters" }
            (messages((&queues, &clock), dead_letters, "No dead letters."))
            @if queues.counts(dead_letters).is_ok_and(|counts| counts.visible > 0) { (redrive_button(&name)) }
        }
    };
    request.show_live(&page, html! { h2 #queue { (name) } }, live)
}

fn messages((queues, clock): (&Queues, &Clock), queue: &str, empty: &str) -> Markup {
    let messages = queues.peek(queue, SHOWN_MAX + 1).unwrap_or_default();
    html! {
        @if messages.is_empty() { (layout::empty(empty)) }
        @for message in messages.iter().take(SHOWN_MAX) { (card(clock, message)) }
        @if messages.len() > SHOWN_MAX { p.limits { "Only the oldest " (SHOWN_MAX) " are shown." } }
    }
}

fn card(clock: &Clock, message: &Message) -> Markup {
    let state = match (message.in_flight, message.visible_at > clock.now()) {
        (true, _) => "in flight until",
        (_, true) => "delayed until",
        _ => "visible since",
    };
    html! {
        article.card {
            p.small { code { (message.id) } " sent " (layout::time(message.sent)) ", received " (message.receives)
                " times, " (state) " " (layout::time(message.visible_at)) }
            (layout::json(&message.body))
        }
    }
}

pub(super) async fn redrive(
    State(queues): State<Queues>,
    State(recorder): State<Recorder>,
    Path(name): Path<String>,
) -> Response {
    match queues.redrive(&name) {
        Ok(count) => {
            let notice = format!("Dead letters moved back to {name}: {count}.");
            page_request::redirect(&recorder, &format!("{}/{name}", QUEUES.path), notice)
        }
        Err(refusal) if refusal.is_internal() => layout::internal_error(&QUEUES, &refusal.into()),
        Err(_) => unknown(),
    }
}

pub(super) async fn settle(
    State(deliveries): State<Deliveries>,
    State(recorder): State<Recorder>,
) -> Response {
    match deliveries.settle().await {
        Ok(report) => {
            let notice = format!(
                "Delivered: {} messages and {} records. Failed: {}. Dead: {}.",
                report.delivered, report.stream.delivered, report.failed, report.dead
            );
            page_request::redirect(&recorder, QUEUES.path, notice)
        }
        Err(error) => layout::internal_error(&QUEUES, &error),
    }
}

fn unknown() -> Response {
    layout::failure(StatusCode::NOT_FOUND, &QUEUES, "The queue does not exist, or has no dead-letter queue.")
}
