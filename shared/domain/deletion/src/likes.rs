//! What somebody who leaves did with posts of others.

use std::collections::HashMap;

use base::ids::{PostId, UserId};
use platform::{
    App,
    error::Result,
    table::{Query, Row, Write},
};
use posts::{
    Post,
    engagements::{self, Engagement},
    like_subject, likes,
};

use super::pass::Pass;

/// Engagements of a page.
const PAGE_ROWS: usize = 50;

/// Takes back the likes among the next 50 engagements, which a worker then applies; then erases those that are applied, and
/// what notifications say of them.
pub(super) async fn page(
    app: &App,
    user: UserId,
    pass: Pass,
    behind: Option<String>,
) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(engagements::SK_PREFIX, behind);
    let (found, last) = app.table.next_page::<Engagement>(query.consistent(), PAGE_ROWS).await?;
    for liked in found.iter().filter(|it| it.liked) {
        likes::withdraw(app, user, liked.post).await?;
    }
    if pass == Pass::Erasure {
        erase_likes(app, user, &found).await?;
        for engagement in &found {
            delete(app, engagement).await?;
        }
    }
    Ok(last)
}

async fn erase_likes(app: &App, user: UserId, engagements: &[Engagement]) -> Result<()> {
    let told: Vec<_> = engagements.iter().filter(|it| it.author_notified).map(|it| it.post).collect();
    let keys: Vec<_> = told.iter().map(|it| posts::key(*it)).collect();
    let posts: Vec<Post> = app.table.batch_get(&keys).await?;
    let authors: HashMap<PostId, UserId> = posts.into_iter().map(|it| (it.id, it.author)).collect();
    let subjects = told.iter().filter_map(|it| Some(like_subject(*authors.get(it)?, *it)));
    notifications::erase_actor(app, user, &subjects.collect::<Vec<_>>()).await
}

/// Deletes an engagement, unless a like waits to be applied: the erasure comes again.
async fn delete(app: &App, engagement: &Engagement) -> Result<()> {
    likes::vacate_place(app, engagement).await?;
    let applied = Write::delete(engagement.key()).lacks("uncountedSince");
    let applied = applied.equals_or_lacks("liked", false).equals_or_lacks("counted", false);
    app.table.try_write(applied).await.map(drop)
}
