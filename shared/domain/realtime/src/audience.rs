//! Determines which users can receive an event when it is pushed.

use std::collections::{HashMap, HashSet};

use base::UserId;
use platform::{App, Result};

use people::{User, UserCard, ViewContext, relationships, users};

/// Users, and their relationships to the actor of an event.
pub(super) struct Audience {
    users: HashMap<UserId, User>,
    hidden: HashSet<UserId>,
}

impl Audience {
    /// Returns these users and their relationships to the actor.
    pub(super) async fn of(app: &App, actor: UserId, people: &[UserId]) -> Result<Self> {
        let all: HashSet<_> = people.iter().copied().chain([actor]).collect();
        let others = all.iter().copied().filter(|user| *user != actor).collect();
        let keys: Vec<_> = all.iter().map(|user| users::key(*user)).collect();
        let (users, hidden) = futures::try_join!(
            app.table.batch_get_eventual::<User>(&keys),
            relationships::hidden_from(app, actor, &others, ViewContext::Thread)
        )?;
        Ok(Self { users: users.into_iter().map(|user| (user.id, user)).collect(), hidden })
    }

    /// Returns whether a user can receive the event. The user's account must be active, and no block may exist between
    /// the user and the actor.
    pub(super) fn can_receive(&self, user: UserId) -> bool {
        self.users.get(&user).is_some_and(User::is_active) && !self.hidden.contains(&user)
    }

    /// Returns the card of a user, or `None` if the user was not read.
    pub(super) fn card(&self, user: UserId) -> Option<UserCard> {
        self.users.get(&user).map(User::card)
    }
}
