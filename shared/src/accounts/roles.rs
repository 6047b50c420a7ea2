//! Giving people more to do.

use super::taken;
use crate::{
    App,
    error::{Error, Result},
    sessions,
    table::Write,
    users::{self, Email, Role, User},
};

/// Gives a role, with those below it, and ends the user's sessions: their tokens name the old
/// roles. 4 calls. Doing it again ends the sessions again.
///
/// # Errors
/// [`Error::NotFound`] when nobody has this e-mail; [`Error::Conflict`] when the roles were
/// changed at the same time.
pub async fn grant_role(app: &App, email: &Email, role: Role) -> Result<()> {
    let id = taken::find_by_email(app, &email.to_string()).await?.ok_or(Error::NotFound("user"))?;
    let user = users::find(app, id).await?.ok_or(Error::NotFound("user"))?;
    let change = Write::update(users::key(id)).set("roles", with(&user, role)).equals("roles", &user.roles);
    app.table.write(change.or(Error::Conflict("the roles were changed at the same time"))).await?;
    app.caches.me.forget(id);
    sessions::end_all(app, id).await
}

fn with(user: &User, role: Role) -> Vec<Role> {
    let below: &[Role] = match role {
        Role::User => &[Role::User],
        Role::Admin => &[Role::User, Role::Admin],
        Role::SuperAdmin => &[Role::User, Role::Admin, Role::SuperAdmin],
    };
    let mut roles = user.roles.clone();
    roles.extend(below.iter().filter(|it| !user.roles.contains(it)));
    roles
}
