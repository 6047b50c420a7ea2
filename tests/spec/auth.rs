//! Accounts, sessions, tokens and emails.

mod addresses;
pub(crate) mod applications;
mod costs;
mod email;
pub(crate) mod limits;
mod mail_feedback;
mod mailed;
mod names;
pub(crate) mod passkeys;
pub(crate) mod password;
mod password_reset;
mod profile;
mod proof;
mod registration;
pub(crate) mod rotation;
mod scopes;
pub(crate) mod second_factor;
mod session_row;
mod sessions;
mod sign_in;
mod tokens;

use domain::people::users::{self, Status};
use local::Mail;
use platform::{App, table::Write};
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, Person, World};

/// Returns the body of a registration for `name`.
pub(crate) fn form(name: &str) -> Value {
    json!({ "name": name, "username": name, "email": format!("{name}@example.com"), "password": PASSWORD })
}

/// Returns the body of a registration for `name`, with another value in one field.
fn form_with(name: &str, field: &str, value: impl Into<Value>) -> Value {
    let mut form = form(name);
    form[field] = value.into();
    form
}

pub(crate) fn login(name: &str, password: &str) -> Value {
    json!({ "identifier": name, "password": password })
}

/// Returns the token in the newest email to `name`.
pub(crate) fn mailed_token(world: &World, name: &str) -> String {
    token_in(&world.mail_to(name).pop().expect("a mail"))
}

/// Requests a new password for `name`, and returns the token in the email.
async fn reset_token(world: &World, name: &str) -> String {
    mailed::requests_reset(world, name).await;
    world.settle().await;
    mailed_token(world, name)
}

/// Starts a world with `ann`. Delivers her first email, because queues do not keep the order of later emails.
async fn world_with_ann() -> (World, Person) {
    let (world, [ann]) = World::with(["ann"]).await;
    world.settle().await;
    (world, ann)
}

fn token_in(mail: &Mail) -> String {
    let (_, rest) = mail.text.split_once("?token=").expect("a link");
    rest.split_whitespace().next().expect("a token").to_owned()
}

/// Resets the password of `name` with an emailed link.
pub(crate) async fn resets_password(world: &World, name: &str, password: &str) -> Answer {
    let body = json!({ "token": reset_token(world, name).await, "password": password });
    world.anyone.post("/auth/reset-password", body).await
}

/// Bans or locks a user as an administrator does: sets the status, then ends all sessions.
async fn ban(app: &App, person: &Person, status: Status) {
    let id = person.id.parse().expect("an id");
    app.table.write(Write::update(users::key(id)).set("status", status)).await.expect("a write");
    domain::accounts::sessions::revoke_all(app, id).await.expect("a revocation");
}
