//! Likes and saved posts of a deleted user.

use std::collections::HashMap;

use base::{PostId, UserId};
use platform::{App, Query, Result, Row, Write};
use posts::{
    Post,
    engagements::{self, Engagement},
    like_subject, likes,
};

use super::pass::Pass;

/// Engagements per page. An engagement is a row that records whether a user likes or saved a post.
const PAGE_ROWS: usize = 50;

/// Removes the user's likes among the next 50 engagements (likes and saves). A worker later subtracts these likes from
/// the posts' counts. An erasure also erases the user from notifications about likes. An erasure deletes an engagement
/// only after the post's counts include the changes of the engagement.
pub(super) async fn page(
    app: &App,
    user: UserId,
    pass: Pass,
    cursor: Option<String>,
) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(engagements::SK_PREFIX, cursor);
    let (found, last) = app.table.next_page::<Engagement>(query.consistent(), PAGE_ROWS).await?;
    for engagement in found.iter().filter(|engagement| engagement.liked) {
        likes::unlike(app, user, engagement.post).await?;
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
    let notified: Vec<_> =
        engagements.iter().filter(|like| like.author_notified).map(|like| like.post).collect();
    let keys: Vec<_> = notified.iter().map(|post| posts::key(*post)).collect();
    let posts: Vec<Post> = app.table.batch_get(&keys).await?;
    let authors: HashMap<PostId, UserId> = posts.into_iter().map(|post| (post.id, post.author)).collect();
    let subjects = notified.iter().filter_map(|post| Some(like_subject(*authors.get(post)?, *post)));
    notifications::erase_actor(app, user, &subjects.collect::<Vec<_>>()).await
}

/// Deletes an engagement if the post's count already includes its like or unlike. Otherwise, the next erasure deletes
/// the engagement.
async fn delete(app: &App, engagement: &Engagement) -> Result<()> {
    likes::remove_liker(app, engagement).await?;
    let applied = Write::delete(engagement.key()).lacks("uncountedSince");
    let applied = applied.equals_or_lacks("liked", false).equals_or_lacks("counted", false);
    app.table.try_write(applied).await.map(drop)
}
