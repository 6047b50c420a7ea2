//! The words and threads that a user mutes. One row stores all of them.

mod words;

use std::collections::{HashMap, HashSet};

use base::{PostId, UserId, packed};
use platform::{App, Error, Key, Once, Page, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

pub use words::{
    MuteScope, MutedPhrase, MutedWord, PostText, UnmuteRequest, WordFilter, WordMuted, WordRequest,
};

const WORDS_MAX: usize = 200;
/// Maximum number of muted threads. A mute beyond the limit replaces the oldest mute.
const THREADS_MAX: usize = 500;

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

impl Mutes {
    /// Returns the user who mutes these words and threads.
    pub fn user(&self) -> UserId {
        self.user
    }

    fn none(user: UserId) -> Self {
        Self { user, words: Vec::new(), threads: Vec::new(), version: 0 }
    }

    /// Returns a filter of the words that are muted at `now`, or `None` if there are none.
    pub fn word_filter(&self, now: Time) -> Option<WordFilter> {
        WordFilter::of(&self.words, now)
    }

    /// Returns whether the user mutes the thread that starts with the post `first`.
    pub fn has_thread(&self, first: PostId) -> bool {
        self.threads.contains(&first)
    }

    /// Returns whether the user mutes at least one of the threads or a word of the post at `now`.
    pub fn hides(&self, threads: &[PostId], post: &PostText, now: Time) -> bool {
        threads.iter().any(|first| self.has_thread(*first))
            || self.word_filter(now).is_some_and(|filter| filter.hides(post))
    }

    /// Adds a word. If the word is already muted, only changes the mute's end and scope.
    fn add_word(&mut self, muted: MutedWord) -> Result<()> {
        let now = muted.created_at;
        self.words.retain(|word| word.is_active(now));
        match self.index_of(&muted.word) {
            Some(index) => {
                let before = &mut self.words[index];
                (before.expires_at, before.scope) = (muted.expires_at, muted.scope);
            }
            None if self.words.len() == WORDS_MAX => {
                return Err(Error::invalid(
                    "word",
                    "the limit of 200 muted words is reached. Unmute one first.",
                ));
            }
            None => self.words.insert(0, muted),
        }
        Ok(())
    }

    fn remove_word(&mut self, word: &MutedPhrase, now: Time) -> Result<()> {
        self.words.retain(|word| word.is_active(now));
        let index = self.index_of(word).ok_or(Error::NotFound("muted word"))?;
        self.words.remove(index);
        Ok(())
    }

    fn index_of(&self, word: &MutedPhrase) -> Option<usize> {
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
    // Most users have no mutes, so a missing row is not checked with a consistent read.
    Ok(app.table.batch_get_eventual(&[key(user)]).await?.pop())
}

/// Returns the muted words and threads by user. Omits users who have no row.
pub async fn of_all(app: &App, users: &HashSet<UserId>) -> Result<HashMap<UserId, Mutes>> {
    let keys: Vec<_> = users.iter().map(|user| key(*user)).collect();
    let found: Vec<Mutes> = app.table.batch_get_eventual(&keys).await?;
    Ok(found.into_iter().map(|mutes| (mutes.user, mutes)).collect())
}

/// Returns all words that a user mutes now, at most 200, newest first.
pub async fn words(app: &App, user: UserId) -> Result<Page<MutedWord>> {
    let (mut rows, now) = (read(app, user).await?.words, app.now());
    rows.retain(|word| word.is_active(now));
    Ok(Page { rows, after: None })
}

/// Mutes a word. If the word is already muted, only changes the mute's end and scope. The comparison ignores case and
/// accents.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the mute would end in the past, or if 200 words are already muted.
pub async fn mute_word(app: &App, user: UserId, request: WordRequest, once: &Once) -> Result<WordMuted> {
    once.run(app, user, async || {
        let muted = request.muted(app.now())?;
        let writes = writes_after(read(app, user).await?, |mutes| mutes.add_word(muted))?;
        Ok((writes, WordMuted { word: request.word.clone(), is_muted: true }))
    })
    .await
}

/// Unmutes a word. The comparison ignores case and accents.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the word is not muted.
pub async fn unmute_word(app: &App, user: UserId, request: UnmuteRequest, once: &Once) -> Result<WordMuted> {
    let UnmuteRequest { word } = request;
    once.run(app, user, async || {
        let writes = writes_after(read(app, user).await?, |mutes| mutes.remove_word(&word, app.now()))?;
        Ok((writes, WordMuted { word: word.clone(), is_muted: false }))
    })
    .await
}

/// Returns the writes that mute or unmute the thread that starts with the post `first`. Also returns whether the thread
/// is muted after the writes. If `wanted` is `None`, toggles the mute.
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
    if (&after.words, &after.threads) == (&before.words, &before.threads) {
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
