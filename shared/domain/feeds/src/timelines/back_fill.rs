//! What follows from a follow: the first posts in the feed of whoever follows, and an author whom many follow.

use base::ids::UserId;
use platform::{App, error::Result, table::Write};
use posts::Post;

use super::mark_follows;
use people::{
    follows::{self, Joined},
    users,
};

const BACK_FILLED_MAX: usize = 20;

/// Notes the author's newest 20 posts for the reader's feed, if the reader still follows. Costs 4 calls: 2 RRU and 0.5
/// for each 4 KB of posts, 2 WRU; 1 call and 1 RRU more while the author is popular and not merged yet. It is also where the follow that makes an author popular is noticed: at that moment few
/// are to be marked, however many follow later.
pub(super) async fn back_fill(app: &App, reader: UserId, author: UserId) -> Result<()> {
    let (follow, user) = futures::try_join!(follows::find(app, reader, author), users::find(app, author))?;
    let Some(follow) = follow.filter(|it| it.is_following) else { return Ok(()) };
    let Some(unmerged) = user.filter(|it| !it.is_merged) else { return Ok(()) };
    mark_follows::begin_if_popular(app, &unmerged).await?;
    let newest = Post::by_author(author).newest_first().limit(BACK_FILLED_MAX);
    let posts: Vec<Post> = app.table.query(&newest).await?;
    let ids: Vec<_> = posts.iter().map(|it| it.id).collect();
    match ids.is_empty() {
        true => Ok(()),
        false => app.table.write(Write::put(&Joined::new(app, [reader, author], follow.position, ids))).await,
    }
}
