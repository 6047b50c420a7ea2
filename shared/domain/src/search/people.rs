//! Finding people by the beginning of their username or of a word of their name.

use std::collections::HashSet;

use platform::{
    App, Result,
    page::{Cursor, Page},
};

use super::{
    people_index::{List, UserTerm, found_by, terms_with_prefix},
    terms::Terms,
};
use crate::{
    ids::UserId,
    people::{
        relationships::{self, Surface},
        users::{self, Status, User, UserCard},
    },
};

/// The number of queries after which a search ends, though its page is not full.
const ROUNDS_MAX: usize = 10;

/// Returns active users in the order of the terms by which they are found, without users whom the viewer
/// blocks or who block the viewer. Costs 3 calls and 22 RRU at a page of 20; 1 call more behind a cursor.
pub async fn find_people(
    app: &App,
    viewer: UserId,
    terms: &Terms,
    cursor: Cursor<UserId>,
) -> Result<Page<UserCard>> {
    let (prefix, wanted) = (terms.prefix(), cursor.take.rows() + 1);
    let mut last = match cursor.after {
        Some(id) => users::find(app, id).await?.and_then(|it| found_by(&it, &prefix)),
        None => None,
    };
    let mut found = Vec::with_capacity(wanted);
    for _ in 0..ROUNDS_MAX {
        let rows = wanted - found.len();
        let user_terms = terms_with_prefix(app, List::Person, &prefix, last.take(), rows).await?;
        found.extend(still_matching(app, viewer, &prefix, &user_terms).await?);
        if user_terms.len() < rows || found.len() >= wanted {
            break;
        }
        last = user_terms.into_iter().last();
    }
    Ok(Page::cut(found, cursor.take, |it| it.id.to_string()).map(|it| it.card()))
}

/// Returns at most `most` users whose username, name or e-mail begins with the terms, for administrators.
/// Costs 2 calls.
pub async fn matches(app: &App, terms: &Terms, most: usize) -> Result<HashSet<UserId>> {
    let prefix = terms.prefix();
    let people = terms_with_prefix(app, List::Person, &prefix, None, most);
    let mailboxes = terms_with_prefix(app, List::Mailbox, &prefix, None, most);
    let (people, mailboxes) = futures::try_join!(people, mailboxes)?;
    Ok(people.into_iter().chain(mailboxes).map(|it| it.user).collect())
}

/// Returns the users of these terms who still match, each only at the first of their terms.
async fn still_matching(
    app: &App,
    viewer: UserId,
    prefix: &str,
    user_terms: &[UserTerm],
) -> Result<Vec<User>> {
    let ids: HashSet<_> = user_terms.iter().map(|it| it.user).collect();
    let all: Vec<_> = ids.iter().copied().collect();
    let people = users::find_all(app, &all);
    let (people, hidden) =
        futures::try_join!(people, relationships::hidden_from(app, viewer, &ids, Surface::Thread))?;
    let matching = |term: &UserTerm| {
        let user = people.iter().find(|it| it.id == term.user)?;
        let shown = user.status == Status::Active && !hidden.contains(&user.id);
        (shown && found_by(user, prefix).as_ref() == Some(term)).then(|| user.clone())
    };
    Ok(user_terms.iter().filter_map(matching).collect())
}
