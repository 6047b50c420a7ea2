//! One thing that happened, of which somebody is to be told.

use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{Actors, NotificationType, Pending, Subject, TargetType};
use crate::{
    ids::{EventId, TargetId, UserId},
    people::relationships,
};

const KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;
/// A happening may be committed after one that has a later id: no request takes longer.
const COMMIT_MAX_MILLIS: u64 = 5 * 60 * 1000;
const ALREADY: Error = Error::Conflict("this was told before");
const PAGE_ROWS: usize = 200;
/// Of what one subject has pending, at most so many happenings are looked at for their actors.
const PAGES_MAX: usize = 100;

/// Something that somebody did, or several people one after the other.
#[derive(Clone, Debug)]
pub struct Happening {
    /// Whom it concerns, and what it happened to.
    pub subject: Subject,
    /// Who did it, last first.
    pub actors: Actors,
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
    id: EventId,
    /// Who, last first.
    actors: Actors,
    /// When.
    at: Time,
}

/// What happened lately: the newest of it, and who did it.
#[derive(Default)]
pub(super) struct Lately {
    /// Which, and when.
    pub(super) newest: Option<(EventId, Time)>,
    /// Who, last first.
    pub(super) actors: Actors,
}

impl Happening {
    /// Something about `recipient`'s `target`: who did it, what tells it from others, when.
    pub fn new(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (actor, id, at): (UserId, EventId, Time),
    ) -> Self {
        let actors = Actors::default().and_before(&[actor]);
        Self { subject: subject(recipient, kinds, target), actors, id, at }
    }

    /// Something that several people did, last first, about `recipient`'s `target`; none while kinds that
    /// are only proposed are off, or where nobody did it.
    pub fn together(
        app: &App,
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        people: &[UserId],
    ) -> Option<Self> {
        let actors = Actors::default().and_before(people);
        let (id, at) = (app.ids.next(app.now()), app.now());
        let tells = *app.settings.proposed_features && !actors.ids().is_empty();
        tells.then(|| Self { subject: subject(recipient, kinds, target), id, at, actors })
    }

    /// Those of which their recipients want to hear: not of what somebody does whom they muted. 1 call
    /// and 1 RRU for each, at the same time.
    ///
    /// # Errors
    /// Internal only.
    pub async fn heard(app: &App, happenings: Vec<Self>) -> Result<Vec<Self>> {
        let heard = async |it: Self| -> Result<_> {
            let recipient = it.subject.author_id;
            let Some(actor) = it.last_actor().filter(|it| *it != recipient) else { return Ok(None) };
            let barrier = relationships::find(app, recipient, actor).await?;
            Ok((!barrier.mutes && !barrier.is_block()).then_some(it))
        };
        let heard = futures::future::try_join_all(happenings.into_iter().map(heard)).await?;
        Ok(heard.into_iter().flatten().collect())
    }

    /// For the transaction in which it happens: it is written down and counted; 5 WRU. Nothing, when
    /// it is the recipient's own doing, or of a kind that is only proposed while these are off.
    ///
    /// Metadata is written every time, so a record is always whole. What was written down before is
    /// refused as a conflict.
    pub fn writes(&self, app: &App) -> Vec<Write> {
        let Self { subject, actors, id, at } = self;
        let told = *app.settings.proposed_features || subject.notification_type == NotificationType::Post;
        let actor = self.last_actor().filter(|it| told && *it != subject.author_id);
        let Some(actor) = actor else { return Vec::new() };
        let record = Write::update(subject.pending_key())
            .add("count", actors.ids().len() as i64)
            .set("authorId", subject.author_id)
            .set("notificationType", subject.notification_type)
            .set("targetType", subject.target_type)
            .set("targetId", subject.target_id)
            .set("lastActorId", actor)
            .set("updatedAt", at)
            .set_once("since", id)
            .place_once(Index::One, &subject.pending_place(*id));
        let happened = Happened { pk: subject.pending_pk(), id: *id, actors: actors.clone(), at: *at };
        vec![record, Write::create(&happened).or(ALREADY)]
    }

    fn last_actor(&self) -> Option<UserId> {
        self.actors.ids().first().copied()
    }
}

/// What one group is about: whose, what happened to what, and which.
fn subject(
    author_id: UserId,
    (notification_type, target_type): (NotificationType, TargetType),
    target: Ulid,
) -> Subject {
    Subject { author_id, notification_type, target_type, target_id: TargetId::from(target) }
}

/// What happened lately, by at most 100 people. 1 call and 1 RRU for each 200 happenings that are
/// looked at.
///
/// Happenings stay until they are swept: who is read again changes nothing.
pub(super) async fn lately(app: &App, pending: &Pending) -> Result<Lately> {
    let since = Ulid::from(pending.since).timestamp_ms().saturating_sub(COMMIT_MAX_MILLIS);
    let (low, mut high) = (sk(EventId::from(Ulid::from_parts(since, 0))), "EVENT#~".to_owned());
    let mut lately = Lately::default();
    for _ in 0..PAGES_MAX {
        let query = Query::partition(pending.subject.pending_pk()).between(&low, &high).newest_first();
        let page: Vec<Happened> = app.table.query(&query.consistent().limit(PAGE_ROWS)).await?;
        let last = (page.len() == PAGE_ROWS).then(|| page.last().map(|it| sk(it.id))).flatten();
        for happened in page {
            lately.newest.get_or_insert((happened.id, happened.at));
            lately.actors = lately.actors.and_before(happened.actors.ids());
        }
        match last {
            Some(last) if !lately.actors.are_full() => high = last,
            _ => break,
        }
    }
    Ok(lately)
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
