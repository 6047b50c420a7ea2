//! The overview: how everything is, and where to look.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use maud::{Markup, html};

use super::{
    layout::{self, CLOCK, LOGS, MAIL, OVERVIEW, PAGES, Page, QUEUES, REQUESTS},
    look::Look,
};
use crate::{clock, stack::Parts};

pub(super) async fn show(State(stack): State<Arc<Parts>>, look: Look) -> Response {
    look.live(&OVERVIEW, html! {}, html! { (figures(&stack)) (addresses(&stack)) (directory()) })
}

fn figures(stack: &Parts) -> Markup {
    let queues = stack.queue_states();
    let waiting: usize = queues.iter().map(|it| it.visible + it.in_flight + it.delayed).sum();
    let dead: usize = queues.iter().map(|it| it.dead).sum();
    let errors = stack.recorder.memory().lines.newest();
    let errors = errors.iter().filter(|it| it.thing.level == tracing::Level::ERROR).count();
    let now = clock::show(stack.clock.now());
    html! {
        dl.figures {
            // To the minute, or the page would change each second.
            (figure(&CLOCK, "The service's time", &now[..16].replace('T', " ")))
            (figure(&REQUESTS, "Requests", &stack.recorder.memory().requests.came().to_string()))
            (figure(&LOGS, "Errors among the last lines", &errors.to_string()))
            (figure(&QUEUES, "Messages that wait", &waiting.to_string()))
            (figure(&QUEUES, "Dead letters", &dead.to_string()))
            (figure(&MAIL, "Mails", &stack.mailbox.count().to_string()))
        }
    }
}

fn figure(page: &Page, name: &str, value: &str) -> Markup {
    html! { div { dt { a href=(page.path) { (name) } } dd { (value) } } }
}

fn addresses(stack: &Parts) -> Markup {
    let tables = stack.running.tables.join(", ");
    html! {
        h2 { "Addresses" }
        (layout::table("Addresses", &[("What", layout::Column::Text), ("Where", layout::Column::Text)], html! {
            tr { td { "API" } td { code { (stack.url) } } }
            tr { td { "API reference" } td { a href="/docs" { code { (stack.url) "/docs" } } } }
            tr { td { "DynamoDB, table " code { (tables) } } td { code { (stack.dynamodb_url) } } }
            tr { td { "SQS, EventBridge, SES, S3" } td { code { (stack.aws_url) } } }
        }))
    }
}

fn directory() -> Markup {
    html! {
        h2 { "Pages" }
        ul.directory {
            @for page in &PAGES[1..] { li { a href=(page.path) { (page.title) } " " span { (page.about) } } }
        }
    }
}
