//! The words and threads that a user mutes. One row stores all of them.

use std::collections::{HashMap, HashSet};

use base::{
    ids::{PostId, UserId},
    packed,
    words::FoldedWords,
};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    page::Page,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const WORDS_MAX: usize = 200;
/// Maximum number of muted threads. A mute beyond the limit replaces the oldest mute.
const THREADS_MAX: usize = 500;
const PHRASE_MAX_CHARS: usize = 100;

platform::text_types! {
    /// A word or phrase that a user mutes.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "spoiler")]
    Phrase: phrase;
}

fn phrase(text: String) -> std::result::Result<String, &'static str> {
    let text = text.trim();
    let fits = text.chars().count() <= PHRASE_MAX_CHARS && !FoldedWords::of([text]).is_empty();
    fits.then(|| text.to_owned()).ok_or("must have 1 to 100 characters, including a letter or a digit")
}

impl Phrase {
    fn folded(&self) -> FoldedWords {
        FoldedWords::of([self.0.as_str()])
    }
}

/// A request to mute or unmute a word or phrase.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct WordRequest {
    /// The word or phrase.
    pub word: Phrase,
}

/// The result of a [`WordRequest`].
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WordMuted {
    /// The word or phrase, as written in the request.
    pub word: Phrase,
    /// Whether the word or phrase is muted.
    pub is_muted: bool,
}

/// A muted word or phrase.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MutedWord {
    /// The word or phrase, as the user wrote it.
    pub word: Phrase,
    /// The time at which the word or phrase was muted.
    pub created_at: Time,
}

/// The words and threads that a user mutes. If the row is missing, the user mutes nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mutes {
    user: UserId,
    /// Newest first.
    words: Vec<MutedWord>,
    /// The first post of each thread, newest mute first.
    #[serde(with = "packed")]
    threads: Vec<PostId>,
    version: i64,
}

/// Muted words, prepared to be compared with many texts.
#[derive(Debug)]
pub struct WordFilter(Vec<FoldedWords>);

impl WordFilter {
    /// Returns whether a text contains at least one of the words.
    pub fn hides(&self, text: &FoldedWords) -> bool {
        self.0.iter().any(|word| text.has(word))
    }
}

impl Mutes {
    /// Returns the owner of the mutes.
    pub fn user(&self) -> UserId {
        self.user
    }

    fn none(user: UserId) -> Self {
        Self { user, words: Vec::new(), threads: Vec::new(), version: 0 }
    }

    /// Returns a filter of the muted words, or `None` if there are none.
    pub fn word_filter(&self) -> Option<WordFilter> {
        let words: Vec<_> = self.words.iter().map(|it| it.word.folded()).collect();
        (!words.is_empty()).then_some(WordFilter(words))
    }

    /// Returns whether the user mutes the thread that starts with the post `first`.
    pub fn has_thread(&self, first: PostId) -> bool {
        self.threads.contains(&first)
    }

    /// Returns whether the user mutes at least one of the threads or a word in the text.
    pub fn hides(&self, threads: &[PostId], text: &FoldedWords) -> bool {
        threads.iter().any(|first| self.has_thread(*first))
            || self.word_filter().is_some_and(|filter| filter.hides(text))
    }

    fn add_word(&mut self, word: &Phrase, now: Time) -> Result<()> {
        if self.index_of(word).is_some() {
            return Ok(());
        }
        if self.words.len() == WORDS_MAX {
            return Err(Error::invalid("word", "the limit of 200 muted words is reached. Unmute one first."));
        }
        self.words.insert(0, MutedWord { word: word.clone(), created_at: now });
        Ok(())
    }

    fn remove_word(&mut self, word: &Phrase) -> Result<()> {
        let index = self.index_of(word).ok_or(Error::NotFound("muted word"))?;
        self.words.remove(index);
        Ok(())
    }

    fn index_of(&self, word: &Phrase) -> Option<usize> {
        let folded = word.folded();
        self.words.iter().position(|muted| muted.word.folded() == folded)
    }

