//! Groups like messages by post, and groups posts into transactions.

use std::collections::BTreeMap;

use base::{Position, PostId, UserId};
use platform::{App, Key, Result, table::Together};

use super::{LikeJob, list_update::ListUpdate, row::row_at};
use crate::{Engagement, Post, engagements, key};

const WRITES_MAX: usize = 100;
/// Maximum number of writes in a transaction for several posts. With more posts, a conflict is more likely, and a
/// conflict fails the whole transaction.
const WRITES_TOGETHER_MAX: usize = 40;
/// Number of writes for each post, in addition to one write for each liker: one for the count and two for the
/// notification.
const WRITES_PER_POST: usize = 3;
/// Maximum number of likes of one post in a transaction.
const LIKES_MAX: usize = WRITES_MAX - WRITES_PER_POST;

/// The users whose likes or unlikes of a post a batch applies.
pub(super) struct PostLikes {
    pub(super) post: PostId,
    /// The position of the row of likers, if the batch needs such a row. The position is the same at each attempt, so a
    /// retry overwrites the row of a failed attempt.
    at: Position,
    /// The users, each with the indexes of their like messages.
    users: Vec<(UserId, Vec<usize>)>,
}

/// A post with the likes and unlikes that its like count does not include yet.
pub(super) struct UncountedPost {
    pub(super) post: Post,
    pub(super) engagements: Vec<Engagement>,
    pub(super) list_update: ListUpdate,
    /// Engagements that leave the count unchanged, because the like was removed before it was counted.
    pub(super) unchanged: Vec<Engagement>,
}

impl UncountedPost {
    /// Returns the number to add to the post's like count.
    pub(super) fn change(&self) -> i64 {
        self.engagements.iter().map(|like| if like.liked { 1 } else { -1 }).sum()
    }

    fn has_uncounted(&self) -> bool {
        !(self.engagements.is_empty() && self.unchanged.is_empty())
    }

    pub(super) fn seq(&self) -> i64 {
        self.post.likes_seq + 1
    }

    /// Returns likes by users who liked the post before and still have a position in a row of likers. The caller must
    /// remove the users from these rows.
    pub(super) fn repeated_likes(&self) -> impl Iterator<Item = &Engagement> {
        let in_row = |like: &&Engagement| like.place.is_some_and(|at| !self.post.likers.has(at));
        self.engagements.iter().filter(|like| like.liked).filter(in_row)
    }
}

impl PostLikes {
    pub(super) fn keys(&self) -> Vec<Key> {
        let engagements = self.users.iter().map(|(user, _)| engagements::key(*user, self.post));
        engagements.chain([key(self.post)]).collect()
    }

    pub(super) fn message_indexes(&self) -> impl Iterator<Item = usize> {
        self.users.iter().flat_map(|(_, indexes)| indexes).copied()
    }

    /// Takes the post and the users' engagements from `rows`. Returns `None` if the post does not exist, or if the
    /// count already includes all likes.
    pub(super) fn take_uncounted(&self, app: &App, rows: &mut Together) -> Result<Option<UncountedPost>> {
        let mut engagements = Vec::new();
        for (user, _) in &self.users {
            engagements.extend(rows.take::<Engagement>(&engagements::key(*user, self.post))?);
        }
        let Some(post) = rows.take::<Post>(&key(self.post))? else { return Ok(None) };
        engagements.retain(|like| like.liked != like.counted || like.uncounted_since.is_some());
        let (engagements, unchanged): (Vec<_>, _) =
            engagements.into_iter().partition(|like| like.liked != like.counted);
        let list_update = ListUpdate::of(&post, self.at, row_at(app.ids.next(app.now())), &engagements)?;
        let uncounted = UncountedPost { post, engagements, list_update, unchanged };
        Ok(Some(uncounted).filter(UncountedPost::has_uncounted))
    }

    fn writes_count(&self) -> usize {
        self.users.len() + WRITES_PER_POST
    }
}

/// Groups messages by post, and groups posts into batches that each fit in one transaction. A post with more likes than
/// one transaction can hold is in several batches.
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
