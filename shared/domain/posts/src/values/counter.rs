//! The counters of a post.

/// A counter of a post.
#[derive(Clone, Copy, Debug)]
pub enum Counter {
    /// Likes of the post.
    Likes,
    /// Replies to the post.
    Replies,
    /// Quotes of the post.
    Quotes,
    /// Reposts of the post.
    Reposts,
}

impl Counter {
    /// Returns the name of the attribute that stores the count.
    pub fn attribute(self) -> &'static str {
        match self {
            Self::Likes => "likesCount",
            Self::Replies => "repliesCount",
            Self::Quotes => "quotesCount",
            Self::Reposts => "repostsCount",
        }
    }
}
