//! What a user mutes besides people: words and threads. One row a user, so that one read shows all of it.

use std::collections::{HashMap, HashSet};

use base::{
    ids::{PostId, UserId},
    packed,
    words::FoldedWords,
};
use platform::{
    App,
    error::{Error, Result},
    page::Page,
    retry_on_conflict,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const WORDS_MAX: usize = 200;
/// The newest so many threads are muted: the oldest is forgotten for a new one.
const THREADS_MAX: usize = 500;
const PHRASE_MAX_CHARS: usize = 100;

platform::text_types! {
    /// A word or a phrase that somebody does not want to read.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "spoiler")]
    Phrase: phrase;
}

fn phrase(text: String) -> std::result::Result<String, &'static str> {
    let text = text.trim();
    let fits = text.chars().count() <= PHRASE_MAX_CHARS && !FoldedWords::of([text]).is_empty();
    fits.then(|| text.to_owned()).ok_or("must have 1 to 100 characters, with a letter or a digit")
}

impl Phrase {
    fn folded(&self) -> FoldedWords {
        FoldedWords::of([self.0.as_str()])
    }
}

/// A request to mute a word or phrase, or to mute it no more.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct WordRequest {
    /// The word or phrase.
    pub word: Phrase,
}

/// The state after a [`WordRequest`].
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WordMuted {
    /// The word or phrase, as the caller wrote it now.
    pub word: Phrase,
    /// Whether it is muted.
    pub is_muted: bool,
}

/// A muted word or phrase.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MutedWord {
    /// The word or phrase, as it was written.
    pub word: Phrase,
    /// The time at which it was muted.
    pub created_at: Time,
}

/// The words and threads that a user mutes. A missing row means that there are none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mutes {
    user: UserId,
    /// The newest first.
    words: Vec<MutedWord>,
    /// The first post of each, the newest mute first.
    #[serde(with = "packed")]
    threads: Vec<PostId>,
    version: i64,
}

/// Muted words, made ready to be looked for in many texts.
#[derive(Debug)]
pub struct WordFilter(Vec<FoldedWords>);

impl WordFilter {
    /// Returns whether a text has any of the words.
    pub fn hides(&self, text: &FoldedWords) -> bool {
        self.0.iter().any(|it| text.has(it))
    }
}

impl Mutes {
    /// Returns the user who mutes it.
    pub fn user(&self) -> UserId {
        self.user
    }

    fn none(user: UserId) -> Self {
        Self { user, words: Vec::new(), threads: Vec::new(), version: 0 }
    }

    /// Returns what hides texts with the muted words; none where there are none.
    pub fn word_filter(&self) -> Option<WordFilter> {
        let words: Vec<_> = self.words.iter().map(|it| it.word.folded()).collect();
        (!words.is_empty()).then_some(WordFilter(words))
    }

    /// Returns whether the user mutes the thread that begins with a post.
    pub fn has_thread(&self, first: PostId) -> bool {
        self.threads.contains(&first)
    }

    /// Returns whether the user wants to hear nothing of a text in these threads.
    pub fn hides(&self, threads: &[PostId], text: &FoldedWords) -> bool {
        threads.iter().any(|it| self.has_thread(*it)) || self.word_filter().is_some_and(|it| it.hides(text))
    }

    fn add_word(&mut self, word: &Phrase, now: Time) -> Result<()> {
        if self.place_of(word).is_some() {
            return Ok(());
        }
        if self.words.len() == WORDS_MAX {
            return Err(Error::invalid("word", "must be one of at most 200 muted words"));
        }
        self.words.insert(0, MutedWord { word: word.clone(), created_at: now });
        Ok(())
    }

    fn remove_word(&mut self, word: &Phrase) {
        if let Some(place) = self.place_of(word) {
            self.words.remove(place);
        }
    }

    fn place_of(&self, word: &Phrase) -> Option<usize> {
        let folded = word.folded();
        self.words.iter().position(|it| it.word.folded() == folded)
    }

    fn set_thread(&mut self, first: PostId, is_muted: bool) {
        self.threads.retain(|it| *it != first);
        if is_muted {
            self.threads.insert(0, first);
            self.threads.truncate(THREADS_MAX);
        }
    }
}

/// Returns what a user mutes, as it is or was a moment ago; none when it is nothing.
pub async fn of(app: &App, user: UserId) -> Result<Option<Mutes>> {
    // Not read again when it is missing: nearly everybody has none.
    Ok(app.table.batch_get_eventual(&[key(user)]).await?.pop())
}

/// Returns what those of these users mute who mute anything.
pub async fn of_all(app: &App, users: &HashSet<UserId>) -> Result<HashMap<UserId, Mutes>> {
    let keys: Vec<_> = users.iter().map(|it| key(*it)).collect();
    let found: Vec<Mutes> = app.table.batch_get_eventual(&keys).await?;
    Ok(found.into_iter().map(|it| (it.user, it)).collect())
}

/// Returns a user's muted words on one page, the newest first: at most 200.
pub async fn words(app: &App, user: UserId) -> Result<Page<MutedWord>> {
    Ok(Page { rows: read(app, user).await?.words, after: None })
}

/// Mutes a word; one that is muted already, in whatever case and with whatever diacritics, stays as it is.
///
/// # Errors
/// [`Error::Invalid`] beyond 200 words.
pub async fn mute_word(app: &App, user: UserId, WordRequest { word }: WordRequest) -> Result<WordMuted> {
    change(app, user, |it| it.add_word(&word, app.now())).await?;
    Ok(WordMuted { word, is_muted: true })
}

/// Mutes a word no more; repeating changes nothing.
pub async fn unmute_word(app: &App, user: UserId, WordRequest { word }: WordRequest) -> Result<WordMuted> {
    change(app, user, |it| {
        it.remove_word(&word);
        Ok(())
    })
    .await?;
    Ok(WordMuted { word, is_muted: false })
}

/// Mutes the thread that begins with a post, or mutes it no more; without `wanted`, whichever it is not. Returns
/// whether it is muted now.
pub async fn mute_thread(app: &App, user: UserId, first: PostId, wanted: Option<bool>) -> Result<bool> {
    // Decided once: a repeat after a lost answer does not turn it back.
    let wanted = match wanted {
        Some(wanted) => wanted,
        None => !read(app, user).await?.has_thread(first),
    };
    change(app, user, |it| {
        it.set_thread(first, wanted);
        Ok(())
    })
    .await?;
    Ok(wanted)
}

/// Changes what a user mutes; writes nothing where that changes nothing.
async fn change(app: &App, user: UserId, change: impl Fn(&mut Mutes) -> Result<()>) -> Result<()> {
    retry_on_conflict(async || {
        let before = read(app, user).await?;
        let mut after = before.clone();
        change(&mut after)?;
        if (after.words.len(), &after.threads) == (before.words.len(), &before.threads) {
            return Ok(());
        }
        after.version += 1;
        app.table.write(Write::put(&after).equals_or_lacks("version", before.version)).await
    })
    .await
}

async fn read(app: &App, user: UserId) -> Result<Mutes> {
    Ok(app.table.get(&key(user)).await?.unwrap_or_else(|| Mutes::none(user)))
}

/// Returns the key of the row that says what a user mutes.
pub fn key(user: UserId) -> Key {
    Key::new(user.partition(), "MUTES")
}

/// `USER#u / MUTES`
impl Row for Mutes {
    fn key(&self) -> Key {
        key(self.user)
    }
}
