//! Overview of the stack.

use axum::{extract::State, response::Response};
use maud::{Markup, html};

use super::{
    layout::{self, CLOCK, LOGS, MAIL, OVERVIEW, PAGES, Page, QUEUES, REQUESTS},
    page_request::PageRequest,
};
use crate::{
    clock,
    state::{Addresses, Running, Services},
};

pub(super) async fn show(State(services): State<Services>, request: PageRequest) -> Response {
    let addresses = addresses(&services.addresses, &services.running);
    request.show_live(&OVERVIEW, html! {}, html! { (figures(&services)) (addresses) (directory()) })
}

fn figures(services: &Services) -> Markup {
    let queues = services.queues.queue_states();
    let waiting: usize = queues.iter().map(|queue| queue.visible + queue.in_flight + queue.delayed).sum();
    let dead: usize = queues.iter().map(|queue| queue.dead).sum();
    let errors = services.recorder.memory().lines.newest();
    let errors = errors.iter().filter(|line| line.item.level == tracing::Level::ERROR).count();
    let now = clock::show(services.clock.now());
    html! {
        dl.figures {
            // Shows only minutes, so that the page does not change every second.
            (figure(&CLOCK, "Clock", &now[..16].replace('T', " ")))
            (figure(&REQUESTS, "Requests", &services.recorder.memory().requests.total().to_string()))
            (figure(&LOGS, "Errors in the last log lines", &errors.to_string()))
            (figure(&QUEUES, "Waiting messages", &waiting.to_string()))
            (figure(&QUEUES, "Dead letters", &dead.to_string()))
            (figure(&MAIL, "Emails", &services.mailbox.count().to_string()))
        }
    }
}

fn figure(page: &Page, name: &str, value: &str) -> Markup {
    html! { div { dt { a href=(page.path) { (name) } } dd { (value) } } }
}

fn addresses(addresses: &Addresses, running: &Running) -> Markup {
    let tables = running.tables.join(", ");
    html! {
        h2 { "Addresses" }
        (layout::table("Addresses", &[("Service", ""), ("URL", "")], html! {
            tr { td { "API" } td { code { (addresses.api) } } }
            tr { td { "API reference" } td { a href="/docs" { code { (addresses.api) "/docs" } } } }
            @for path in ["/health", "/health/ready"] {
                tr { td { "Health" } td { a href=(path) { code { (addresses.api) (path) } } } }
            }
            tr { td { "DynamoDB, table " code { (tables) } } td { code { (addresses.dynamodb) } } }
            tr { td { "SQS, EventBridge, SES, S3" } td { code { (addresses.aws) } } }
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
