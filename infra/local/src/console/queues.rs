//! Queues: what waits, what is dead, and a second try.

use axum::{
    extract::{Path, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};

use super::{
    layout::{self, Page, QUEUES},
    look::{self, Look},
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
    ("Second try", ""),
];

pub(super) async fn show(State(queues): State<Queues>, look: Look) -> Response {
    let settle = html! {
        p { "Messages reach their functions by themselves. What failed waits for its timeout; this tries it at once." }
        (layout::button("/_local/console/settle", "Deliver everything now", "Deliver everything now"))
    };
    let rows = html! { @for queue in queues.queue_states() { (row(&queue)) } };
    look.live(&QUEUES, settle, layout::table("Queues", HEADS, rows))
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
    look: Look,
) -> Response {
    let Ok(settings) = queues.settings(&name) else { return unknown() };
    let page = Page { about: "Its messages and its dead letters, the oldest first.", ..QUEUES };
    let moving = html! {
        h3 { "Messages" }
        (messages((&queues, &clock), &name, "No message waits."))
        @if let Some(letters) = settings.dead_letters() {
            h3 { "Dead letters" }
            (messages((&queues, &clock), letters, "No dead letters: all that came was done."))
            @if queues.counts(letters).is_ok_and(|it| it.visible > 0) { (redrive_button(&name)) }
        }
    };
    look.live(&page, html! { h2 #queue { (name) } }, moving)
}

fn messages((queues, clock): (&Queues, &Clock), queue: &str, nothing: &str) -> Markup {
    let messages = queues.look(queue, SHOWN_MAX + 1).unwrap_or_default();
    html! {
        @if messages.is_empty() { (layout::empty(nothing)) }
        @for message in messages.iter().take(SHOWN_MAX) { (card(clock, message)) }
        @if messages.len() > SHOWN_MAX { p.limits { "The oldest " (SHOWN_MAX) ". There are more." } }
    }
}

fn card(clock: &Clock, message: &Message) -> Markup {
    let place = match (message.in_flight, message.visible_at > clock.now()) {
        (true, _) => "in flight until",
        (_, true) => "delayed until",
        _ => "visible since",
    };
    html! {
        article.card {
            p.small { code { (message.id) } " sent " (layout::time(message.sent)) ", received " (message.receives)
                " times, " (place) " " (layout::time(message.visible_at)) }
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
            let notice = format!("Dead letters that went back to {name}: {count}.");
            look::done(&recorder, &format!("{}/{name}", QUEUES.path), notice)
        }
        Err(refusal) if refusal.is_internal() => {
            layout::failure(StatusCode::INTERNAL_SERVER_ERROR, &QUEUES, &refusal.to_string())
        }
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
            look::done(&recorder, QUEUES.path, notice)
        }
        Err(error) => layout::failure(StatusCode::INTERNAL_SERVER_ERROR, &QUEUES, &format!("{error:#}")),
    }
}

fn unknown() -> Response {
    layout::failure(StatusCode::NOT_FOUND, &QUEUES, "There is no such queue, or it has no dead letters.")
}
