//! Checks which accounts an administrator or moderator may act on.

use base::ids::UserId;
use platform::{
    App,
    error::{Error, Result},
};

use super::{Role, User, find};

/// The administrator or moderator who makes a request.
#[derive(Clone, Debug)]
pub struct Administrator {
    /// The administrator's user ID.
    pub id: UserId,
    /// The administrator's roles.
    pub roles: Vec<Role>,
}

impl Administrator {
    /// Checks that the administrator may act on this account.
    ///
    /// # Errors
    /// Fails with [`Error::Forbidden`] if the account is the administrator's own account or belongs to a SUPER_ADMIN.
    /// If the account belongs to any other administrator, fails unless the caller is a SUPER_ADMIN.
    pub fn check_may_act_on(&self, user: &User) -> Result<()> {
        let refusal = if user.id == self.id {
            "you cannot do this to your own account"
        } else if user.is_super_admin() {
            "a SUPER_ADMIN's account cannot be changed"
        } else if user.is_admin() && !self.roles.contains(&Role::SuperAdmin) {
            "only a SUPER_ADMIN can do this to an administrator"
        } else {
            return Ok(());
        };
        Err(Error::Forbidden(refusal.into()))
    }

    /// Checks that the administrator or moderator may decide on content by this author.
    ///
    /// # Errors
    /// Fails with [`Error::Forbidden`] if the caller is a moderator and the author is an administrator.
    pub async fn check_may_judge(&self, app: &App, author: UserId) -> Result<()> {
        if self.roles.iter().any(|it| it.is_admin()) {
            return Ok(());
        }
        match find(app, author).await? {
            Some(author) if author.is_admin() => {
                Err(Error::Forbidden("only administrators can decide on content of an administrator".into()))
            }
            _ => Ok(()),
        }
    }
}
