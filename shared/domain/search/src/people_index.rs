//! The index of the texts by which searches find users.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use base::UserId;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use people::{User, users};
use platform::{
    App, Key, Query, Row, Write,
    id::NotAnId,
    outcomes, retry_on_conflict,
    text::{fold, is_unspaced},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// Maximum number of indexed words of a name. Each word is indexed together with the words after it.
const NAME_WORDS_MAX: usize = 5;

/// A text by which searches find a user.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserTerm {
    pub(super) list: List,
    pub(super) text: String,
    pub(super) user: UserId,
}

/// A list of terms. `Mailbox` contains the email addresses, which only searches by administrators use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum List {
    Person,
    Mailbox,
}

#[derive(Debug, Serialize, Deserialize)]
struct IndexedUser {
    user: UserId,
    terms: Vec<UserTerm>,
    /// The number of changes to the row, to detect concurrent changes.
    version: i64,
}

/// Indexes the current names and email address of a user.
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if concurrent changes cause too many conflicts.
pub async fn index_user(app: &App, id: UserId) -> platform::Result<()> {
    retry_on_conflict(async || {
        let indexed_key = indexed_key(id);
        let (user, before) =
            futures::try_join!(users::find(app, id), app.table.get::<IndexedUser>(&indexed_key))?;
        let wanted = user.as_ref().map(terms).unwrap_or_default();
        let (terms, version) = before.map(|indexed| (indexed.terms, indexed.version)).unwrap_or_default();
        if wanted == terms {
            return outcomes::end("the user is indexed");
        }
        let removed: Vec<_> = terms.iter().filter(|term| !wanted.contains(term)).map(Row::key).collect();
        app.table.batch_write(&wanted, &removed).await?;
        let after = IndexedUser { user: id, terms: wanted, version: version + 1 };
        app.table.write(Write::put(&after).equals_or_lacks("version", version)).await
    })
    .await
}

/// Returns the next terms of a list that start with the prefix, in alphabetical order.
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
    // The upper bound: every text with the prefix sorts before the prefix followed by the highest character.
    let query = Query::partition(partition(list, prefix)).between(low, format!("{prefix}{}", char::MAX));
    let mut terms: Vec<UserTerm> = app.table.query(&query.limit(rows + 1)).await?;
    terms.retain(|term| Some(term) != after);
    terms.truncate(rows);
    Ok(terms)
}

/// Returns the user's first term in alphabetical order that starts with the prefix, or `None`. Ignores the email
/// address.
pub(super) fn found_by(user: &User, prefix: &str) -> Option<UserTerm> {
    let public = terms(user).into_iter().filter(|term| term.list == List::Person);
    public.filter(|term| term.text.starts_with(prefix)).min_by(|one, two| one.text.cmp(&two.text))
}

/// Returns all terms by which searches find a user.
pub fn terms(user: &User) -> Vec<UserTerm> {
    let name = fold(&user.name.to_string()).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut names: Vec<_> =
        word_starts(&name).take(NAME_WORDS_MAX).map(|start| name[start..].to_owned()).collect();
    names.push(user.username.lower());
    names.sort_unstable();
    names.dedup();
    let term = |list| move |text| UserTerm { list, text, user: user.id };
    let mailbox = [user.email.to_string()].map(term(List::Mailbox));
    names.into_iter().map(term(List::Person)).chain(mailbox).collect()
}

/// Returns the byte offsets at which the words of a name start. In a script without spaces, each letter is a word. The
/// offsets of such letters come last, because only the first 5 offsets are indexed.
fn word_starts(name: &str) -> impl Iterator<Item = usize> {
    let before = [' '].into_iter().chain(name.chars());
    let (starts, others): (Vec<_>, Vec<_>) = name
        .char_indices()
        .zip(before)
        .filter(|((_, char), _)| !separates(*char))
        .partition(|(_, before)| separates(*before));
    let letters = others.into_iter().filter(|((_, char), _)| is_unspaced(*char));
    starts.into_iter().chain(letters).map(|((at, _), _)| at)
}

/// Returns whether a character separates the words of a name, as in `Jean-Pierre O'Brien`.
fn separates(char: char) -> bool {
    matches!(char, ' ' | '-' | '\'' | '’' | '.' | '_' | '·' | '‐' | '–')
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

/// `PEOPLE#first character / text#user`, `MAILBOXES#first character / email#user`
impl Row for UserTerm {
    fn key(&self) -> Key {
        Key::new(partition(self.list, &self.text), format!("{}#{}", self.text, self.user))
    }
}

/// Formats the term as a cursor, which contains the user's public ID.
impl Display for UserTerm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64_URL_SAFE_NO_PAD.encode(format!("{}#{}", self.text, self.user.public())))
    }
}

/// A cursor in a list of found users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonPosition {
    /// The position after a term. This position stays valid when the user's name changes.
    Term(UserTerm),
    /// The position after the term by which the search currently finds a user.
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
