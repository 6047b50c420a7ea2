//! The viewer of a list of posts.

use std::sync::OnceLock;

use base::UserId;
use platform::{App, Key, Result};

use crate::Post;
use people::{Mutes, ViewContext, mutes};

/// A viewer and the context in which they read posts.
///
/// The viewer's mutes (muted words and threads) are read at most once, if possible in the same call as posts.
pub struct Reader {
    /// The viewer, or `None` if not signed in.
    pub viewer: Option<UserId>,
    /// The kind of list in which the posts are shown.
    pub context: ViewContext,
    mutes: OnceLock<Option<Mutes>>,
}

impl Reader {
    /// Returns a reader whose mutes have not been read yet.
    pub fn new(viewer: Option<UserId>, context: ViewContext) -> Self {
        Self { viewer, context, mutes: OnceLock::new() }
    }

    /// Returns the key of the viewer's mutes, if these mutes apply in this context and have not been read yet.
    /// Otherwise returns `None`.
    fn mutes_key(&self) -> Option<Key> {
        let hides = self.context.hides_words() && self.mutes.get().is_none();
        self.viewer.filter(|_| hides).map(mutes::key)
    }

    /// Returns the posts with the keys `posts`, in no particular order. Omits missing posts. The same call also reads
    /// the viewer's mutes, unless they were already read.
    pub(crate) async fn find_posts(&self, app: &App, posts: &[Key]) -> Result<Vec<Post>> {
        let Some(mutes) = self.mutes_key().filter(|_| !posts.is_empty()) else {
            return app.table.batch_get_eventual(posts).await;
        };
        let (posts, mutes) = app.table.batch_get_eventual_with::<Post, Mutes>(posts, mutes).await?;
        self.mutes.get_or_init(|| mutes);
        Ok(posts)
    }

    /// Returns the viewer's mutes if they apply in this context. Otherwise returns `None`. The read is eventually
    /// consistent.
    pub(crate) async fn mutes(&self, app: &App) -> Result<Option<&Mutes>> {
        if let (Some(viewer), Some(_)) = (self.viewer, self.mutes_key()) {
            let found = mutes::of(app, viewer).await?;
            self.mutes.get_or_init(|| found);
        }
        Ok(self.mutes.get().and_then(Option::as_ref))
    }
}
