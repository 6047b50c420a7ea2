//! Finds and ranks the candidates of the ranked feed.

use std::collections::HashMap;

use base::{PostId, UserId};
use futures::{future::try_join_all, try_join};
use people::{Merged, follows};
use platform::{App, Result, Time};
use posts::{newest_of_author, timeline};
use ulid::Ulid;

use super::newest_likes;

/// Maximum number of candidates from the viewer's timeline, newest first.
const TIMELINE_POSTS: usize = 30;
/// Maximum number of popular authors whose posts are candidates, most recently followed first.
const MERGED_AUTHORS: usize = 20;
/// Number of followed users, newest follow first. Each ranking reads the likes of up to [`LIKERS`] of them.
const FOLLOWED: usize = 24;
/// Maximum number of followed users whose likes are read for one ranking.
const LIKERS: usize = 7;
/// Interval at which rankings switch to the likes of different followed users.
const ROTATION_SECONDS: i64 = 15 * 60;
/// Maximum number of posts in a ranking. Each post adds 16 bytes to the cursor.
const RANKED_MAX: usize = 100;
/// Exponent in the ranking formula of Hacker News, `weight / (age + 2)^1.8`.
const GRAVITY: f64 = 1.8;
/// Hours that the formula adds to the age of each post.
const AGE_OFFSET_HOURS: f64 = 2.0;
const HOUR_MILLIS: f64 = 3_600_000.0;

/// Returns up to 100 posts that followed users wrote or like. The post with the highest score comes first.
///
/// A post has weight 1 if a followed user wrote it. Each like by one of up to 7 followed users adds 1. Only likes among
/// a user's 10 newest engagements (likes and saves) count. The score is `weight / (age + 2)^1.8`. `age` is in hours.
pub(super) async fn ranked(app: &App, viewer: UserId) -> Result<Vec<PostId>> {
    let (written, liked) = try_join!(written(app, viewer), liked(app, viewer))?;
    let mut weights: HashMap<PostId, f64> = written.into_iter().map(|post| (post, 1.0)).collect();
    for post in liked {
        *weights.entry(post).or_default() += 1.0;
    }
    let now = app.now();
    let mut scores: Vec<_> =
        weights.into_iter().map(|(post, weight)| (score(post, weight, now), post)).collect();
    scores.sort_unstable_by(|(one, a), (other, b)| other.total_cmp(one).then(b.cmp(a)));
    scores.truncate(RANKED_MAX);
    Ok(scores.into_iter().map(|(_, post)| post).collect())
}

fn score(post: PostId, weight: f64, now: Time) -> f64 {
    let written_at = Ulid::from(post).timestamp_ms() as f64;
    let age_hours = ((now.millis() as f64 - written_at) / HOUR_MILLIS).max(0.0);
    weight / (age_hours + AGE_OFFSET_HOURS).powf(GRAVITY)
}

/// Returns recent posts from the viewer's timeline, by popular authors, and from before a follow. Includes the viewer's
/// own posts.
async fn written(app: &App, viewer: UserId) -> Result<Vec<PostId>> {
    let (merged, mut posts) =
        try_join!(follows::merged_by(app, viewer), timeline::newest(app, viewer, None, TIMELINE_POSTS))?;
    let Merged { authors, posts: joined, .. } = merged;
    let authors = authors.into_iter().take(MERGED_AUTHORS).map(|author| newest_of_author(app, author));
    posts.extend(try_join_all(authors).await?.into_iter().flatten());
    posts.extend(joined);
    Ok(posts)
}

/// Returns posts that some followed users like. The choice of users rotates every 15 minutes.
async fn liked(app: &App, viewer: UserId) -> Result<Vec<PostId>> {
    let mut followed = follows::newest_followed(app, viewer, FOLLOWED).await?;
    if !followed.is_empty() {
        let rotation = app.now().seconds().div_euclid(ROTATION_SECONDS).unsigned_abs() as usize;
        let first = rotation.wrapping_mul(LIKERS) % followed.len();
        followed.rotate_left(first);
    }
    let likes = followed.into_iter().take(LIKERS).map(|user| newest_likes::of(app, user));
    Ok(try_join_all(likes).await?.into_iter().flat_map(|posts| posts.to_vec()).collect())
}
