//! People, the newest first.

use axum::{
    extract::{Query, State},
    response::Response,
};
use domain::moderation::directory::{self, Account, AccountQuery};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use platform::page::Page as Rows;
use serde::Deserialize;
use serde_json::json;

use super::{
    layout::{self, PEOPLE, TABLE},
    look::{Look, address},
};
use crate::state::Accounts;

const HEADS: &[(&str, &str)] =
    &[("Person", ""), ("E-mail", "wide"), ("Standing", ""), ("Since", "wide"), ("Become them", "")];

/// Whom to look for.
#[derive(Deserialize)]
pub(super) struct Wanted {
    #[serde(default)]
    q: String,
    after: Option<String>,
}

pub(super) async fn show(
    State(accounts): State<Accounts>,
    Query(wanted): Query<Wanted>,
    look: Look,
) -> Response {
    match find(accounts, &wanted).await {
        Ok(people) => look.live(&PEOPLE, wanted.form(), list(&wanted, &people)),
        Err(why) => layout::failure(StatusCode::BAD_REQUEST, &PEOPLE, &why),
    }
}

async fn find(Accounts(app): Accounts, wanted: &Wanted) -> Result<Rows<Account>, String> {
    let app = app.ok_or("The template has no function of accounts.")?;
    let q = Some(wanted.q.trim()).filter(|it| !it.is_empty());
    let query = json!({ "q": q, "after": wanted.after, "take": "50" });
    let query: AccountQuery = serde_json::from_value(query).map_err(|it| it.to_string())?;
    directory::accounts(&app, query).await.map_err(|it| it.to_string())
}

fn list(wanted: &Wanted, people: &Rows<Account>) -> Markup {
    if people.rows.is_empty() {
        return match wanted.q.is_empty() {
            true => {
                layout::empty("Nobody has signed up yet. Register at the API reference, or run make seed.")
            }
            false => {
                layout::empty("Nobody is found by that. Who has just signed up is found by the whole name.")
            }
        };
    }
    html! {
        (layout::table("People", HEADS, html! { @for it in &people.rows { (row(it)) } }))
        @if let Some(after) = &people.after {
            p { a href=(address(PEOPLE.path, [("q", wanted.q.as_str()), ("after", after.as_str())])) { "Older" } }
        }
    }
}

fn row(person: &Account) -> Markup {
    let (id, roles) = (person.id.to_string(), format!("{:?}", person.roles));
    let partition = format!("USER#{id}");
    html! {
        tr {
            td { a href=(address(TABLE.path, [("key", partition.as_str())])) { (person.username.to_string()) }
                " " span.small { (person.name.to_string()) } }
            td.wide { (person.email.to_string()) " " @if !person.is_verified { span.badge.warn { "not confirmed" } } }
            td { (format!("{:?}", person.status)) " " span.small { (roles.trim_matches(['[', ']'])) } }
            td.wide { (person.created_at.to_string().get(..10).unwrap_or_default()) }
            td { (layout::button(&format!("{}/{id}/sign-in", PEOPLE.path), "Sign in",
                &format!("Sign in as {}", person.username))) }
        }
    }
}

impl Wanted {
    fn form(&self) -> Markup {
        html! {
            form.filter method="get" {
                label {
                    "Beginning of a name, a username or an e-mail"
                    input type="search" name="q" value=(self.q) maxlength="100";
                }
                button type="submit" { "Find" }
            }
        }
    }
}
