//! Who reads posts.

use std::sync::OnceLock;

use base::ids::UserId;
use platform::{App, error::Result, table::Key};

use crate::Post;
use people::{
    mutes::{self, Mutes},
    relationships::ViewContext,
};

/// Who reads posts, on which context, and what they mute besides people: it is read once, beside posts where these are
/// read by their keys.
pub struct Reader {
    /// Who looks; none without a sign-in.
    pub viewer: Option<UserId>,
    /// Where they look.
    pub context: ViewContext,
    mutes: OnceLock<Option<Mutes>>,
}

impl Reader {
    /// Returns a reader of whom nothing is read yet.
    pub fn new(viewer: Option<UserId>, context: ViewContext) -> Self {
        Self { viewer, context, mutes: OnceLock::new() }
    }

    /// Returns the key of what the viewer mutes, where it is not read yet and hides anything.
    fn mutes_key(&self) -> Option<Key> {
        let hides = self.context.hides_words() && self.mutes.get().is_none();
        self.viewer.filter(|_| hides).map(mutes::key)
    }

    /// Returns the posts that exist, in no order, and takes what the viewer mutes in the same calls.
    pub(crate) async fn find_posts(&self, app: &App, posts: &[Key]) -> Result<Vec<Post>> {
        let Some(mutes) = self.mutes_key().filter(|_| !posts.is_empty()) else {
            return app.table.batch_get_eventual(posts).await;
        };
        let (posts, mutes) = app.table.batch_get_eventual_with::<Post, Mutes>(posts, mutes).await?;
        self.mutes.get_or_init(|| mutes);
        Ok(posts)
    }

    /// Returns what the viewer mutes on this context, as it is or was a moment ago.
    pub(crate) async fn mutes(&self, app: &App) -> Result<Option<&Mutes>> {
        if let (Some(viewer), Some(_)) = (self.viewer, self.mutes_key()) {
            let found = mutes::of(app, viewer).await?;
            self.mutes.get_or_init(|| found);
        }
        Ok(self.mutes.get().and_then(Option::as_ref))
    }
}
