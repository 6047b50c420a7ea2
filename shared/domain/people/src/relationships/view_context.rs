//! Where posts are seen, which decides what hides them.

/// A kind of list in which a viewer sees posts. It decides what hides them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewContext {
    /// The posts of followed users: a block, a mute or an unfollow hides them.
    Following,
    /// The posts of anyone: a block or a mute hides them.
    Feed,
    /// A page that the viewer opened, of posts by anyone: a block hides them.
    Thread,
    /// What stands above a post that the viewer opened: only a block hides it, and no muted word.
    Ancestors,
    /// The posts of one user: a block hides them, and the author from all for whom they are not meant.
    Profile,
}

impl ViewContext {
    /// Returns the surface that decides about the origin of a quote or repost. An unfollow does not hide an
    /// origin: a followed user has quoted or reposted it.
    pub fn of_origins(self) -> Self {
        match self {
            Self::Following | Self::Feed => Self::Feed,
            Self::Thread | Self::Ancestors | Self::Profile => Self::Thread,
        }
    }

    /// Returns whether the viewer's muted words hide posts there. See [`crate::mutes`].
    pub fn hides_words(self) -> bool {
        match self {
            Self::Following | Self::Feed | Self::Thread => true,
            Self::Ancestors | Self::Profile => false,
        }
    }
}
