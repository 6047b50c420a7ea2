//! Page of users, newest first.

use axum::{
    extract::{Query, State},
    response::Response,
};
use domain::{
    moderation::directory::{self, Account, AccountFilter},
    people::users::EmailStatus,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use platform::{App, decode::decode, page::Page as Rows};
use serde::Deserialize;
use serde_json::json;

use super::{
    layout::{self, PEOPLE, TABLE},
    page_request::{PageRequest, address},
};

const HEADS: &[(&str, &str)] =
    &[("User", ""), ("Email", "wide"), ("Status", ""), ("Joined", "wide"), ("Session", "")];

#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    q: String,
    after: Option<String>,
}

pub(super) async fn show(
    State(app): State<Option<App>>,
    Query(search): Query<Search>,
    request: PageRequest,
) -> Response {
    match find(app, &search).await {
        Ok(people) => request.show_live(&PEOPLE, search.form(), list(&search, &people)),
        Err(why) => layout::failure(StatusCode::BAD_REQUEST, &PEOPLE, &why),
    }
}

async fn find(app: Option<App>, search: &Search) -> Result<Rows<Account>, String> {
    let app = app.ok_or("The template has no accounts function.")?;
    let q = Some(search.q.trim()).filter(|q| !q.is_empty());
    let filter: AccountFilter = decode(json!({ "q": q })).map_err(|error| error.to_string())?;
    let cursor = decode(json!({ "after": search.after, "take": "50" })).map_err(|error| error.to_string())?;
    directory::accounts(&app, filter, cursor).await.map_err(|error| error.to_string())
}

fn list(search: &Search, people: &Rows<Account>) -> Markup {
    if people.rows.is_empty() {
        return match search.q.is_empty() {
            true => layout::empty("No users yet. Register one in the API reference, or run make seed."),
            false => layout::empty("No users found. New users are only found by their full username."),
        };
    }
    html! {
        (layout::table("People", HEADS, html! { @for user in &people.rows { (row(user)) } }))
        @if let Some(after) = &people.after {
            p { a href=(address(PEOPLE.path, [("q", search.q.as_str()), ("after", after.as_str())])) { "Older" } }
        }
    }
}

fn row(user: &Account) -> Markup {
    let (id, roles) = (user.id.to_string(), format!("{:?}", user.roles));
    let partition = format!("USER#{id}");
    html! {
        tr {
            td { a href=(address(TABLE.path, [("key", partition.as_str())])) { (user.username.to_string()) }
                " " span.small { (user.name.to_string()) } }
            td.wide {
                (user.email.to_string()) " "
                @if !user.is_verified { span.badge.warn { "not confirmed" } }
                @match user.email_status {
                    EmailStatus::Ok => {}
                    EmailStatus::Bounced => { " " span.badge.warn { "emails bounce" } }
                    EmailStatus::Complained => { " " span.badge.warn { "complained about an email" } }
                }
            }
            td { (format!("{:?}", user.status)) " " span.small { (roles.trim_matches(['[', ']'])) } }
            td.wide { (user.created_at.to_string().get(..10).unwrap_or_default()) }
            td { (layout::button(&format!("{}/{id}/sign-in", PEOPLE.path), "Sign in",
                &format!("Sign in as {}", user.username))) }
        }
    }
}

impl Search {
    fn form(&self) -> Markup {
        let field = html! {
            label {
                "Start of a name, username or email"
                input type="search" name="q" value=(self.q) maxlength="100";
            }
        };
        layout::filter(field, "Find")
    }
}
