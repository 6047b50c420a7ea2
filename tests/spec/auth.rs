//! Accounts, sessions, tokens, and what is mailed.

pub(crate) mod applications;
mod costs;
mod email;
mod keys;
pub(crate) mod limits;
mod mailed;
mod names;
mod password;
mod password_reset;
mod profile;
mod registration;
pub(crate) mod rotation;
mod scopes;
pub(crate) mod second_factor;
mod sessions;
mod sign_in;
mod standing;
mod tokens;

use domain::people::users::{self, Status};
use platform::{App, table::Write};
use serde_json::{Value, json};
use tests::{PASSWORD, Person, World};

/// What somebody fills in to be `name`.
fn form(name: &str) -> Value {
    json!({ "name": name, "username": name, "email": format!("{name}@example.com"), "password": PASSWORD })
}

pub(crate) fn login(name: &str, password: &str) -> Value {
    json!({ "identifier": name, "password": password })
}

/// The token of the newest mail to somebody.
pub(crate) fn mailed_token(world: &World, name: &str) -> String {
    let mail = world.mail_to(name).pop().expect("a mail");
    let (_, rest) = mail.text.split_once("?token=").expect("a link");
    rest.split_whitespace().next().expect("a token").to_owned()
}

/// As an administrator's ban does: first the status, then the sessions.
async fn ban(app: &App, person: &Person, status: Status) {
    let id = person.id.parse().expect("an id");
    app.table.write(Write::update(users::key(id)).set("status", status)).await.expect("a write");
    domain::accounts::sessions::revoke_all(app, id).await.expect("an end");
}
