//! Signing in as somebody, without their password.

use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{
    accounts::{self, tokens::TokenPair},
    ids::UserId,
    people::users,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};

use super::{
    layout::{self, PEOPLE, Page},
    look::Look,
};
use crate::state::Accounts;

pub(super) async fn open(State(accounts): State<Accounts>, Path(id): Path<String>, look: Look) -> Response {
    let page = Page {
        title: "Signed in",
        about: "A session of this person, as their own sign-in opens one.",
        ..PEOPLE
    };
    match sign_in(accounts, &id).await {
        Ok((name, tokens)) => look.still(&page, boxes(&name, &tokens)),
        Err(why) => layout::failure(StatusCode::BAD_REQUEST, &PEOPLE, &why),
    }
}

/// Opens a session, and returns the username and the tokens.
async fn sign_in(Accounts(app): Accounts, id: &str) -> Result<(String, TokenPair), String> {
    let app = app.ok_or("The template has no function of accounts.")?;
    let id: UserId = id.parse().map_err(|_| "This is no id of a person.")?;
    let said = |error: platform::Error| format!("Nobody is signed in: {error}.");
    let grant = accounts::sign_in_as(&app, id).await.map_err(said)?;
    let tokens = grant.tokens(&app).await.map_err(said)?;
    let user = users::find(&app, id).await.map_err(said)?;
    Ok((user.map_or_else(String::new, |it| it.username.to_string()), tokens))
}

fn boxes(name: &str, tokens: &TokenPair) -> Markup {
    html! {
        h2 { (name) }
        p { "The access token lives for " (tokens.expires_in / 60) " minutes of the service's clock." }
        (copy_box("access-token", "Access token", &tokens.access_token))
        p.row {
            button type="button" data-use="access-token" { "Use it in the API reference" }
            a href="/docs" { "Open the API reference" }
        }
        (copy_box("refresh-token", "Refresh token, for the header x-refresh-token", &tokens.refresh_token))
        (copy_box("header", "For curl", &format!("-H 'authorization: Bearer {}'", tokens.access_token)))
        p #said role="status" {}
        p { a href=(PEOPLE.path) { "Back to people" } }
    }
}

fn copy_box(id: &str, name: &str, text: &str) -> Markup {
    html! {
        div.copy {
            label for=(id) { (name) }
            textarea id=(id) readonly rows="3" spellcheck="false" { (text) }
            button type="button" data-copy=(id) aria-label={ "Copy: " (name) } { "Copy" }
        }
    }
}
