//! Signs in as a user without the user's password.

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
use platform::App;

use super::{
    layout::{self, PEOPLE, Page},
    page_request::PageRequest,
};

pub(super) async fn open(
    State(app): State<Option<App>>,
    Path(id): Path<String>,
    request: PageRequest,
) -> Response {
    let page = Page {
        title: "Signed in",
        about: "A new session of this user, as after a sign-in with a password.",
        ..PEOPLE
    };
    match sign_in(app, &id).await {
        Ok((name, tokens)) => request.show_static(&page, tokens_view(&name, &tokens)),
        Err(why) => layout::failure(StatusCode::BAD_REQUEST, &PEOPLE, &why),
    }
}

async fn sign_in(app: Option<App>, id: &str) -> Result<(String, TokenPair), String> {
    let app = app.ok_or("The template has no accounts function.")?;
    let id: UserId = id.parse().map_err(|_| "The user ID is invalid.")?;
    let failure = |error: platform::Error| format!("The sign-in failed: {error}");
    let grant = accounts::sign_in_as(&app, id).await.map_err(failure)?;
    let tokens = grant.tokens(&app).await.map_err(failure)?;
    let user = users::find(&app, id).await.map_err(failure)?;
    Ok((user.map_or_else(String::new, |user| user.username.to_string()), tokens))
}

fn tokens_view(name: &str, tokens: &TokenPair) -> Markup {
    html! {
        h2 { (name) }
        p { "The access token expires after " (tokens.expires_in / 60) " minutes, by the service's clock." }
        (copy_box("access-token", "Access token", &tokens.access_token))
        p.row {
            button type="button" data-use="access-token" { "Use it in the API reference" }
            a href="/docs" { "Open the API reference" }
        }
        (copy_box("refresh-token", "Refresh token, for the header x-refresh-token", &tokens.refresh_token))
        (copy_box("header", "For curl", &format!("-H 'authorization: Bearer {}'", tokens.access_token)))
        p #status role="status" {}
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
