//! Messages grouped by post, and posts grouped into transactions.

use std::collections::BTreeMap;

use base::ids::{Position, PostId, UserId};
use platform::{
    App, Result,
    table::{Key, Together},
};

use super::{
    LikeJob,
    listing::Listing,
    row::{number_of, row_at},
};
use crate::{
    Counter, Post,
    engagements::{self, Engagement},
    key,
    tallies::{Tallied, TallyId},
};

/// The number of writes that one transaction takes.
const WRITES_MAX: usize = 100;
/// The number of writes in a transaction of several posts. The more posts it has, the likelier one of them
/// is stale, and all are refused with it.
const WRITES_TOGETHER_MAX: usize = 40;
/// The number of writes for a post beside those of its likers: 1 counts the likes, 2 notify the author.
const WRITES_PER_POST: usize = 3;
/// The most likes of one post that a transaction settles.
const LIKES_MAX: usize = WRITES_MAX - WRITES_PER_POST;

/// The users whose likes of one post are to be settled.
pub(super) struct PostLikes {
    post: PostId,
    /// The position of the row of those whose likes are counted, where they are many: the same at each attempt, so that one
    /// that was refused leaves no row behind.
    at: Position,
    /// Whether they are a part of those that a worker got at once, and a transaction does not take.
    are_part: bool,
    /// Each user, with the indexes of the user's messages.
    users: Vec<(UserId, Vec<usize>)>,
}

/// A post, and its engagements that its count does not include yet.
pub(super) struct UnsettledPost {
    pub(super) post: Post,
    pub(super) engagements: Vec<Engagement>,
    /// The number of the newest settlement that changed a like of these people.
    newest_seq: i64,
    /// Where those of them stand who like it.
    pub(super) listing: Listing,
    /// Whether there are more of them than a transaction takes.
    pub(super) are_part: bool,
    /// The tally that they are added to, where the post has its likes counted so.
    pub(super) tally: Option<TallyId>,
    /// Engagements that the count is right about: a like was taken back before it was counted.
    pub(super) settled: Vec<Engagement>,
}

impl UnsettledPost {
    /// Returns by how much the settlement changes the post's count.
    pub(super) fn change(&self) -> i64 {
        self.engagements.iter().map(|it| if it.liked { 1 } else { -1 }).sum()
    }

    pub(super) fn has_unsettled(&self) -> bool {
        !(self.engagements.is_empty() && self.settled.is_empty())
    }

    /// Returns the post, and the newest settlement of these people's likes that lies in tallies: before it is added up
    /// neither are its messages done, nor can a like of it change again. Where a worker of an earlier release has counted on
    /// the post, tallies are added up too: their number is no longer behind those of the post.
    pub(super) fn to_add_up(&self) -> Option<(PostId, i64)> {
        let (counted, newest) = match self.post.tallied {
            Some(tallied) => (tallied.after, self.newest_seq.max(self.post.likes_seq)),
            None => (self.post.likes_seq, self.newest_seq),
        };
        (newest > counted).then_some((self.post.id, newest))
    }

    /// Returns the post and the number of the settlement, where it comes to a tally.
    pub(super) fn tallied(&self) -> Option<(PostId, i64)> {
        let comes = self.post.tallied.is_some() && !self.engagements.is_empty();
        comes.then(|| (self.post.id, self.seq()))
    }

    /// Returns the number of the settlement.
    pub(super) fn seq(&self) -> i64 {
        self.post.tallied.map_or(self.post.likes_seq + 1, Tallied::seq)
    }

    /// Returns the new likes of people who liked the post before: they leave their places in rows for new ones. The open
    /// page they left when their like was taken back.
    pub(super) fn likes_again(&self) -> impl Iterator<Item = &Engagement> {
        let in_row = |it: &&Engagement| it.place.is_some_and(|at| !self.post.likers.has(at));
        self.engagements.iter().filter(|it| it.liked).filter(in_row)
    }
}

impl PostLikes {
    pub(super) fn post(&self) -> PostId {
        self.post
    }

    pub(super) fn keys(&self) -> Vec<Key> {
        let engagements = self.users.iter().map(|(user, _)| engagements::key(*user, self.post));
        engagements.chain([key(self.post)]).collect()
    }

    pub(super) fn message_indexes(&self) -> impl Iterator<Item = usize> {
        self.users.iter().flat_map(|(_, indexes)| indexes).copied()
    }

    /// Takes the post's rows out of `rows`. Returns none when the post does not exist or its count is right.
    pub(super) fn take_unsettled(&self, app: &App, rows: &mut Together) -> Result<Option<UnsettledPost>> {
        let mut engagements = Vec::new();
        for (user, _) in &self.users {
            engagements.extend(rows.take::<Engagement>(&engagements::key(*user, self.post))?);
        }
        let Some(post) = rows.take::<Post>(&key(self.post))? else { return Ok(None) };
        let newest_seq = engagements.iter().map(|it| it.seq).max().unwrap_or_default();
        engagements.retain(|it| it.liked != it.counted || it.unsettled_since.is_some());
        let (engagements, settled): (Vec<_>, _) =
            engagements.into_iter().partition(|it| it.liked != it.counted);
        let listing = Listing::of(&post, self.at, row_at(app.ids.next(app.now())), &engagements)?;
        let number = number_of(self.at);
        let tally = post.tallied.map(|it| TallyId::of(post.id, it, Counter::Likes, number));
        let are_part = self.are_part;
        let unsettled = UnsettledPost { post, engagements, newest_seq, listing, are_part, tally, settled };
        Ok(Some(unsettled).filter(|it| it.has_unsettled() || it.to_add_up().is_some()))
    }

    fn writes_count(&self) -> usize {
        self.users.len() + WRITES_PER_POST
    }
}

/// Groups messages by post, and posts into batches that fit one transaction each. A post with more likes
/// than that is in several batches.
pub(super) fn batches(app: &App, jobs: &[LikeJob]) -> Vec<Vec<PostLikes>> {
    let mut batches: Vec<Vec<PostLikes>> = Vec::new();
    let mut writes = 0;
    for likes in by_post(app, jobs) {
        writes += likes.writes_count();
        match batches.last_mut().filter(|_| writes <= WRITES_TOGETHER_MAX) {
            Some(batch) => batch.push(likes),
            None => {
                writes = likes.writes_count();
                batches.push(vec![likes]);
            }
        }
    }
    batches
}

fn by_post(app: &App, jobs: &[LikeJob]) -> Vec<PostLikes> {
    let mut by_post: BTreeMap<PostId, BTreeMap<UserId, Vec<usize>>> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        if let Some((user, post)) = job.engagement() {
            by_post.entry(post).or_default().entry(user).or_default().push(index);
        }
    }
    let split = |(post, users): (PostId, BTreeMap<_, _>)| {
        let users: Vec<_> = users.into_iter().collect();
        let (chunks, are_part) = (users.chunks(LIKES_MAX).map(<[_]>::to_vec), users.len() > LIKES_MAX);
        let likes = |users| PostLikes { post, at: row_at(app.ids.next(app.now())), are_part, users };
        chunks.map(likes).collect::<Vec<_>>()
    };
    by_post.into_iter().flat_map(split).collect()
}
