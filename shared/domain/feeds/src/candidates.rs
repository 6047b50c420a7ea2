//! What may be on a ranked feed, and its order.

use std::{cmp::Reverse, collections::HashMap};

use base::ids::{PostId, UserId};
use futures::{future::try_join_all, try_join};
use people::follows::{self, Merged};
use platform::{App, error::Result, time::Time};
use posts::{newest_of_author, timeline};
use ulid::Ulid;

use super::newest_likes;

/// The newest posts of the viewer's timeline that are looked at.
const WRITTEN: usize = 30;
/// Popular authors whose posts are looked at, the newest follows first.
const MERGED_AUTHORS: usize = 20;
/// The newest follows of the viewer of whom some are asked for their likes.
const FOLLOWED: usize = 24;
/// How many of them are asked.
const LIKERS: usize = 7;
/// After this time others are asked.
const TURN_SECONDS: i64 = 15 * 60;
/// The most that is ranked: each is 16 bytes of the cursor.
const RANKED_MAX: usize = 100;
/// How fast weight decays, and the hours that each post is older for it, as Hacker News ranks: `weight / (age + 2)^1.8`.
const GRAVITY: f64 = 1.8;
const AGE_HOURS: f64 = 2.0;
const HOUR_MILLIS: f64 = 3_600_000.0;

/// Returns the posts that those whom the viewer follows wrote or like, the heaviest first, at most 100. A post weighs 1
/// when one of them wrote it, and 1 more for each of 7 of them who like it; the weight decays with its age in hours as
/// `weight / (age + 2)^1.8`. Of somebody's likes the 10 newest posts count.
pub(super) async fn ranked(app: &App, viewer: UserId) -> Result<Vec<PostId>> {
    let (written, liked) = try_join!(written(app, viewer), liked(app, viewer))?;
    let mut weights: HashMap<PostId, f64> = written.into_iter().map(|post| (post, 1.0)).collect();
    for post in liked {
        *weights.entry(post).or_default() += 1.0;
    }
    let now = app.now();
    let mut scores: Vec<_> =
        weights.into_iter().map(|(post, weight)| (score(post, weight, now), post)).collect();
    scores.sort_unstable_by(|(one, a), (other, b)| other.total_cmp(one).then(Reverse(a).cmp(&Reverse(b))));
    scores.truncate(RANKED_MAX);
    Ok(scores.into_iter().map(|(_, post)| post).collect())
}

fn score(post: PostId, weight: f64, now: Time) -> f64 {
    let written_at = Ulid::from(post).timestamp_ms() as f64;
    let age_hours = ((now.millis() as f64 - written_at) / HOUR_MILLIS).max(0.0);
    weight / (age_hours + AGE_HOURS).powf(GRAVITY)
}

/// What the feed FOLLOWING has first.
async fn written(app: &App, viewer: UserId) -> Result<Vec<PostId>> {
    let (merged, mut posts) =
        try_join!(follows::merged_by(app, viewer), timeline::newest(app, viewer, None, WRITTEN))?;
    let Merged { authors, posts: joined, .. } = merged;
    let authors = authors.into_iter().take(MERGED_AUTHORS).map(|author| newest_of_author(app, author));
    posts.extend(try_join_all(authors).await?.into_iter().flatten());
    posts.extend(joined);
    Ok(posts)
}

/// What some of the followed like: others in the next quarter of an hour.
async fn liked(app: &App, viewer: UserId) -> Result<Vec<PostId>> {
    let mut followed = follows::newest_followed(app, viewer, FOLLOWED).await?;
    if !followed.is_empty() {
        let turn = app.now().seconds().div_euclid(TURN_SECONDS).unsigned_abs() as usize;
        let first = turn.wrapping_mul(LIKERS) % followed.len();
        followed.rotate_left(first);
    }
    let likes = followed.into_iter().take(LIKERS).map(|user| newest_likes::of(app, user));
    Ok(try_join_all(likes).await?.into_iter().flat_map(|it| it.to_vec()).collect())
}
