//! Who hears of what somebody did, as things stand when it is pushed.

use std::collections::{HashMap, HashSet};

use base::ids::UserId;
use platform::{App, Result};

use people::{
    relationships::{self, ViewContext},
    users::{self, User, UserCard},
};

/// People, and how they stand to somebody who did something.
pub(super) struct Audience {
    users: HashMap<UserId, User>,
    hidden: HashSet<UserId>,
}

impl Audience {
    /// Reads how people stand to the one who did it.
    pub(super) async fn of(app: &App, actor: UserId, people: &[UserId]) -> Result<Self> {
        let everybody: HashSet<_> = people.iter().copied().chain([actor]).collect();
        let others = everybody.iter().copied().filter(|it| *it != actor).collect();
        let keys: Vec<_> = everybody.iter().map(|it| users::key(*it)).collect();
        let (users, hidden) = futures::try_join!(
            app.table.batch_get_eventual::<User>(&keys),
            relationships::hidden_from(app, actor, &others, ViewContext::Thread)
        )?;
        Ok(Self { users: users.into_iter().map(|it| (it.id, it)).collect(), hidden })
    }

    /// Returns whether a person hears of it: their account works, and no block separates the two.
    pub(super) fn hears(&self, person: UserId) -> bool {
        self.users.get(&person).is_some_and(User::is_active) && !self.hidden.contains(&person)
    }

    /// Returns the card of a person.
    pub(super) fn card(&self, person: UserId) -> Option<UserCard> {
        self.users.get(&person).map(User::card)
    }
}
