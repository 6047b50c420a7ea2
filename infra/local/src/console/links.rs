//! Pages for links in emails. They send the link's token to the API. In production, the app has such pages.

use std::sync::Arc;

use axum::{
    Form,
    extract::{FromRequestParts, Query, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    layout::{self, MAIL, Page},
    page_request::{self, PageRequest},
};
use crate::{
    recorder::Recorder,
    state::{Addresses, Services},
};

const VERIFY: Page = Page {
    path: "/_local/console/verify-email",
    title: "Confirm your address",
    about: "Links in emails lead here. In production, the app shows this page.",
};
const CHANGE: Page =
    Page { path: "/_local/console/confirm-email", title: "Confirm your new address", ..VERIFY };
const RESET: Page = Page { path: "/_local/console/reset-password", title: "Choose a new password", ..VERIFY };

#[derive(FromRequestParts)]
#[from_request(state(Services))]
pub(super) struct Api {
    #[from_request(via(State))]
    addresses: Arc<Addresses>,
    #[from_request(via(State))]
    recorder: Recorder,
}

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

pub(super) async fn show_verification(Query(link): Query<Link>, request: PageRequest) -> Response {
    request.show_static(&VERIFY, form(&VERIFY, &link, "Confirm the address", html! {}))
}

pub(super) async fn show_change(Query(link): Query<Link>, request: PageRequest) -> Response {
    request.show_static(&CHANGE, form(&CHANGE, &link, "Confirm the new address", html! {}))
}

pub(super) async fn show_reset(Query(link): Query<Link>, request: PageRequest) -> Response {
    let password = html! {
        label { "New password" input type="password" name="password" required autocomplete="new-password"; }
    };
    request.show_static(&RESET, form(&RESET, &link, "Set the password", password))
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

pub(super) async fn verify(api: Api, Form(link): Form<Link>) -> Response {
    api.send("/auth/verify-email", json!({ "token": link.token }), "The address is confirmed.").await
}

pub(super) async fn change(api: Api, Form(link): Form<Link>) -> Response {
    api.send("/auth/email/confirm", json!({ "token": link.token }), "The new address is confirmed.").await
}

pub(super) async fn reset(api: Api, Form(reset): Form<Reset>) -> Response {
    let body = json!({ "token": reset.token, "password": reset.password });
    api.send("/auth/reset-password", body, "The password is set.").await
}

impl Api {
    /// Sends a request to the API. Then shows the emails with the notice `done`, or an error page.
    async fn send(&self, path: &str, body: Value, done: &str) -> Response {
        match self.post(path, body).await {
            Ok(()) => page_request::redirect(&self.recorder, MAIL.path, done.to_owned()),
            Err(why) => {
                let why = format!("The API refused the request: {why}");
                layout::failure(StatusCode::BAD_REQUEST, &MAIL, &why)
            }
        }
    }

    /// Sends a request to the API. Fails with the API's error message.
    async fn post(&self, path: &str, body: Value) -> Result<(), String> {
        let failed = |error: reqwest::Error| error.to_string();
        let http = reqwest::Client::builder().no_proxy().build().map_err(failed)?;
        let address = format!("{}{path}", self.addresses.api);
        let answer = http.post(address).json(&body).send().await.map_err(failed)?;
        if answer.status().is_success() {
            return Ok(());
        }
        let refusal: Value = answer.json().await.map_err(failed)?;
        Err(refusal["message"].as_str().unwrap_or("unknown error").to_owned())
    }
}
