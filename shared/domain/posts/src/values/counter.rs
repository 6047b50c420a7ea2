//! What is counted on a post.

/// A count of a post.
#[derive(Clone, Copy, Debug)]
pub enum Counter {
    /// Those who like it.
    Likes,
    /// The replies to it.
    Replies,
    /// The quotes of it.
    Quotes,
    /// The reposts of it.
    Reposts,
}

impl Counter {
    /// Returns the attribute of the post that has the count.
    pub fn attribute(self) -> &'static str {
        match self {
            Self::Likes => "likesCount",
            Self::Replies => "repliesCount",
            Self::Quotes => "quotesCount",
            Self::Reposts => "repostsCount",
        }
    }
}
