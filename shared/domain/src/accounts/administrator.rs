//! Administrators, and on whom they may act.

use platform::error::{Error, Result};

use crate::{
    ids::UserId,
    people::users::{Role, User},
};

/// An administrator who acts.
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
    pub(super) fn check_may_act_on(&self, user: &User) -> Result<()> {
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
}
