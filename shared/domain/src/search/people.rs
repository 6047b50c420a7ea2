//! People, by how their username or a word of their name begins.

use std::collections::HashSet;

use platform::{
    App, Result,
    error::Error,
    page::{Cursor, Page},
    table::{Attempt, Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::words::{Terms, fold};
use crate::{
    ids::UserId,
    people::{
        relationships::{self, Surface},
        users::{self, Status, User, UserCard},
    },
};

/// Words of a name that are indexed, each with all that follows it.
const NAME_WORDS_MAX: usize = 5;
const TRIES: usize = 8;
/// How many rows a search reads at most; who begins the same way comes after them in vain.
const ROUNDS_MAX: usize = 10;

/// A way to find somebody. Administrators find people by e-mail too, others do not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Token {
    list: List,
    text: String,
    user: UserId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum List {
    Person,
    Mailbox,
}

/// What was indexed of somebody, and how often that changed.
#[derive(Debug, Serialize, Deserialize)]
struct Indexed {
    user: UserId,
    tokens: Vec<Token>,
    version: i64,
}

/// Makes somebody findable as they are called now. 3 calls: 2 RRU, 1 WRU and 1 a word.
///
/// # Errors
/// Internal, when it could not be written.
pub async fn index_user(app: &App, id: UserId) -> Result<()> {
    for _ in 0..TRIES {
        let indexed_key = indexed_key(id);
        let (user, before) =
            futures::try_join!(users::find(app, id), app.table.get::<Indexed>(&indexed_key))?;
        let wanted = user.as_ref().map(tokens).unwrap_or_default();
        let (tokens, version) = before.map(|it| (it.tokens, it.version)).unwrap_or_default();
        if wanted == tokens {
            return Ok(());
        }
        let gone: Vec<_> = tokens.iter().filter(|it| !wanted.contains(it)).map(Row::key).collect();
        app.table.batch_write(&wanted, &gone).await?;
        let after = Indexed { user: id, tokens: wanted, version: version + 1 };
        let write = Write::put(&after).equals_or_lacks("version", version);
        if let Attempt::Done(_) = app.table.attempt::<Indexed>(write).await? {
            return Ok(());
        }
    }
    Err(Error::internal(anyhow::anyhow!("somebody kept changing while they were indexed")))
}

/// People who may use their account, in the order of what they are found by; not who blocks the
/// viewer or is blocked. At a page of 20: 3 calls and 22 RRU; 1 more behind a cursor.
///
/// # Errors
/// Internal only.
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
        let tokens = beginning_with(app, List::Person, &prefix, last.take(), rows).await?;
        found.extend(still_called(app, viewer, &prefix, &tokens).await?);
        if tokens.len() < rows || found.len() >= wanted {
            break;
        }
        last = tokens.into_iter().last();
    }
    Ok(Page::cut(found, cursor.take, |it| it.id.to_string()).map(|it| it.card()))
}

/// Those whose username, name or e-mail begins so, at most `most`, for administrators. 2 calls.
///
/// # Errors
/// Internal only.
pub async fn matches(app: &App, terms: &Terms, most: usize) -> Result<HashSet<UserId>> {
    let prefix = terms.prefix();
    let people = beginning_with(app, List::Person, &prefix, None, most);
    let mailboxes = beginning_with(app, List::Mailbox, &prefix, None, most);
    let (people, mailboxes) = futures::try_join!(people, mailboxes)?;
    Ok(people.into_iter().chain(mailboxes).map(|it| it.user).collect())
}

async fn beginning_with(
    app: &App,
    list: List,
    prefix: &str,
    after: Option<Token>,
    rows: usize,
) -> Result<Vec<Token>> {
    if prefix.is_empty() {
        return Ok(Vec::new());
    }
    let low = after.as_ref().map_or_else(|| prefix.to_owned(), |it| it.key().sk);
    // Nothing that begins with the prefix sorts after the prefix and the last character there is.
    let query = Query::partition(partition(list, prefix)).between(low, format!("{prefix}{}", char::MAX));
    let mut tokens: Vec<Token> = app.table.query(&query.limit(rows + 1)).await?;
    tokens.retain(|it| Some(it) != after.as_ref());
    tokens.truncate(rows);
    Ok(tokens)
}

/// The people of these tokens that are still called so, each by the first of their tokens only.
async fn still_called(app: &App, viewer: UserId, prefix: &str, tokens: &[Token]) -> Result<Vec<User>> {
    let ids: HashSet<_> = tokens.iter().map(|it| it.user).collect();
    let all: Vec<_> = ids.iter().copied().collect();
    let people = users::find_all(app, &all);
    let (people, hidden) =
        futures::try_join!(people, relationships::hidden_from(app, viewer, &ids, Surface::Thread))?;
    let called = |token: &Token| {
        let user = people.iter().find(|it| it.id == token.user)?;
        let shown = user.status == Status::Active && !hidden.contains(&user.id);
        (shown && found_by(user, prefix).as_ref() == Some(token)).then(|| user.clone())
    };
    Ok(tokens.iter().filter_map(called).collect())
}

/// What somebody is found by, where several of their tokens begin so: the one that sorts first.
fn found_by(user: &User, prefix: &str) -> Option<Token> {
    let public = tokens(user).into_iter().filter(|it| it.list == List::Person);
    public.filter(|it| it.text.starts_with(prefix)).min_by(|one, two| one.text.cmp(&two.text))
}

fn tokens(user: &User) -> Vec<Token> {
    let name = fold(&user.name.to_string());
    let starts = name.split_whitespace().take(NAME_WORDS_MAX).count();
    let words: Vec<_> = name.split_whitespace().collect();
    let mut people: Vec<_> = (0..starts).filter_map(|it| Some(words.get(it..)?.join(" "))).collect();
    people.push(user.username.lower());
    people.sort_unstable();
    people.dedup();
    let token = |list| move |text| Token { list, text, user: user.id };
    let mailbox = [user.email.to_string()].map(token(List::Mailbox));
    people.into_iter().map(token(List::Person)).chain(mailbox).collect()
}

fn partition(list: List, text: &str) -> String {
    let first = text.chars().next().map(String::from).unwrap_or_default();
    match list {
        List::Person => format!("PEOPLE#{first}"),
        List::Mailbox => format!("MAILBOXES#{first}"),
    }
}

fn indexed_key(user: UserId) -> Key {
    Key::new(format!("USER#{user}"), "INDEXED")
}

/// `PEOPLE#first character / token#user`, `MAILBOXES#first character / e-mail#user`
impl Row for Token {
    fn key(&self) -> Key {
        Key::new(partition(self.list, &self.text), format!("{}#{}", self.text, self.user))
    }
}

/// `USER#id / INDEXED`
impl Row for Indexed {
    fn key(&self) -> Key {
        indexed_key(self.user)
    }
}
