//! One thing that happened, of which somebody is to be told.

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{NotificationType, Pending, Subject, TargetType, actors::ACTORS_MAX};
use crate::{
    App, blocks,
    error::{Error, Result},
    id::{EventId, TargetId, UserId},
    posts::Post,
    table::{Index, Key, Query, Row, Write},
    time::Time,
};

const KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;
/// A happening may be committed after one that has a later id: no request takes longer.
const COMMIT_MAX_MILLIS: u64 = 5 * 60 * 1000;
const ALREADY: Error = Error::Conflict("this was told before");
const PAGE_ROWS: usize = 200;
/// Of what one subject has pending, at most so many happenings are looked at for their actors.
const PAGES_MAX: usize = 100;

/// Something that somebody did.
#[derive(Clone, Debug)]
pub struct Happening {
    /// Whom it concerns, and what it happened to.
    pub subject: Subject,
    /// Who did it.
    pub actor: UserId,
    /// What tells it from others; sorts by when.
    pub id: EventId,
    /// When.
    pub at: Time,
}

/// A happening's row: who did it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Happened {
    pk: String,
    /// Which.
    pub(super) id: EventId,
    /// Who.
    pub(super) actor: UserId,
    /// When.
    pub(super) at: Time,
}

impl Happening {
    /// A reply to somebody's post.
    pub fn reply(reply: &Post, parent: &Post) -> Self {
        let kinds = (NotificationType::Post, TargetType::Reply);
        let id = EventId::from(Ulid::from(reply.id));
        Self::new(parent.author, kinds, Ulid::from(parent.id), (reply.author, id, reply.created_at))
    }

    /// A post that mentions people; one for each of them.
    pub fn mentions(app: &App, post: &Post) -> Vec<Self> {
        let kinds = (NotificationType::Mention, TargetType::Post);
        let mention = |user: &UserId| {
            let id = app.ids.next(post.created_at);
            Self::new(*user, kinds, Ulid::from(post.id), (post.author, id, post.created_at))
        };
        post.mentions.users().iter().map(mention).collect()
    }

    /// Something about `recipient`'s `target`: who did it, what tells it from others, when.
    pub(super) fn new(
        recipient: UserId,
        (notification_type, target_type): (NotificationType, TargetType),
        target: Ulid,
        (actor, id, at): (UserId, EventId, Time),
    ) -> Self {
        let target_id = TargetId::from(target);
        let subject = Subject { author_id: recipient, notification_type, target_type, target_id };
        Self { subject, actor, id, at }
    }

    /// Those of which their recipients want to hear: not of what somebody does whom they muted. 1 call
    /// and 1 RRU for each, at the same time.
    ///
    /// # Errors
    /// Internal only.
    pub async fn heard(app: &App, happenings: Vec<Self>) -> Result<Vec<Self>> {
        let others = happenings.into_iter().filter(|it| it.subject.author_id != it.actor);
        let heard = async |it: Self| -> Result<_> {
            let barrier = blocks::find(app, it.subject.author_id, it.actor).await?;
            Ok((!barrier.mutes && !barrier.is_block()).then_some(it))
        };
        let heard = futures::future::try_join_all(others.map(heard)).await?;
        Ok(heard.into_iter().flatten().collect())
    }

    /// For the transaction in which it happens: it is written down and counted; 5 WRU. Nothing, when
    /// it is the recipient's own doing, or of a kind that is only proposed while these are off.
    ///
    /// Metadata is written every time, so a record is always whole. What was written down before is
    /// refused as a conflict.
    pub fn writes(&self, app: &App) -> Vec<Write> {
        let Self { subject, actor, id, at } = self;
        let told = app.settings.proposed_features || subject.notification_type == NotificationType::Post;
        if !told || subject.author_id == *actor {
            return Vec::new();
        }
        let record = Write::update(subject.pending_key())
            .add("count", 1)
            .set("authorId", subject.author_id)
            .set("notificationType", subject.notification_type)
            .set("targetType", subject.target_type)
            .set("targetId", subject.target_id)
            .set("lastActorId", actor)
            .set("updatedAt", at)
            .set_once("since", id)
            .place_once(Index::One, &subject.pending_place(*id));
        let happened = Happened { pk: subject.pending_pk(), id: *id, actor: *actor, at: *at };
        vec![record, Write::create(&happened).or(ALREADY)]
    }
}

/// The newest happening of each of the newest actors, at most 100, newest first. 1 call and 1 RRU for
/// each 200 happenings that are looked at.
///
/// Happenings stay until they are swept: who is read again changes nothing.
pub(super) async fn newest_by_actor(app: &App, pending: &Pending) -> Result<Vec<Happened>> {
    let since = Ulid::from(pending.since).timestamp_ms().saturating_sub(COMMIT_MAX_MILLIS);
    let (low, mut high) = (sk(EventId::from(Ulid::from_parts(since, 0))), "EVENT#~".to_owned());
    let mut newest: Vec<Happened> = Vec::new();
    for _ in 0..PAGES_MAX {
        let query = Query::partition(pending.subject.pending_pk()).between(&low, &high).newest_first();
        let page: Vec<Happened> = app.table.query(&query.consistent().limit(PAGE_ROWS)).await?;
        let last = (page.len() == PAGE_ROWS).then(|| page.last().map(|it| sk(it.id))).flatten();
        for happened in page {
            if newest.len() < ACTORS_MAX && !newest.iter().any(|it| it.actor == happened.actor) {
                newest.push(happened);
            }
        }
        match last {
            Some(last) if newest.len() < ACTORS_MAX => high = last,
            _ => break,
        }
    }
    Ok(newest)
}

fn sk(id: EventId) -> String {
    format!("EVENT#{id}")
}

/// `PENDING#author#target#type / EVENT#id`, swept after a week
impl Row for Happened {
    fn key(&self) -> Key {
        Key::new(&self.pk, sk(self.id))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}
