//! One thing that row, of which somebody is to be told.

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
/// A notification_event may be committed after one that has a later id: no request takes longer.
const COMMIT_MAX_MILLIS: u64 = 5 * 60 * 1000;
const ALREADY: Error = Error::Conflict("this was told before");
const PAGE_ROWS: usize = 200;
/// Of what one subject has pending, at most so many events are looked at for their actors.
const PAGES_MAX: usize = 100;

/// Something that somebody did, or several people one after the other.
#[derive(Clone, Debug)]
pub struct NotificationEvent {
    /// Whom it concerns, and what it row to.
    pub subject: Subject,
    /// Who did it, last first.
    pub actors: Actors,
    /// What tells it from others; sorts by when.
    pub id: EventId,
    /// When.
    pub at: Time,
}

/// A notification_event's row: who did it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationEventRow {
    pk: String,
    /// Which.
    id: EventId,
    /// Who, last first.
    actors: Actors,
    /// When.
    at: Time,
}

/// What row recent_events: the newest of it, and who did it.
#[derive(Default)]
pub(super) struct RecentEvents {
    /// Which, and when.
    pub(super) newest: Option<(EventId, Time)>,
    /// Who, last first.
    pub(super) actors: Actors,
}

impl NotificationEvent {
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
    pub async fn unmuted(app: &App, events: Vec<Self>) -> Result<Vec<Self>> {
        let unmuted = async |it: Self| -> Result<_> {
            let recipient = it.subject.recipient;
            let Some(actor) = it.last_actor().filter(|it| *it != recipient) else { return Ok(None) };
            let relationship = relationships::find(app, recipient, actor).await?;
            Ok((!relationship.mutes && !relationship.is_block()).then_some(it))
        };
        let unmuted = futures::future::try_join_all(events.into_iter().map(unmuted)).await?;
        Ok(unmuted.into_iter().flatten().collect())
    }

    /// For the transaction in which it happens: it is written down and counted; 5 WRU. Nothing, when
    /// it is the recipient's own doing, or of a kind that is only proposed while these are off.
    ///
    /// Metadata is written every time, so a record is always whole. What was written down before is
    /// refused as a conflict.
    pub fn writes(&self, app: &App) -> Vec<Write> {
        let Self { subject, actors, id, at } = self;
        let told = *app.settings.proposed_features || subject.notification_type == NotificationType::Post;
        let actor = self.last_actor().filter(|it| told && *it != subject.recipient);
        let Some(actor) = actor else { return Vec::new() };
        let record = Write::update(subject.pending_key())
            .add("count", actors.ids().len() as i64)
            .set("authorId", subject.recipient)
            .set("notificationType", subject.notification_type)
            .set("targetType", subject.target_type)
            .set("targetId", subject.target_id)
            .set("lastActorId", actor)
            .set("updatedAt", at)
            .set_once("since", id)
            .index_key_once(Index::Gsi1, &subject.pending_place(*id));
        let row = NotificationEventRow { pk: subject.pending_pk(), id: *id, actors: actors.clone(), at: *at };
        vec![record, Write::create(&row).or(ALREADY)]
    }

    fn last_actor(&self) -> Option<UserId> {
        self.actors.ids().first().copied()
    }
}

/// What one group is about: whose, what row to what, and which.
fn subject(
    recipient: UserId,
    (notification_type, target_type): (NotificationType, TargetType),
    target: Ulid,
) -> Subject {
    Subject { recipient, notification_type, target_type, target_id: TargetId::from(target) }
}

/// What row recent_events, by at most 100 people. 1 call and 1 RRU for each 200 events that are
/// looked at.
///
/// Happenings stay until they are swept: who is read again changes nothing.
pub(super) async fn recent_events(app: &App, pending: &Pending) -> Result<RecentEvents> {
    let since = Ulid::from(pending.since).timestamp_ms().saturating_sub(COMMIT_MAX_MILLIS);
    let (low, mut high) = (sk(EventId::from(Ulid::from_parts(since, 0))), "EVENT#~".to_owned());
    let mut recent_events = RecentEvents::default();
    for _ in 0..PAGES_MAX {
        let query = Query::partition(pending.subject.pending_pk()).between(&low, &high).newest_first();
        let page: Vec<NotificationEventRow> = app.table.query(&query.consistent().limit(PAGE_ROWS)).await?;
        let last = (page.len() == PAGE_ROWS).then(|| page.last().map(|it| sk(it.id))).flatten();
        for row in page {
            recent_events.newest.get_or_insert((row.id, row.at));
            recent_events.actors = recent_events.actors.and_before(row.actors.ids());
        }
        match last {
            Some(last) if !recent_events.actors.are_full() => high = last,
            _ => break,
        }
    }
    Ok(recent_events)
}

fn sk(id: EventId) -> String {
    format!("EVENT#{id}")
}

/// `PENDING#author#target#type / EVENT#id`, swept after a week
impl Row for NotificationEventRow {
    fn key(&self) -> Key {
        Key::new(&self.pk, sk(self.id))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}
