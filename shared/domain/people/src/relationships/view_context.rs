//! The kinds of lists that show posts.

/// A kind of list that shows posts. The kind determines which posts are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewContext {
    /// Posts of followed users. A block, a mute or an unfollow hides a post.
    Following,
    /// Posts of any user. A block or a mute hides a post.
    Feed,
    /// Posts in a thread that the viewer opened. A block hides a post.
    Thread,
    /// Posts that the opened post replies to, directly or indirectly. A block hides a post. Muted words do not.
    Ancestors,
    /// Posts of one user. A block or the post's visibility hides a post.
    Profile,
}

impl ViewContext {
    /// Returns the context that applies to the original of a quote or repost. An unfollow does not hide an original,
    /// because a followed user quoted or reposted it.
    pub fn of_origins(self) -> Self {
        match self {
            Self::Following | Self::Feed => Self::Feed,
            Self::Thread | Self::Ancestors | Self::Profile => Self::Thread,
        }
    }

    /// Returns whether the viewer's muted words hide posts in this context. See [`crate::mutes`].
    pub fn hides_words(self) -> bool {
        match self {
            Self::Following | Self::Feed | Self::Thread => true,
            Self::Ancestors | Self::Profile => false,
        }
    }
}
