//! Writes that apply the likes of a post and notify its author.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};

use base::{EventId, Position, UserId};
use futures::try_join;
use notifications::{ActorChanges, NotificationEvent, RecipientSnapshot};
use people::{ViewContext, relationships};
use platform::{App, Result, Row, Write};

use ulid::Ulid;

use super::batch::UncountedPost;
use crate::{Engagement, Post, engagements, notices};

/// Returns the writes that apply the likes and unlikes of a post that are not counted yet. The writes fail with a
/// conflict if an engagement or the count changed after it was read.
pub(super) fn apply_writes(app: &App, uncounted: &UncountedPost, muted: &Muted) -> Vec<Write> {
    let unchanged =
        uncounted.unchanged.iter().map(|like| if_unchanged(engagements::applied_write(like.key()), like));
    match uncounted.engagements.is_empty() {
        true => unchanged.collect(),
        false => count_writes(app, uncounted, muted).into_iter().chain(unchanged).collect(),
    }
}

fn count_writes(app: &App, uncounted: &UncountedPost, muted: &Muted) -> Vec<Write> {
    let UncountedPost { post, engagements, list_update, .. } = uncounted;
    let seq = uncounted.seq();
    let event = notices::likes(app, post, like_changes(post, engagements, muted), &muted.pairs);
    let engagement_writes = engagements.iter().map(|engagement| {
        engagement_write(engagement, list_update.position(engagement.user), seq, event.as_ref())
    });
    let notify = event.iter().flat_map(|event| event.writes_once(app, &muted.snapshot));
    engagement_writes.chain([post_write(uncounted)]).chain(notify).collect()
}

fn post_write(uncounted: &UncountedPost) -> Write {
    let UncountedPost { post, list_update, .. } = uncounted;
    let write =
        Write::update(post.key()).add("likesCount", uncounted.change()).set("likesSeq", uncounted.seq());
    write.set_or_remove("likers", list_update.open_segment()).equals("likesSeq", post.likes_seq)
}

fn engagement_write(
    before: &Engagement,
    place: Option<Position>,
    seq: i64,
    event: Option<&NotificationEvent>,
) -> Write {
    let write = engagements::applied_write(before.key()).set("counted", before.liked).set("seq", seq);
    let notified_as = event.filter(|event| event.actors.ids().contains(&before.user)).map(|event| event.id);
    let write = write.set("authorNotified", before.author_notified || notified_as.is_some());
    let write = write.set_or_remove("notifiedAs", notified_as);
    let write = write.set_or_remove("place", place.or(before.place));
    if_unchanged(write, before)
}

fn if_unchanged(write: Write, before: &Engagement) -> Write {
    write.equals("liked", before.liked).equals_or_lacks("counted", before.counted)
}

/// The mutes and blocks that suppress notifications of likes. `snapshot` is also used to write notifications.
pub(super) struct Muted {
    /// Pairs of an author and a liker. In each pair, the author mutes the liker, or a block exists.
    pairs: HashSet<(UserId, UserId)>,
    snapshot: RecipientSnapshot,
}

impl Muted {
    fn has_thread_of(&self, post: &Post) -> bool {
        self.snapshot.mutes_of(post.author).is_some_and(|mutes| mutes.has_thread(post.thread()))
    }
}

/// Returns the mutes and blocks that suppress notifications of likes.
///
/// Makes 2 concurrent reads, which cost 1 RRU for each author and 0.5 RRU for each post.
pub(super) async fn muted(app: &App, uncounted: &[UncountedPost]) -> Result<Muted> {
    let notifies = |uncounted: &&UncountedPost| {
        let engagements = &uncounted.engagements;
        let has_event = !new_likers(engagements).is_empty() || !withdrawn_likes(engagements).is_empty();
        app.has_proposed_features() && has_event
    };
    let posts = uncounted.iter().filter(notifies).map(|uncounted| &uncounted.post);
    let subjects: Vec<_> = posts.map(|post| notices::like_subject(post.author, post.id)).collect();
    let (pairs, snapshot) =
        try_join!(muted_pairs(app, uncounted), RecipientSnapshot::read(app, &subjects, &subjects, &[]))?;
    Ok(Muted { pairs, snapshot })
}

async fn muted_pairs(app: &App, uncounted: &[UncountedPost]) -> Result<HashSet<(UserId, UserId)>> {
    let mut likers: BTreeMap<UserId, HashSet<UserId>> = BTreeMap::new();
    if app.has_proposed_features() {
        for UncountedPost { post, engagements, .. } in uncounted {
            let others = new_likers(engagements).into_iter().filter(|user| *user != post.author);
            likers.entry(post.author).or_default().extend(others);
        }
    }
    relationships::hidden_pairs(app, &likers, ViewContext::Feed).await
}

/// Returns the new likers to add to the author's notification, and the likes to remove from the notification.
fn like_changes(post: &Post, engagements: &[Engagement], muted: &Muted) -> ActorChanges {
    let actors = if muted.has_thread_of(post) { Vec::new() } else { new_likers(engagements) };
    let returning = engagements.iter().filter(|like| like.liked && like.author_notified);
    let returning = returning.map(|like| like.user).collect();
    ActorChanges { actors, returning, withdrawn: withdrawn_likes(engagements) }
}

/// Returns the removed likes that the author's notification contains.
fn withdrawn_likes(engagements: &[Engagement]) -> Vec<(EventId, UserId)> {
    let removed = engagements.iter().filter(|like| !like.liked && like.author_notified);
    // Withdraws likes without an event, too, because the notification may contain the user.
    let event = |like: &Engagement| like.notified_as.unwrap_or(EventId::from(Ulid::nil()));
    removed.map(|like| (event(like), like.user)).collect()
}

/// Returns the users who like the post, latest like first.
fn new_likers(engagements: &[Engagement]) -> Vec<UserId> {
    let mut likes: Vec<_> = engagements.iter().filter(|like| like.liked).collect();
    likes.sort_unstable_by_key(|like| Reverse(like.liked_at));
    likes.into_iter().map(|like| like.user).collect()
}
