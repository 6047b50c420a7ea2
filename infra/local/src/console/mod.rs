//! The console under `/_local/`. It has pages for developers, and a JSON API for programs.
//!
//! Each page has its own module. [`layout`] has shared elements, [`page_request`] refreshes pages, and [`guard`]
//! refuses requests from other sites.

mod api;
mod assets;
mod clock;
mod entities;
mod events;
mod functions;
pub(crate) mod guard;
mod invocations;
mod layout;
mod links;
mod logs;
mod mail;
mod overview;
mod page_request;
mod people;
mod queues;
mod requests;
mod schedules;
mod session;
mod table;
mod uploads;

use axum::{
    Router,
    middleware::from_fn,
    response::Redirect,
    routing::{any, get, post},
};

use crate::state::Services;

const HOME: &str = "/_local/";

pub(crate) fn router(services: Services) -> Router {
    let console = api::routes().nest("/console", pages().layer(from_fn(guard::protect)));
    let console = console.method_not_allowed_fallback(api::wrong_method);
    Router::new()
        .route("/_local", get(async || Redirect::permanent(HOME)))
        .route(HOME, get(overview::show).layer(from_fn(guard::protect)))
        .nest("/_local", console)
        .route("/_local/{*nothing}", any(api::not_found))
        .layer(from_fn(guard::require_same_origin))
        .layer(from_fn(guard::require_local_host))
        .with_state(services)
}

fn pages() -> Router<Services> {
    Router::new()
        .route("/assets/{file}", get(assets::show))
        .route("/people", get(people::show))
        .route("/people/{id}/sign-in", post(session::open))
        .route("/requests", get(requests::show))
        .route("/functions", get(functions::show))
        .route("/functions/{name}", get(invocations::show))
        .route("/logs", get(logs::show))
        .route("/queues", get(queues::show))
        .route("/queues/{name}", get(queues::show_one))
        .route("/queues/{name}/redrive", post(queues::redrive))
        .route("/settle", post(queues::settle))
        .route("/schedules", get(schedules::show))
        .route("/schedules/{name}/fire", post(schedules::fire))
        .route("/clock", get(clock::show).post(clock::advance))
        .route("/mail", get(mail::show))
        .route("/mail/{number}", get(mail::show_html))
        .route("/verify-email", get(links::show_verification).post(links::verify))
        .route("/confirm-email", get(links::show_change).post(links::change))
        .route("/reset-password", get(links::show_reset).post(links::reset))
        .route("/events", get(events::show))
        .route("/table", get(table::show))
        .route("/uploads", get(uploads::show))
        .route("/uploads/object", get(uploads::show_one))
}
