//! Likes: one a person and post, counted on the post by a worker, in batches, exactly.
//!
//! An engagement says what is wanted (`liked`) and what the post's count includes (`counted`).
//! The request sets the first and sends a message; the worker *settles*: wherever the two differ,
//! one transaction makes them equal and adds the difference to the post. Messages may come twice,
//! late, or swapped: each only says where to look.
//!
//! A post's `likesSeq` counts its settlings, and each engagement remembers the one that changed it.
//! So a reader who holds any copy of a post, from an index that lags or from a cache, knows whether
//! its count includes their own like, and always sees it counted exactly once.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    App,
    actions::{Action, ActionType},
    engagements::{self, Engagement},
    error::{Error, Result},
    id::{PostId, UserId},
    notifications::Happening,
    posts::{self, Post},
    queues::Job,
    settings::QueueUrls,
    table::{Attempt, Row, Write},
    time::Time,
};

/// A transaction holds 100 steps: one is the post, two tell its author.
const SETTLED_TOGETHER: usize = 97;
const TRIES: usize = 8;

/// What a person asks for.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wish {
    /// True to like, false to take the like back; repeating changes nothing.
    #[schema(example = true)]
    pub is_liked: bool,
}

/// How a post stands with a viewer.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Liked {
    /// Whether the viewer likes it.
    pub is_liked: bool,
    /// Everybody's likes; the viewer's own is counted at once.
    pub likes_count: i64,
}

/// A message that a person's like of a post may have to be settled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LikeJob {
    /// The post was liked, by whom and when.
    Added {
        /// Who.
        user: UserId,
        /// What.
        post: PostId,
        /// When; the day of the action log.
        at: Time,
    },
    /// The like was taken back.
    Removed {
        /// Who.
        user: UserId,
        /// What.
        post: PostId,
    },
}

/// Likes a post, or takes the like back. 3 calls and a message; 1.5 RRU, 2 WRU with the session's.
///
/// # Errors
/// [`Error::NotFound`] when the post does not exist; internal when the message could not be sent:
/// then repeating the request sends it.
pub async fn set(app: &App, user: UserId, post: PostId, wish: Wish) -> Result<Liked> {
    let post = posts::peek(app, post).await?;
    let engagement = match wish.is_liked {
        true => Some(add(app, user, post.id).await?),
        false => remove(app, user, post.id).await?,
    };
    Ok(seen_by(&post, engagement.as_ref()))
}

async fn add(app: &App, user: UserId, post: PostId) -> Result<Engagement> {
    let now = app.now();
    let like = engagements::update(user, post).set("liked", true).set("likedAt", now);
    let engagement: Engagement = match app.table.attempt(like.equals_or_lacks("liked", false)).await? {
        Attempt::Done(engagement) | Attempt::Refused(Some(engagement)) => engagement,
        Attempt::Refused(None) => return Err(Error::internal(anyhow::anyhow!("a like was refused"))),
    };
    let at = engagement.liked_at.unwrap_or(now);
    app.queues.send(app, &LikeJob::Added { user, post, at }).await?;
    Ok(engagement)
}

async fn remove(app: &App, user: UserId, post: PostId) -> Result<Option<Engagement>> {
    let unlike = engagements::update(user, post).set("liked", false).equals("liked", true);
    let engagement: Engagement = match app.table.attempt(unlike).await? {
        Attempt::Done(engagement) | Attempt::Refused(Some(engagement)) => engagement,
        Attempt::Refused(None) => return Ok(None),
    };
    app.queues.send(app, &LikeJob::Removed { user, post }).await?;
    Ok(Some(engagement))
}

/// How a copy of a post stands with the viewer whose engagement this is.
pub fn seen_by(post: &Post, engagement: Option<&Engagement>) -> Liked {
    let is_liked = engagement.is_some_and(|it| it.liked);
    let included = engagement.is_some_and(|it| it.counted == (it.seq <= post.likes_seq));
    let likes_count = post.likes_count + i64::from(is_liked) - i64::from(included);
    Liked { is_liked, likes_count }
}

