//! Records a writer's requests and their outcomes. The checks compare the record with the data.

use std::collections::BTreeMap;

/// Requests of one writer.
#[derive(Default)]
pub(crate) struct Journal {
    /// Acknowledged posts.
    pub(crate) posts: Vec<Text>,
    /// Acknowledged replies.
    pub(crate) replies: Vec<Text>,
    /// Acknowledged messages.
    pub(crate) messages: Vec<Text>,
    /// State of each like, by post ID.
    pub(crate) likes: BTreeMap<String, State>,
    /// State of each follow, by index of the followed user.
    pub(crate) follows: BTreeMap<usize, State>,
    /// Unique word of the post to send again, because its request has not succeeded. Also the request's idempotency
    /// key.
    pub(crate) to_repeat: Option<String>,
    /// Number of texts so far. Each text ends with a unique word.
    pub(crate) words: usize,
    /// Number of acknowledged requests.
    pub(crate) acknowledged: usize,
    pub(crate) failed: usize,
    /// Number of requests without a complete response.
    pub(crate) lost: usize,
    /// Number of requests that succeeded when they were repeated with their idempotency key.
    pub(crate) repeated: usize,
}

/// An acknowledged post, reply or message.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) id: String,
    /// Last word of the text, which no other text contains.
    pub(crate) word: String,
}

/// Expected state of a like or follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    On,
    Off,
    /// The state is unknown, because the last request has no successful response.
    Unknown,
}

impl From<bool> for State {
    fn from(is_on: bool) -> Self {
        if is_on { Self::On } else { Self::Off }
    }
}
