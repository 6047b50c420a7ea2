//! Where the links in mails lead, in place of an app: what their token opens is done through the API.

use std::sync::Arc;

use axum::{
    Form,
    extract::{Query, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    layout::{self, MAIL, Page},
    look::{self, Look},
};
use crate::stack::Parts;

const VERIFY: Page = Page {
    path: "/_local/console/verify-email",
    title: "Confirm an address",
    about: "An app would show this page. The mail's link leads here.",
};
const CHANGE: Page = Page { path: "/_local/console/confirm-email", title: "Confirm a new address", ..VERIFY };
const RESET: Page = Page { path: "/_local/console/reset-password", title: "Choose a new password", ..VERIFY };

/// The token of a link.
#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    token: String,
}

#[derive(Deserialize)]
pub(super) struct Reset {
    token: String,
    password: String,
}

pub(super) async fn show_verification(Query(link): Query<Link>, look: Look) -> Response {
    look.still(&VERIFY, form(&VERIFY, &link, "Confirm the address", html! {}))
}

pub(super) async fn show_change(Query(link): Query<Link>, look: Look) -> Response {
    look.still(&CHANGE, form(&CHANGE, &link, "Confirm the new address", html! {}))
}

pub(super) async fn show_reset(Query(link): Query<Link>, look: Look) -> Response {
    let password = html! {
        label { "New password" input type="password" name="password" required autocomplete="new-password"; }
    };
    look.still(&RESET, form(&RESET, &link, "Set the password", password))
}

fn form(page: &Page, link: &Link, label: &str, more: Markup) -> Markup {
    html! {
        @if link.token.is_empty() { (layout::empty("This link has no token.")) }
        @else {
            form.filter method="post" action=(page.path) {
                input type="hidden" name="token" value=(link.token);
                (more)
                button type="submit" { (label) }
            }
        }
    }
}

pub(super) async fn verify(State(stack): State<Arc<Parts>>, Form(link): Form<Link>) -> Response {
    let asked = ask(&stack, "/auth/verify-email", json!({ "token": link.token })).await;
    said(&stack, asked, "The address is confirmed.")
}

pub(super) async fn change(State(stack): State<Arc<Parts>>, Form(link): Form<Link>) -> Response {
    let asked = ask(&stack, "/auth/email/confirm", json!({ "token": link.token })).await;
    said(&stack, asked, "The new address is confirmed.")
}

pub(super) async fn reset(State(stack): State<Arc<Parts>>, Form(reset): Form<Reset>) -> Response {
    let body = json!({ "token": reset.token, "password": reset.password });
    said(&stack, ask(&stack, "/auth/reset-password", body).await, "The password is set.")
}

/// Asks the API as an app does, and returns why it refuses.
async fn ask(stack: &Parts, path: &str, body: Value) -> Result<(), String> {
    let failed = |error: reqwest::Error| error.to_string();
    let http = reqwest::Client::builder().no_proxy().build().map_err(failed)?;
    let answer = http.post(format!("{}{path}", stack.url)).json(&body).send().await.map_err(failed)?;
    if answer.status().is_success() {
        return Ok(());
    }
    let refusal: Value = answer.json().await.map_err(failed)?;
    Err(refusal["message"].as_str().unwrap_or("the API refuses").to_owned())
}

fn said(stack: &Parts, asked: Result<(), String>, done: &str) -> Response {
    match asked {
        Ok(()) => look::done(stack, MAIL.path, done.to_owned()),
        Err(why) => layout::failure(StatusCode::BAD_REQUEST, &MAIL, &format!("The API refuses: {why}.")),
    }
}
