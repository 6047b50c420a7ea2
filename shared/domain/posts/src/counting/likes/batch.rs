//! Messages grouped by post, and posts grouped into transactions.

use std::collections::BTreeMap;

use base::ids::{Position, PostId, UserId};
use platform::{
    App, Result,
    table::{Key, Together},
};

use super::{LikeJob, listing::Listing, row::row_at};
use crate::{
    Post,
    counting::engagements::{self, Engagement},
    key,
};

/// The number of writes that one transaction takes.
const WRITES_MAX: usize = 100;
/// The number of writes in a transaction of several posts. The more posts it has, the likelier one of them
/// is stale, and all are refused with it.
const WRITES_TOGETHER_MAX: usize = 40;
/// The number of writes for a post beside those of its likers: 1 counts the likes, 2 notify the author.
const WRITES_PER_POST: usize = 3;
/// The most likes of one post that a transaction applies.
const LIKES_MAX: usize = WRITES_MAX - WRITES_PER_POST;

/// The users whose likes of one post are to be applied.
pub(super) struct PostLikes {
    post: PostId,
    /// The position of the row of those whose likes are counted, where they are many: the same at each attempt, so that one
    /// that was refused leaves no row behind.
    at: Position,
    /// Each user, with the indexes of the user's messages.
    users: Vec<(UserId, Vec<usize>)>,
}

/// A post, and its engagements that its count does not include yet.
pub(super) struct UncountedPost {
    pub(super) post: Post,
    pub(super) engagements: Vec<Engagement>,
    /// Where those of them stand who like it.
    pub(super) listing: Listing,
    /// Engagements that the count is right about: a like was taken back before it was counted.
    pub(super) agreeing: Vec<Engagement>,
}

impl UncountedPost {
    /// Returns by how much the batch changes the post's count.
    pub(super) fn change(&self) -> i64 {
        self.engagements.iter().map(|like| if like.liked { 1 } else { -1 }).sum()
    }

    fn has_uncounted(&self) -> bool {
        !(self.engagements.is_empty() && self.agreeing.is_empty())
    }

    /// Returns the number of the batch among those of the post.
    pub(super) fn seq(&self) -> i64 {
        self.post.likes_seq + 1
    }

    /// Returns the new likes of people who liked the post before: they leave their places in rows for new ones. The open
    /// page they left when their like was taken back.
    pub(super) fn likes_again(&self) -> impl Iterator<Item = &Engagement> {
        let in_row = |like: &&Engagement| like.place.is_some_and(|at| !self.post.likers.has(at));
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
    pub(super) fn take_uncounted(&self, app: &App, rows: &mut Together) -> Result<Option<UncountedPost>> {
        let mut engagements = Vec::new();
        for (user, _) in &self.users {
            engagements.extend(rows.take::<Engagement>(&engagements::key(*user, self.post))?);
        }
        let Some(post) = rows.take::<Post>(&key(self.post))? else { return Ok(None) };
        engagements.retain(|like| like.liked != like.counted || like.uncounted_since.is_some());
        let (engagements, agreeing): (Vec<_>, _) =
            engagements.into_iter().partition(|like| like.liked != like.counted);
        let listing = Listing::of(&post, self.at, row_at(app.ids.next(app.now())), &engagements)?;
        let uncounted = UncountedPost { post, engagements, listing, agreeing };
        Ok(Some(uncounted).filter(UncountedPost::has_uncounted))
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
        let likes =
            |users: &[_]| PostLikes { post, at: row_at(app.ids.next(app.now())), users: users.to_vec() };
        users.chunks(LIKES_MAX).map(likes).collect::<Vec<_>>()
    };
    by_post.into_iter().flat_map(split).collect()
}
