//! What a writer was answered, and what stands if that was true.

use std::collections::BTreeMap;

/// What one writer knows.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) posts: Vec<Text>,
    pub(crate) replies: Vec<Text>,
    pub(crate) messages: Vec<Text>,
    /// By the ids of posts.
    pub(crate) likes: BTreeMap<String, Stands>,
    /// By the numbers of idols.
    pub(crate) follows: BTreeMap<usize, Stands>,
    /// A post that was asked for with a key and had no answer: its word.
    pub(crate) to_repeat: Option<String>,
    /// How many texts were thought of; each has a word of its own.
    pub(crate) words: usize,
    pub(crate) answered: usize,
    pub(crate) failed: usize,
    pub(crate) unanswered: usize,
    /// Of these, how many were asked for again and were done once.
    pub(crate) repeated: usize,
}

/// A post, a reply or a message that was answered.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) id: String,
    /// The word that no other text has.
    pub(crate) word: String,
}

/// Whether a like or a follow stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    Yes,
    No,
    /// It was asked for, and not answered.
    Unknown,
}

impl From<bool> for Stands {
    fn from(stands: bool) -> Self {
        if stands { Self::Yes } else { Self::No }
    }
}
