//! Settling: likes of as many posts as one transaction holds, at once.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use platform::{
    App,
    error::{Error, Result},
    table::{Key, Row, Together, Write},
};

use super::LikeJob;
use crate::{
    ids::{PostId, UserId},
    ledger::action_log::{Action, ActionType},
    notifications::NotificationEvent,
    people::relationships::{self, Surface},
    posts::{
        self, Post,
        engagements::{self, Engagement},
        notices,
    },
};

const STEPS_MAX: usize = 100;
/// Those of several posts: the more of them, the likelier one is refused, and all with it.
const STEPS_TOGETHER: usize = 40;
/// What a post takes of them: one counts its likes, two tell its author.
const STEPS_OF_POST: usize = 3;
const TRIES: usize = 8;

/// People whose likes of a post are to be settled, each with the messages that say so.
struct Piece {
    post: PostId,
    people: Vec<(UserId, Vec<usize>)>,
}

/// A post, and how people stand with it of whom its count does not know.
type Unsettled = (Post, Vec<Engagement>);

/// Settles the likes that a batch of messages speaks of. The places of those that failed come back.
///
/// 2 calls, a transaction and 1 call for each 25 in the action log, for 97 likes of one post, or 10 of different
/// ones: 1 RRU and 3 WRU each, the log included; 1.5 RRU and 13 WRU a post, the news for its author included.
pub async fn settle(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let mut failed = Vec::new();
    for pile in piles(pieces(jobs)) {
        let together = attempt(app, &pile).await.unwrap_or(false);
        let mut settled = Vec::new();
        for piece in &pile {
            let done = if together { Ok(()) } else { piece.settle(app).await };
            match done {
                Ok(()) => settled.extend(piece.places()),
                Err(error) => failed.extend(unsettled(piece.places(), &error)),
            }
        }
        if let Err(error) = log(app, settled.iter().filter_map(|it| jobs.get(*it))).await {
            failed.extend(unsettled(settled.into_iter(), &error));
        }
    }
    failed
}

fn unsettled(places: impl Iterator<Item = usize>, error: &Error) -> Vec<(usize, Error)> {
    tracing::warn!("likes are not settled: {error:?}");
    places.map(|it| (it, Error::internal(anyhow::anyhow!("not settled")))).collect()
}

fn pieces(jobs: &[LikeJob]) -> Vec<Piece> {
    let mut by_post: BTreeMap<PostId, BTreeMap<UserId, Vec<usize>>> = BTreeMap::new();
    for (place, job) in jobs.iter().enumerate() {
        let (user, post) = job.engagement();
        by_post.entry(post).or_default().entry(user).or_default().push(place);
    }
    let cut = |(post, people): (PostId, BTreeMap<_, _>)| {
        let people: Vec<_> = people.into_iter().collect();
        let parts = people.chunks(STEPS_MAX - STEPS_OF_POST).map(<[_]>::to_vec);
        parts.map(|people| Piece { post, people }).collect::<Vec<_>>()
    };
    by_post.into_iter().flat_map(cut).collect()
}

/// Pieces of one transaction each; one that another of its post follows is full.
fn piles(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut piles: Vec<Vec<Piece>> = Vec::new();
    let mut steps = STEPS_TOGETHER;
    for piece in pieces {
        steps += piece.steps();
        match piles.last_mut().filter(|_| steps <= STEPS_TOGETHER) {
            Some(pile) => pile.push(piece),
            None => {
                steps = piece.steps();
                piles.push(vec![piece]);
            }
        }
    }
    piles
}

/// Makes engagements and the counts of their posts agree, and tells of new likes. Whether it could: not
/// when somebody changed their mind, or another worker settled one of them meanwhile.
async fn attempt(app: &App, pieces: &[Piece]) -> Result<bool> {
    let keys: Vec<_> = pieces.iter().flat_map(Piece::keys).collect();
    let mut rows = app.table.get_together(&keys).await?;
    let mut unsettled = Vec::new();
    for piece in pieces {
        unsettled.extend(piece.unsettled(&mut rows)?);
    }
    if unsettled.is_empty() {
        return Ok(true);
    }
    let muted_pairs = muted_pairs(app, &unsettled).await?;
    let settling = |(post, people): &Unsettled| {
        let news = notices::likes(app, post, &new_likers(people), &muted_pairs);
        settling(app, post, people, news)
    };
    let steps = unsettled.iter().flat_map(settling).collect();
    Ok(app.table.try_transact(steps).await?.is_none())
}

/// Of authors and those who like their posts: where the author does not want to hear of it. 0.5 RRU
/// each, or an author.
async fn muted_pairs(app: &App, unsettled: &[Unsettled]) -> Result<HashSet<(UserId, UserId)>> {
    let mut likers: BTreeMap<UserId, HashSet<UserId>> = BTreeMap::new();
    if *app.settings.proposed_features {
        for (post, people) in unsettled {
            let others = new_likers(people).into_iter().filter(|it| *it != post.author);
            likers.entry(post.author).or_default().extend(others);
        }
    }
    relationships::hidden_pairs(app, &likers, Surface::Feed).await
}

/// Of whose likes the author was never told, last first.
fn new_likers(unsettled: &[Engagement]) -> Vec<UserId> {
    let mut likes: Vec<_> = unsettled.iter().filter(|it| it.liked && !it.told).collect();
    likes.sort_unstable_by_key(|it| Reverse(it.liked_at));
    likes.into_iter().map(|it| it.user).collect()
}

fn settling(app: &App, post: &Post, unsettled: &[Engagement], news: Option<NotificationEvent>) -> Vec<Write> {
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

impl Piece {
    fn steps(&self) -> usize {
        self.people.len() + STEPS_OF_POST
    }

    fn keys(&self) -> Vec<Key> {
        let people = self.people.iter().map(|(user, _)| engagements::key(*user, self.post));
        people.chain([posts::key(self.post)]).collect()
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        self.people.iter().flat_map(|(_, places)| places).copied()
    }

    /// Nothing where the post is gone, or its count is right.
    fn unsettled(&self, rows: &mut Together) -> Result<Option<Unsettled>> {
        let mut people = Vec::new();
        for (user, _) in &self.people {
            people.extend(rows.take::<Engagement>(&engagements::key(*user, self.post))?);
        }
        people.retain(|it| it.liked != it.counted);
        let post = rows.take(&posts::key(self.post))?.filter(|_| !people.is_empty());
        Ok(post.map(|post| (post, people)))
    }

    /// By itself, until it is done.
    async fn settle(&self, app: &App) -> Result<()> {
        for _ in 0..TRIES {
            if attempt(app, std::slice::from_ref(self)).await? {
                return Ok(());
            }
        }
        Err(Error::internal(anyhow::anyhow!("likes kept changing while they were settled")))
    }
}
