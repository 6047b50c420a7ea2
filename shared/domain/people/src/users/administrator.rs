//! Administrators and moderators, and on whom they may act.

use base::ids::UserId;
use platform::{
    App,
    error::{Error, Result},
};

use super::{Role, User, find};

/// An administrator who acts, or a moderator.
#[derive(Clone, Debug)]
pub struct Administrator {
    /// The administrator's id.
    pub id: UserId,
    /// The administrator's roles.
    pub roles: Vec<Role>,
}

impl Administrator {
    /// Checks that the administrator may act on this account.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for the administrator's own account and for that of a SUPER_ADMIN, and, unless the
    /// administrator is a SUPER_ADMIN, for that of any administrator.
    pub fn check_may_act_on(&self, user: &User) -> Result<()> {
        let refusal = if user.id == self.id {
            "this account is your own"
        } else if user.is_super_admin() {
            "a SUPER_ADMIN stays"
        } else if user.is_admin() && !self.roles.contains(&Role::SuperAdmin) {
            "only a SUPER_ADMIN acts on administrators"
        } else {
            return Ok(());
        };
        Err(Error::Forbidden(refusal.into()))
    }

    /// Checks that the administrator or moderator may decide about what somebody wrote.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for a moderator about an administrator.
    pub async fn check_may_judge(&self, app: &App, author: UserId) -> Result<()> {
        if self.roles.iter().any(|it| it.is_admin()) {
            return Ok(());
        }
        match find(app, author).await? {
            Some(author) if author.is_admin() => {
                Err(Error::Forbidden("only administrators decide about administrators".into()))
            }
            _ => Ok(()),
        }
    }
}
