//! Changes the roles of users.

use base::UserId;
use platform::{App, Error, Result, Write, retry_on_conflict};
use serde::Deserialize;
use utoipa::ToSchema;

use super::me;
use crate::sessions;
use ledger::{
    audit::{self, AuditAction},
    security::{self, SecurityEvent},
};
use people::{Address, Administrator, Email, Role, User, addresses, users};

/// A request to change a user's roles.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RoleChange {
    /// All roles that the user will have. `USER` may be omitted, because every user has this role.
    pub roles: Vec<Role>,
}

/// Grants a role, and the roles that it includes, to the user with this email address. Only an operator's command calls
/// this function. Revokes the user's sessions, because they store the old roles. `confirm` also confirms the address,
/// which then gets emails even if an earlier email bounced.
///
/// # Errors
/// Fails with [`Error::NotFound`] if no user has this address. Fails with [`Error::Forbidden`] if the address is not
/// confirmed, because another person may have registered with it.
pub async fn appoint(app: &App, email: &Email, role: Role, confirm: bool) -> Result<()> {
    let id = addresses::find_user(app, &email.to_string()).await?.ok_or(Error::NotFound("user"))?;
    retry_on_conflict(async || {
        let user = users::get(app, id).await?;
        if user.verified_at.is_none() && !confirm {
            return Err(Error::Forbidden("this email address is not confirmed".into()));
        }
        let roles = with_role(&user, role);
        if user.roles == roles {
            return Ok(());
        }
        let verified_at = user.verified_at.unwrap_or(app.now());
        let record = audit::record_write(app, None, AuditAction::AppointAdmin, id, note(&roles));
        let user_write = roles_write(&user, &roles).set("verifiedAt", verified_at);
        // In the sandbox of SES, an unverified address counts as bounced.
        let user_write = if confirm { user_write.remove("emailStatus") } else { user_write };
        let address = user.verified_at.is_none().then(|| Address::confirm_write(id, &user.email));
        app.table.transact([user_write, record].into_iter().chain(address).collect()).await
    })
    .await?;
    security::log(SecurityEvent::RolesChanged, id, "by an operator");
    me::invalidate(app, id);
    sessions::revoke_all(app, id).await
}

/// Replaces the roles of a user and revokes their sessions. Has no effect if the user already has these roles.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the account. See [`Administrator::check_may_act_on`] and [`Administrator::check_write`].
pub async fn change_roles(app: &App, admin: &Administrator, id: UserId, request: RoleChange) -> Result<User> {
    let all = [Role::User, Role::Moderator, Role::Admin, Role::SuperAdmin];
    let roles: Vec<_> =
        all.into_iter().filter(|role| *role == Role::User || request.roles.contains(role)).collect();
    let user = retry_on_conflict(async || {
        let before = users::get(app, id).await?;
        admin.check_may_act_on(&before)?;
        if before.roles == roles { Ok(before) } else { replace_roles(app, admin, before, &roles).await }
    })
    .await?;
    me::invalidate(app, id);
    // An earlier request may have failed after it stored the roles. So look for sessions with other roles even if the
    // roles did not change.
    sessions::revoke_with_other_roles(app, &user).await?;
    Ok(user)
}

async fn replace_roles(app: &App, admin: &Administrator, before: User, roles: &[Role]) -> Result<User> {
    let record = audit::record_write(app, admin.id, AuditAction::ChangeRoles, before.id, note(roles));
    let writes = [roles_write(&before, roles), record].into_iter().chain(admin.check_write(&before));
    app.table.transact(writes.collect()).await?;
    security::log(SecurityEvent::RolesChanged, before.id, &format!("by {}", admin.id));
    Ok(User { roles: roles.to_vec(), ..before })
}

fn note(roles: &[Role]) -> Option<String> {
    serde_json::to_string(roles).ok()
}

fn roles_write(user: &User, roles: &[Role]) -> Write {
    Write::update(users::key(user.id)).set("roles", roles).equals("roles", &user.roles)
}

/// Returns the user's roles, plus `role` and the roles that `role` includes.
fn with_role(user: &User, role: Role) -> Vec<Role> {
    let added: &[Role] = match role {
        Role::User => &[Role::User],
        Role::Moderator => &[Role::User, Role::Moderator],
        Role::Admin => &[Role::User, Role::Admin],
        Role::SuperAdmin => &[Role::User, Role::Admin, Role::SuperAdmin],
    };
    let mut roles = user.roles.clone();
    roles.extend(added.iter().filter(|role| !user.roles.contains(role)));
    roles
}
