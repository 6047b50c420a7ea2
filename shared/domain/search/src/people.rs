//! Finds users whose username, or a word in their name, starts with the terms.

use std::collections::HashSet;

use base::UserId;
use platform::{App, Cursor, FillingPage, Page, Result};

use super::{
    people_index::{List, PersonPosition, UserTerm, found_by, terms_with_prefix},
    terms::Terms,
};
use people::{Status, User, UserCard, ViewContext, relationships, users};

/// Returns a page of active users, sorted by their matching terms. Omits users that the viewer blocks, and users that
/// block the viewer.
pub async fn find_people(
    app: &App,
    viewer: UserId,
    terms: &Terms,
    cursor: Cursor<PersonPosition>,
) -> Result<Page<UserCard>> {
    let (prefix, take) = (terms.prefix(), cursor.take);
    let after = resolve_cursor(app, cursor.after, &prefix).await?;
    let mut page = FillingPage::new(Cursor { take, after });
    while let Some(Cursor { take, after }) = page.to_read() {
        let user_terms =
            terms_with_prefix(app, List::Person, &prefix, after.as_ref(), take.rows() + 1).await?;
        let found = still_matching(app, viewer, &prefix, &user_terms).await?;
        let read = user_terms.len();
        page.add(found, user_terms.into_iter().last(), read);
    }
    Ok(page.page(|(term, _)| term.to_string()).map(|(_, user)| user.card()))
}

/// Returns the term after which a page starts, or `None` to start at the beginning.
async fn resolve_cursor(app: &App, after: Option<PersonPosition>, prefix: &str) -> Result<Option<UserTerm>> {
    match after {
        Some(PersonPosition::Term(term)) => Ok(Some(term)),
        Some(PersonPosition::User(id)) => {
            Ok(users::find(app, id).await?.and_then(|user| found_by(&user, prefix)))
        }
        None => Ok(None),
    }
}

/// Returns the users for a search by an administrator. A user matches if the username, the email address or a word in
/// the name starts with the terms. Reads up to `max` matching names and usernames, and up to `max` matching email
/// addresses.
pub async fn matches(app: &App, terms: &Terms, max: usize) -> Result<HashSet<UserId>> {
    let prefix = terms.prefix();
    let people = terms_with_prefix(app, List::Person, &prefix, None, max);
    let mailboxes = terms_with_prefix(app, List::Mailbox, &prefix, None, max);
    let (people, mailboxes) = futures::try_join!(people, mailboxes)?;
    Ok(people.into_iter().chain(mailboxes).map(|term| term.user).collect())
}

/// Returns the users in `user_terms` who still match. If several terms of a user match, returns the user only with the
/// first term.
async fn still_matching(
    app: &App,
    viewer: UserId,
    prefix: &str,
    user_terms: &[UserTerm],
) -> Result<Vec<(UserTerm, User)>> {
    let ids: HashSet<_> = user_terms.iter().map(|term| term.user).collect();
    let all: Vec<_> = ids.iter().copied().collect();
    let people = users::find_all(app, &all);
    let (people, hidden) =
        futures::try_join!(people, relationships::hidden_from(app, viewer, &ids, ViewContext::Thread))?;
    let matching = |term: &UserTerm| {
        let user = people.iter().find(|user| user.id == term.user)?;
        let shown = user.status == Status::Active && !hidden.contains(&user.id);
        (shown && found_by(user, prefix).as_ref() == Some(term)).then(|| (term.clone(), user.clone()))
    };
    Ok(user_terms.iter().filter_map(matching).collect())
}