/// Settles the likes that a batch of messages speaks of. The places of those that failed come back.
///
/// 3 calls and a transaction for each 97 of one post: 2.2 WRU and 1 RRU each, the news for its author
/// included, and 1 WRU for the action log.
pub async fn settle(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let mut by_post: BTreeMap<PostId, BTreeMap<UserId, Vec<usize>>> = BTreeMap::new();
    for (place, job) in jobs.iter().enumerate() {
        let (user, post) = job.engagement();
        by_post.entry(post).or_default().entry(user).or_default().push(place);
    }
    let mut failed = Vec::new();
    for (post, users) in by_post {
        let users: Vec<_> = users.into_iter().collect();
        for batch in users.chunks(SETTLED_TOGETHER) {
            let places = || batch.iter().flat_map(|(_, places)| places).copied();
            let people: Vec<_> = batch.iter().map(|(user, _)| *user).collect();
            let settled = settle_batch(app, post, &people).await;
            let logged = log(app, places().filter_map(|it| jobs.get(it))).await;
            if let Err(error) = settled.and(logged) {
                tracing::warn!("likes of {post} are not settled: {error:?}");
                failed.extend(places().map(|it| (it, Error::internal(anyhow::anyhow!("not settled")))));
            }
        }
    }
    failed
}

/// Makes up to 97 engagements with one post, and its count, agree; its author is told of new likes.
async fn settle_batch(app: &App, post: PostId, users: &[UserId]) -> Result<()> {
    let pairs: Vec<_> = users.iter().map(|user| (*user, post)).collect();
    let key = posts::key(post);
    for _ in 0..TRIES {
        let engagements = engagements::find_all(app, &pairs);
        let (engagements, post) = futures::try_join!(engagements, app.table.get::<Post>(&key))?;
        let unsettled: Vec<_> = engagements.into_iter().filter(|it| it.liked != it.counted).collect();
        let Some(post) = post.filter(|_| !unsettled.is_empty()) else { return Ok(()) };
        let news = Happening::likes(app, &post, &new_likers(&unsettled)).await?;
        // A refusal means that somebody changed their mind, or another worker settled meanwhile.
        if app.table.transact_step(settling(app, &post, &unsettled, news)).await?.is_none() {
            return Ok(());
        }
    }
    Err(Error::internal(anyhow::anyhow!("likes kept changing while they were settled")))
}

/// Of whose likes the author was never told, last first.
fn new_likers(unsettled: &[Engagement]) -> Vec<UserId> {
    let mut likes: Vec<_> = unsettled.iter().filter(|it| it.liked && !it.told).collect();
    likes.sort_unstable_by_key(|it| Reverse(it.liked_at));
    likes.into_iter().map(|it| it.user).collect()
}

fn settling(app: &App, post: &Post, unsettled: &[Engagement], news: Option<Happening>) -> Vec<Write> {
    let seq = post.likes_seq + 1;
    let told = news.as_ref().map_or(&[][..], |it| it.actors.ids());
    let step = |it: &Engagement| {
        let agree = Write::update(it.key()).set("counted", it.liked).set("seq", seq);
        let agree = agree.set("told", it.told || told.contains(&it.user));
        agree.equals("liked", it.liked).equals_or_lacks("counted", it.counted)
    };
    let sum: i64 = unsettled.iter().map(|it| if it.liked { 1 } else { -1 }).sum();
    let count = Write::update(post.key()).add("likesCount", sum).set("likesSeq", seq);
    let count = count.equals("likesSeq", post.likes_seq);
    let tell = news.iter().flat_map(|it| it.writes(app));
    unsettled.iter().map(step).chain([count]).chain(tell).collect()
}

/// Logs each new like once a post and day.
async fn log(app: &App, jobs: impl Iterator<Item = &LikeJob>) -> Result<()> {
    let actions = jobs.filter_map(|job| match job {
        LikeJob::Added { user, post, at } => {
            Some(Action::on_post(*user, ActionType::LikeCreated, *post, *at))
        }
        LikeJob::Removed { .. } => None,
    });
    let distinct: HashMap<_, _> = actions.map(|it| (it.key(), it)).collect();
    let actions: Vec<_> = distinct.into_values().collect();
    app.table.batch_write(&actions, &[]).await
}

impl LikeJob {
    fn engagement(&self) -> (UserId, PostId) {
        match self {
            Self::Added { user, post, .. } | Self::Removed { user, post } => (*user, *post),
        }
    }
}

impl Job for LikeJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        match self {
            Self::Added { .. } => (&urls.liked_add, "LIKED_ADD_QUEUE_URL"),
            Self::Removed { .. } => (&urls.liked_remove, "LIKED_REMOVE_QUEUE_URL"),
        }
    }
}
