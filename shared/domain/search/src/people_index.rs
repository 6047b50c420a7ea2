//! The index of people: the texts by which a user is found.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use base::{ids::UserId, words::fold};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use people::users::{self, User};
use platform::{
    App,
    id::NotAnId,
    retry_on_conflict,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// The number of words of a name that are indexed, each with the words after it.
const NAME_WORDS_MAX: usize = 5;

/// A text by which a user is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserTerm {
    pub(super) list: List,
    pub(super) text: String,
    pub(super) user: UserId,
}

/// The lists of terms. Only administrators find users by e-mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum List {
    Person,
    Mailbox,
}

/// The terms of a user that are indexed, and the number of their changes.
#[derive(Debug, Serialize, Deserialize)]
struct IndexedUser {
    user: UserId,
    terms: Vec<UserTerm>,
    version: i64,
}

/// Indexes a user by their present names and e-mail.
///
/// # Errors
/// [`platform::Error::LimitReached`] when the index keeps changing meanwhile.
pub async fn index_user(app: &App, id: UserId) -> platform::Result<()> {
    retry_on_conflict(async || {
        let indexed_key = indexed_key(id);
        let (user, before) =
            futures::try_join!(users::find(app, id), app.table.get::<IndexedUser>(&indexed_key))?;
        let wanted = user.as_ref().map(terms).unwrap_or_default();
        let (terms, version) = before.map(|indexed| (indexed.terms, indexed.version)).unwrap_or_default();
        if wanted == terms {
            return Ok(());
        }
        let removed: Vec<_> = terms.iter().filter(|term| !wanted.contains(term)).map(Row::key).collect();
        app.table.batch_write(&wanted, &removed).await?;
        let after = IndexedUser { user: id, terms: wanted, version: version + 1 };
        app.table.write(Write::put(&after).equals_or_lacks("version", version)).await
    })
    .await
}

/// Returns the terms of a list that begin with the prefix, in alphabetical order.
pub(super) async fn terms_with_prefix(
    app: &App,
    list: List,
    prefix: &str,
    after: Option<&UserTerm>,
    rows: usize,
) -> platform::Result<Vec<UserTerm>> {
    if prefix.is_empty() {
        return Ok(Vec::new());
    }
    let low = after.map(|term| term.key().sk).unwrap_or_default().max(prefix.to_owned());
    // No text with the prefix sorts after the prefix and the highest character.
    let query = Query::partition(partition(list, prefix)).between(low, format!("{prefix}{}", char::MAX));
    let mut terms: Vec<UserTerm> = app.table.query(&query.limit(rows + 1)).await?;
    terms.retain(|term| Some(term) != after);
    terms.truncate(rows);
    Ok(terms)
}

/// Returns the term by which a user is found: of several that begin with the prefix the one that sorts
/// first.
pub(super) fn found_by(user: &User, prefix: &str) -> Option<UserTerm> {
    let public = terms(user).into_iter().filter(|term| term.list == List::Person);
    public.filter(|term| term.text.starts_with(prefix)).min_by(|one, two| one.text.cmp(&two.text))
}

/// Returns the terms by which a user is found.
pub fn terms(user: &User) -> Vec<UserTerm> {
    let name = fold(&user.name.to_string());
    let words: Vec<_> = name.split_whitespace().collect();
    let starts = words.len().min(NAME_WORDS_MAX);
    let mut names: Vec<_> = (0..starts).filter_map(|start| Some(words.get(start..)?.join(" "))).collect();
    names.push(user.username.lower());
    names.sort_unstable();
    names.dedup();
    let term = |list| move |text| UserTerm { list, text, user: user.id };
    let mailbox = [user.email.to_string()].map(term(List::Mailbox));
    names.into_iter().map(term(List::Person)).chain(mailbox).collect()
}

fn partition(list: List, text: &str) -> String {
    let first = text.chars().next().map(String::from).unwrap_or_default();
    match list {
        List::Person => format!("PEOPLE#{first}"),
        List::Mailbox => format!("MAILBOXES#{first}"),
    }
}

fn indexed_key(user: UserId) -> Key {
    Key::new(user.partition(), "INDEXED")
}

/// `PEOPLE#first character / text#user`, `MAILBOXES#first character / e-mail#user`
impl Row for UserTerm {
    fn key(&self) -> Key {
        Key::new(partition(self.list, &self.text), format!("{}#{}", self.text, self.user))
    }
}

/// The term's position in a list of people, as a cursor.
impl Display for UserTerm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64_URL_SAFE_NO_PAD.encode(format!("{}#{}", self.text, self.user)))
    }
}

/// A position in a list of people: behind a term, which stays where it is when its user takes another name; or behind
/// the term by which a user is found now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonPosition {
    /// Behind a term.
    Term(UserTerm),
    /// Behind a user.
    User(UserId),
}

impl FromStr for PersonPosition {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        if let Ok(id) = text.parse() {
            return Ok(Self::User(id));
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| NotAnId)?;
        let text = String::from_utf8(bytes).map_err(|_| NotAnId)?;
        let (text, user) = text.rsplit_once('#').ok_or(NotAnId)?;
        let user = user.parse().map_err(|_| NotAnId)?;
        Ok(Self::Term(UserTerm { list: List::Person, text: text.to_owned(), user }))
    }
}

impl<'de> Deserialize<'de> for PersonPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// `USER#id / INDEXED`
impl Row for IndexedUser {
    fn key(&self) -> Key {
        indexed_key(self.user)
    }
}
