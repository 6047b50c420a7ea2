//! Adds earlier posts of an author to the feed of a new follower.

use base::UserId;
use platform::{App, Result, Write, outcomes};
use posts::Post;

use people::{Joined, follows, users};

const BACK_FILLED_MAX: usize = 20;

/// Adds the author's newest 20 posts to the reader's feed, if the reader still follows the author.
pub(super) async fn back_fill(app: &App, reader: UserId, author: UserId) -> Result<()> {
    let (follow, user) = futures::try_join!(follows::find(app, reader, author), users::find(app, author))?;
    let Some(follow) = follow.filter(|follow| follow.is_following) else {
        return outcomes::end("the follow ended");
    };
    if user.is_none_or(|author| author.is_merged) {
        return outcomes::end("the author is gone or merged");
    }
    let newest = Post::by_author(author).newest_first().limit(BACK_FILLED_MAX);
    let posts: Vec<Post> = app.table.query(&newest).await?;
    let ids: Vec<_> = posts.iter().map(|post| post.id).collect();
    match ids.is_empty() {
        true => outcomes::end("the author has no posts"),
        false => app.table.write(Write::put(&Joined::new(app, [reader, author], follow.position, ids))).await,
    }
}