    fn set_thread(&mut self, first: PostId, is_muted: bool) {
        self.threads.retain(|thread| *thread != first);
        if is_muted {
            self.threads.insert(0, first);
            self.threads.truncate(THREADS_MAX);
        }
    }
}

/// Returns a user's mutes, or `None` if the row is missing. The read is eventually consistent.
pub async fn of(app: &App, user: UserId) -> Result<Option<Mutes>> {
    // A missing row is not read again with a consistent read, because most users have no mutes.
    Ok(app.table.batch_get_eventual(&[key(user)]).await?.pop())
}

/// Returns the mutes by user. Omits users who have no row of mutes.
pub async fn of_all(app: &App, users: &HashSet<UserId>) -> Result<HashMap<UserId, Mutes>> {
    let keys: Vec<_> = users.iter().map(|user| key(*user)).collect();
    let found: Vec<Mutes> = app.table.batch_get_eventual(&keys).await?;
    Ok(found.into_iter().map(|mutes| (mutes.user, mutes)).collect())
}

/// Returns all muted words of a user, at most 200, newest first.
pub async fn words(app: &App, user: UserId) -> Result<Page<MutedWord>> {
    Ok(Page { rows: read(app, user).await?.words, after: None })
}

/// Mutes a word. Has no effect if the word is already muted. The comparison ignores case and diacritics.
///
/// # Errors
/// Fails with [`Error::Invalid`] if 200 words are already muted.
pub async fn mute_word(app: &App, user: UserId, request: WordRequest, once: &Once) -> Result<WordMuted> {
    let WordRequest { word } = request;
    once.run(app, user, async || {
        let writes = writes_after(read(app, user).await?, |mutes| mutes.add_word(&word, app.now()))?;
        Ok((writes, WordMuted { word: word.clone(), is_muted: true }))
    })
    .await
}

/// Unmutes a word. The comparison ignores case and diacritics.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the word is not muted.
pub async fn unmute_word(app: &App, user: UserId, request: WordRequest, once: &Once) -> Result<WordMuted> {
    let WordRequest { word } = request;
    once.run(app, user, async || {
        let writes = writes_after(read(app, user).await?, |mutes| mutes.remove_word(&word))?;
        Ok((writes, WordMuted { word: word.clone(), is_muted: false }))
    })
    .await
}

/// Returns the writes that mute or unmute the thread that starts with the post `first`, and whether the thread is muted
/// after them. If `wanted` is `None`, toggles the mute.
pub async fn thread_writes(
    app: &App,
    user: UserId,
    first: PostId,
    wanted: Option<bool>,
) -> Result<(Vec<Write>, bool)> {
    let before = read(app, user).await?;
    let is_muted = wanted.unwrap_or_else(|| !before.has_thread(first));
    let writes = writes_after(before, |mutes| {
        mutes.set_thread(first, is_muted);
        Ok(())
    })?;
    Ok((writes, is_muted))
}

/// Returns the write that changes a user's mutes. Returns no write if the change has no effect.
fn writes_after(before: Mutes, change: impl FnOnce(&mut Mutes) -> Result<()>) -> Result<Vec<Write>> {
    let mut after = before.clone();
    change(&mut after)?;
    if (after.words.len(), &after.threads) == (before.words.len(), &before.threads) {
        return Ok(Vec::new());
    }
    after.version += 1;
    Ok(vec![Write::put(&after).equals_or_lacks("version", before.version).marked()])
}

async fn read(app: &App, user: UserId) -> Result<Mutes> {
    Ok(app.table.get(&key(user)).await?.unwrap_or_else(|| Mutes::none(user)))
}

/// Returns the key of a user's mutes.
pub fn key(user: UserId) -> Key {
    Key::new(user.partition(), "MUTES")
}

/// `USER#u / MUTES`
impl Row for Mutes {
    fn key(&self) -> Key {
        key(self.user)
    }
}
