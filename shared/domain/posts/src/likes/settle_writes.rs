//! The writes that settle the likes of a post and notify its author.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};

use base::ids::{Position, UserId};
use futures::try_join;
use notifications::{Look, NotificationEvent};
use people::relationships::{self, Surface};
use platform::{
    App,
    error::Result,
    table::{Row, Write},
};

use super::batch::UnsettledPost;
use crate::{
    Post,
    engagements::{self, Engagement},
    notices,
    tallies::{self, Tallied, TallyId},
};

/// Returns the writes that make a post's count include its unsettled engagements as they are now. They are
/// stale when one of those, or the count, changed meanwhile.
pub(super) fn settle_writes(app: &App, unsettled: &UnsettledPost, muted: &Muted) -> Vec<Write> {
    let settled = unsettled.settled.iter().map(|it| if_unchanged(engagements::settled_write(it), it));
    match unsettled.engagements.is_empty() {
        true => settled.collect(),
        false => count_writes(app, unsettled, muted).into_iter().chain(settled).collect(),
    }
}

fn count_writes(app: &App, unsettled: &UnsettledPost, muted: &Muted) -> Vec<Write> {
    let UnsettledPost { post, engagements, listing, .. } = unsettled;
    let seq = unsettled.seq();
    let event = notices::likes(app, post, &new_likers(engagements), &muted.pairs);
    let event = event.filter(|_| !muted.has_thread_of(post));
    let notified = event.as_ref().map_or(&[][..], |it| it.actors.ids());
    let engagement_writes =
        engagements.iter().map(|it| engagement_write(it, listing.place(it.user), seq, notified));
    let counted = match unsettled.tally {
        Some(tally) => tally_writes(unsettled, tally, event.as_ref()),
        None => post_writes(app, unsettled, event.as_ref(), muted),
    };
    engagement_writes.chain(counted).collect()
}

/// Counts the likes in a tally. What the author hears of has a row of its own, and is counted with the sum.
fn tally_writes(unsettled: &UnsettledPost, tally: TallyId, event: Option<&NotificationEvent>) -> Vec<Write> {
    let write = tally.add_write(unsettled.change(), unsettled.engagements.len());
    match event {
        Some(event) => vec![tallies::heard(write, event), event.row_write()],
        None => vec![write],
    }
}

/// Counts the likes, and what the author hears of, at once.
fn post_writes(
    app: &App,
    unsettled: &UnsettledPost,
    event: Option<&NotificationEvent>,
    muted: &Muted,
) -> Vec<Write> {
    let told = event.into_iter().flat_map(|it| it.writes_once(app, &muted.look));
    [post_write(app, unsettled)].into_iter().chain(told).collect()
}

/// Counts the likes on the post itself. Where there are more of them than a transaction takes, the next ones are counted in
/// tallies.
fn post_write(app: &App, unsettled: &UnsettledPost) -> Write {
    let UnsettledPost { post, listing, .. } = unsettled;
    let open_page = listing.open_page();
    let write =
        Write::update(post.key()).add("likesCount", unsettled.change()).set("likesSeq", unsettled.seq());
    let write = match unsettled.are_part && open_page.is_none() {
        true => write.set("tallied", Tallied { after: unsettled.seq(), at: app.now() }),
        false => write,
    };
    write.set_or_remove("likers", open_page).equals("likesSeq", post.likes_seq)
}

fn engagement_write(before: &Engagement, place: Option<Position>, seq: i64, notified: &[UserId]) -> Write {
    let write = engagements::settled_write(before).set("counted", before.liked).set("seq", seq);
    let write = write.set("told", before.author_notified || notified.contains(&before.user));
    let write = write.set_or_remove("place", place.or(before.place));
    if_unchanged(write, before)
}

fn if_unchanged(write: Write, before: &Engagement) -> Write {
    write.equals("liked", before.liked).equals_or_lacks("counted", before.counted)
}

/// Which likes authors are not notified of, and how the records of the others looked.
pub(super) struct Muted {
    /// Author and liker, where the author hides the liker.
    pairs: HashSet<(UserId, UserId)>,
    look: Look,
}

impl Muted {
    fn has_thread_of(&self, post: &Post) -> bool {
        self.look.mutes_of(post.author).is_some_and(|it| it.has_thread(post.thread()))
    }
}

/// Returns which likes the authors of posts mute. Costs 2 calls at the same time: 0.5 RRU for each liker, or for each
/// author of several, and 0.5 for each author and for each post.
pub(super) async fn muted(app: &App, unsettled: &[UnsettledPost]) -> Result<Muted> {
    let notifies =
        |it: &&UnsettledPost| app.has_proposed_features() && !new_likers(&it.engagements).is_empty();
    let posts = unsettled.iter().filter(notifies).map(|it| &it.post);
    let subjects: Vec<_> = posts.map(|it| notices::like_subject(it.author, it.id)).collect();
    let (pairs, look) = try_join!(muted_pairs(app, unsettled), Look::at(app, &subjects, &subjects, &[]))?;
    Ok(Muted { pairs, look })
}

async fn muted_pairs(app: &App, unsettled: &[UnsettledPost]) -> Result<HashSet<(UserId, UserId)>> {
    let mut likers: BTreeMap<UserId, HashSet<UserId>> = BTreeMap::new();
    if app.has_proposed_features() {
        for UnsettledPost { post, engagements, .. } in unsettled {
            let others = new_likers(engagements).into_iter().filter(|it| *it != post.author);
            likers.entry(post.author).or_default().extend(others);
        }
    }
    relationships::hidden_pairs(app, &likers, Surface::Feed).await
}

/// Returns the users of whose likes the author was never notified, last first.
fn new_likers(engagements: &[Engagement]) -> Vec<UserId> {
    let mut likes: Vec<_> = engagements.iter().filter(|it| it.liked && !it.author_notified).collect();
    likes.sort_unstable_by_key(|it| Reverse(it.liked_at));
    likes.into_iter().map(|it| it.user).collect()
}
