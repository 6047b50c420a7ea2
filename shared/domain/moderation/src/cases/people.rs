//! The authors and assignees of cases.

use std::collections::HashMap;

use base::UserId;
use people::{User, UserRef, unique, users};
use platform::{App, Error, Key, Result};

use super::row::Case;

/// The existing users among the authors and assignees of cases.
pub(super) struct CasePeople(HashMap<UserId, User>);

impl CasePeople {
    /// Returns the people of a case.
    pub(super) async fn of(app: &App, case: &Case) -> Result<Self> {
        app.table.batch_get(&keys([case])).await.map(Self::from)
    }

    /// Returns the people of several cases. The read is eventually consistent.
    pub(super) async fn of_all(app: &App, cases: &[Case]) -> Result<Self> {
        app.table.batch_get_eventual(&keys(cases)).await.map(Self::from)
    }

    /// Returns the author of a case, or `None` if the author deleted their account.
    pub(super) fn author(&self, case: &Case) -> Option<&User> {
        self.0.get(&case.author)
    }

    /// Returns the assigned user of a case, or `None` if the user can no longer decide cases.
    pub(super) fn assignee(&self, case: &Case) -> Option<&User> {
        self.0.get(&case.assignee?).filter(|user| may_decide(user))
    }
}

impl From<Vec<User>> for CasePeople {
    fn from(users: Vec<User>) -> Self {
        Self(users.into_iter().map(|user| (user.id, user)).collect())
    }
}

fn keys<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Vec<Key> {
    let ids = cases.into_iter().flat_map(|case| [Some(case.author), case.assignee]).flatten();
    ids.filter(|user| *user != UserId::NONE).map(users::key).collect()
}

/// Returns the moderator that a request names in the field `assignee`.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the user does not exist, is not a moderator, or is suspended.
pub(super) async fn find_moderator(app: &App, user: &UserRef) -> Result<UserId> {
    let id = unique::user_in_filter(app, "assignee", user).await?;
    let found = users::find(app, id).await?.filter(may_decide);
    found.map(|user| user.id).ok_or(Error::invalid("assignee", "must be a moderator or an administrator"))
}

/// Returns whether cases can be assigned to a user.
fn may_decide(user: &User) -> bool {
    user.is_moderator() && user.is_active()
}
