//! Giving people more to do, or less.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::me;
use crate::{
    accounts::sessions,
    ids::UserId,
    ledger::audit::{self, Deed},
    people::{
        unique,
        users::{self, Email, Role, User},
    },
};

const CHANGED: Error = Error::Conflict("the roles were changed at the same time");

/// What somebody is to be able to do. USER, which everybody is, may be left out.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RoleChange {
    /// All their roles from now on.
    pub roles: Vec<Role>,
}

/// Gives a role, with those below it, and ends the user's sessions: their tokens name the old
/// roles. 4 calls. Doing it again ends the sessions again.
///
/// # Errors
/// [`Error::NotFound`] when nobody has this e-mail; [`Error::Conflict`] when the roles were
/// changed at the same time.
pub async fn grant_role(app: &App, email: &Email, role: Role) -> Result<()> {
    let id = unique::find_by_email(app, &email.to_string()).await?.ok_or(Error::NotFound("user"))?;
    let user = users::find(app, id).await?.ok_or(Error::NotFound("user"))?;
    app.table.write(change(&user, &with(&user, role))).await?;
    me::forget(app, id);
    sessions::end_all(app, id).await
}

/// Gives somebody exactly these roles and ends their sessions. 3 calls and 1 for each 25 sessions:
/// 2 RRU, 6 WRU and 1 a session.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Forbidden`] for oneself, so that somebody is always left who may;
/// [`Error::Invalid`] when the roles were changed at the same time.
pub async fn change_roles(app: &App, admin: UserId, id: UserId, wanted: RoleChange) -> Result<User> {
    if id == admin {
        return Err(Error::Forbidden("these roles are your own".into()));
    }
    let user = users::find(app, id).await?.ok_or(Error::NotFound("user"))?;
    let all = [Role::User, Role::Admin, Role::SuperAdmin];
    let roles: Vec<_> = all.into_iter().filter(|it| *it == Role::User || wanted.roles.contains(it)).collect();
    let record = audit::record(app, admin, Deed::ChangeRoles, id, Some(format!("{roles:?}")));
    let refused = Error::invalid("roles", "were changed at the same time");
    app.table.transact(vec![change(&user, &roles).or(refused), record]).await?;
    me::forget(app, id);
    sessions::end_all(app, id).await?;
    Ok(User { roles, ..user })
}

fn change(user: &User, roles: &[Role]) -> Write {
    Write::update(users::key(user.id)).set("roles", roles).equals("roles", &user.roles).or(CHANGED)
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
