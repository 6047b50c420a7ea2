//! Counting a reply, a quote or a repost on the post that it refers to, and telling of it.

use base::ids::PostId;
use notifications::NotificationEvent;
use platform::{App, table::Write};
use ulid::Ulid;

use super::heard::Heard;
use crate::{
    Counter, GONE, Post, key, notices,
    settle::add_up_write,
    tallies::{self, Tallied, TallyId},
};

/// A post to which another refers, and which of its counts has that one.
pub(super) struct Counted {
    post: PostId,
    counter: Counter,
    tallied: Option<Tallied>,
}

impl Counted {
    /// A reply counts on its parent.
    pub(super) fn replies_to(parent: &Post) -> Self {
        Self { post: parent.id, counter: Counter::Replies, tallied: parent.tallied }
    }

    /// A quote or a repost counts on the original: where a repost of that was shared, always on its row.
    pub(super) fn shares_of(shared: &Post, counter: Counter) -> Self {
        let tallied = shared.tallied.filter(|_| shared.root() == shared.id);
        Self { post: shared.root(), counter, tallied }
    }

    /// Returns the writes that count a new post and notify of it; refused with [`GONE`] when the other one was deleted.
    /// Where very many like that one, its row and the record of its author's notification are changed too often: there the
    /// post comes to a tally, and a message has it added up. Then they cost 6 WRU, the count has it a second later, and for
    /// as long after a deletion it may still be written.
    pub(super) fn writes(&self, app: &App, post: &Post, heard: &Heard) -> Vec<Write> {
        match self.tallied.filter(|it| it.goes_on(app.now())) {
            Some(tallied) => self.tally_writes(app, post, (tallied, heard)),
            None => [self.count_write()].into_iter().chain(heard.all_writes(app)).collect(),
        }
    }

    fn count_write(&self) -> Write {
        let write = Write::update(key(self.post)).add(self.counter.attribute(), 1);
        write.equals("isDeleted", false).or(GONE)
    }

    /// The event of which the author of the other post hears has a row of its own, and is counted with the sum.
    fn tally_writes(&self, app: &App, post: &Post, (tallied, heard): (Tallied, &Heard)) -> Vec<Write> {
        let number = Ulid::from(post.id).random();
        let write = TallyId::of(self.post, tallied, self.counter, number).add_write(1, 1);
        let (own, others): (Vec<_>, Vec<_>) = heard.events.iter().partition(|it| self.is_told_of(it));
        let write = match own.first() {
            Some(event) => tallies::heard(write, event),
            None => write,
        };
        let events = own.into_iter().map(NotificationEvent::row_write);
        let others = others.into_iter().flat_map(|it| heard.writes(app, it));
        [write, add_up_write(app, self.post, tallied)].into_iter().chain(events).chain(others).collect()
    }

    fn is_told_of(&self, event: &NotificationEvent) -> bool {
        let (kind, target) = notices::kinds(self.counter);
        (event.subject.notification_type, event.subject.target_type) == (kind, target)
    }
}
