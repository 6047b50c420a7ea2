//! Checks which accounts an administrator or moderator may act on.

use std::borrow::Cow;

use base::UserId;
use platform::{App, Error, Result, Write};

use super::{Role, Status, User, find};

const NOT_SUPER_ADMIN: Error = Error::Forbidden(Cow::Borrowed("you are no longer a SUPER_ADMIN"));

/// The administrator or moderator who makes a request.
#[derive(Clone, Debug)]
pub struct Administrator {
    /// The administrator's user ID.
    pub id: UserId,
    /// The administrator's roles.
    pub roles: Vec<Role>,
}

impl Administrator {
    /// Returns whether the caller has the role ADMIN or SUPER_ADMIN.
    pub fn is_admin(&self) -> bool {
        self.roles.iter().any(|role| role.is_admin())
    }

    /// Checks that the administrator may act on this account.
    ///
    /// # Errors
    /// Fails with [`Error::Forbidden`] if the account is the administrator's own account. Also fails if the account
    /// belongs to an administrator, unless the caller is a SUPER_ADMIN.
    pub fn check_may_act_on(&self, user: &User) -> Result<()> {
        let refusal = if user.id == self.id {
            "you cannot do this to your own account"
        } else if user.is_admin() && !self.roles.contains(&Role::SuperAdmin) {
            "only a SUPER_ADMIN can do this to an administrator"
        } else {
            return Ok(());
        };
        Err(Error::Forbidden(refusal.into()))
    }

    /// Returns a transaction check that this administrator is still an active SUPER_ADMIN. `user` is the account that
    /// this administrator suspends or demotes. Returns `None` if `user` is not a SUPER_ADMIN.
    ///
    /// The transaction that changes `user` must contain this check. Then an active SUPER_ADMIN always remains, even if
    /// two of them demote each other at the same time.
    pub fn check_write(&self, user: &User) -> Option<Write> {
        let unchanged = Write::check(super::key(self.id)).equals("roles", &self.roles);
        let unchanged = unchanged.equals("status", Status::Active).or(NOT_SUPER_ADMIN);
        user.is_super_admin().then(|| unchanged.into())
    }

    /// Checks that the administrator or moderator may decide on content by this author.
    ///
    /// # Errors
    /// Fails with [`Error::Forbidden`] if the caller is a moderator and the author is an administrator.
    pub async fn check_may_judge(&self, app: &App, author: UserId) -> Result<()> {
        if !self.is_admin() && find(app, author).await?.is_some_and(|author| author.is_admin()) {
            let refusal = "only administrators can decide on content of an administrator";
            return Err(Error::Forbidden(refusal.into()));
        }
        Ok(())
    }
}
