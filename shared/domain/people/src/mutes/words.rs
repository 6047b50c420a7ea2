//! Muted words, and their comparison with posts.

use platform::{
    Error, Time,
    text::{FoldedText, Phrase, hashtags},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const PHRASE_MAX_CHARS: usize = 100;

platform::text_types! {
    /// A word, phrase, emoji or symbol that a user mutes.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "spoiler")]
    MutedPhrase: phrase;
}

fn phrase(text: String) -> Result<String, &'static str> {
    let text = text.trim();
    let fits = text.chars().count() <= PHRASE_MAX_CHARS && Phrase::of(text).is_some();
    fits.then(|| text.to_owned()).ok_or("must have 1 to 100 characters, including a visible one")
}

impl MutedPhrase {
    /// Returns the form for comparisons. Phrases that differ only in case or accents have the same form.
    pub(super) fn folded(&self) -> Option<Phrase> {
        Phrase::of(&self.0)
    }
}

/// The part of a post in which a muted word is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MuteScope {
    /// The texts of a post, including its hashtags.
    Content,
    /// Only the hashtags.
    Tags,
}

/// A muted word or phrase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MutedWord {
    /// The word or phrase, as the user wrote it.
    pub word: MutedPhrase,
    /// The time at which the word or phrase was muted.
    pub created_at: Time,
    /// The time at which the mute ends. Null if the mute does not end.
    pub expires_at: Option<Time>,
    /// The part of a post in which the word is searched. Null for both texts and hashtags.
    pub scope: Option<MuteScope>,
}

impl MutedWord {
    /// Returns whether the mute applies at `now`.
    pub(super) fn is_active(&self, now: Time) -> bool {
        self.expires_at.is_none_or(|end| end > now)
    }
}

/// A request to mute a word or phrase.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = WordMuteRequest)]
#[serde(rename_all = "camelCase")]
pub struct WordRequest {
    /// The word or phrase to mute.
    pub word: MutedPhrase,
    /// The time at which the mute ends. By default, the mute does not end.
    #[serde(default)]
    pub expires_at: Option<Time>,
    /// The part of a post in which the word is searched. By default, both texts and hashtags.
    #[serde(default)]
    pub scope: Option<MuteScope>,
}

impl WordRequest {
    /// Returns the muted word.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the mute would end before `now`.
    pub(super) fn muted(&self, now: Time) -> Result<MutedWord, Error> {
        let Self { word, expires_at, scope } = self.clone();
        let muted = MutedWord { word, created_at: now, expires_at, scope };
        muted
            .is_active(now)
            .then_some(muted)
            .ok_or_else(|| Error::invalid("expiresAt", "must be in the future"))
    }
}

/// A request to unmute a word or phrase.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = WordUnmuteRequest)]
pub struct UnmuteRequest {
    /// The word or phrase to unmute.
    pub word: MutedPhrase,
}

/// Whether a word or phrase is now muted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = WordMuteState)]
#[serde(rename_all = "camelCase")]
pub struct WordMuted {
    /// The word or phrase, as written in the request.
    pub word: MutedPhrase,
    /// Whether the word or phrase is muted.
    pub is_muted: bool,
}

/// The texts and hashtags of a post, prepared for comparisons with muted words.
#[derive(Debug)]
pub struct PostText {
    texts: FoldedText,
    tags: FoldedText,
}

impl PostText {
    /// Prepares the texts of a post. `topic` is a hashtag of the post, without `#`, that may be missing in the texts.
    pub fn of(texts: &[&str], topic: Option<&str>) -> Self {
        let tags = texts.iter().flat_map(|text| hashtags(text)).chain(topic);
        Self { texts: FoldedText::of(texts.iter().copied()), tags: FoldedText::of(tags) }
    }
}

/// Muted words, prepared to be compared with many texts.
#[derive(Debug)]
pub struct WordFilter(Vec<(Phrase, Option<MuteScope>)>);

impl WordFilter {
    /// Returns a filter of the words that are muted at `now`, or `None` if there are none.
    pub(super) fn of(words: &[MutedWord], now: Time) -> Option<Self> {
        let active = words.iter().filter(|muted| muted.is_active(now));
        let phrases: Vec<_> =
            active.filter_map(|muted| muted.word.folded().map(|phrase| (phrase, muted.scope))).collect();
        (!phrases.is_empty()).then_some(Self(phrases))
    }

    /// Returns whether a post contains at least one of the words.
    pub fn hides(&self, post: &PostText) -> bool {
        self.0.iter().any(|(phrase, scope)| match scope {
            Some(MuteScope::Content) => post.texts.has(phrase),
            Some(MuteScope::Tags) => post.tags.has(phrase),
            None => post.texts.has(phrase) || post.tags.has(phrase),
        })
    }
}
