//! An event that a user is notified of.

use base::ids::{EventId, TargetId, UserId};
use platform::{
    App, Result,
    table::{Index, Write},
    time::Time,
};
use ulid::Ulid;

use super::{
    Actors, NotificationType, RecipientSnapshot, Subject, TargetType,
    pending::{self, LISTED_MAX, Listed},
    recent_events::NotificationEventRow,
};

/// What one person, or several people one after the other, did to a recipient's target.
#[derive(Clone, Debug)]
pub struct NotificationEvent {
    /// The recipient, what happened, and the target.
    pub subject: Subject,
    /// The people who did it, newest first.
    pub actors: Actors,
    /// The id, which sorts by time.
    pub id: EventId,
    /// The time of the event.
    pub at: Time,
}

impl NotificationEvent {
    /// Returns the event that `actor` did something to the recipient's `target` at a time.
    pub fn new(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (actor, id, at): (UserId, EventId, Time),
    ) -> Self {
        let actors = Actors::default().with_older(&[actor]);
        Self { subject: subject(recipient, kinds, target), actors, id, at }
    }

    /// Returns the event that several people, newest first, did something to the recipient's `target`
    /// just now. Returns none without people, and while proposed features are off.
    pub fn together(
        app: &App,
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        people: &[UserId],
    ) -> Option<Self> {
        let actors = Actors::default().with_older(people);
        let (id, at) = (app.ids.next(app.now()), app.now());
        let notifies = app.has_proposed_features() && !actors.ids().is_empty();
        notifies.then(|| Self { subject: subject(recipient, kinds, target), id, at, actors })
    }

    /// Returns the event that the network itself did something to the recipient's `target`. Its actor is nobody,
    /// whom no answer names.
    pub fn without_actor(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (id, at): (EventId, Time),
    ) -> Self {
        Self::new(recipient, kinds, target, (UserId::NONE, id, at))
    }

    /// Looks at what concerns these events, at most 33, before they are recorded.
    pub async fn read_snapshot(app: &App, events: &[Self]) -> Result<RecipientSnapshot> {
        let of_others: Vec<_> =
            events.iter().filter(|it| it.people().is_some()).map(|it| it.subject).collect();
        let pairs: Vec<_> = events.iter().filter_map(Self::people).collect();
        RecipientSnapshot::read(app, &of_others, &of_others, &pairs).await
    }

    /// Looks at the same but what the recipients mute besides people, for at most 50 events.
    pub(super) async fn read_people_snapshot(app: &App, events: &[Self]) -> Result<RecipientSnapshot> {
        let subjects: Vec<_> = events.iter().map(|it| it.subject).collect();
        let pairs: Vec<_> = events.iter().filter_map(Self::people).collect();
        RecipientSnapshot::read(app, &subjects, &[], &pairs).await
    }

    /// Returns whether the newest actor is neither the recipient nor muted or blocked.
    pub fn is_wanted(&self, snapshot: &RecipientSnapshot) -> bool {
        self.actors.newest().is_some_and(|it| it != self.subject.recipient)
            && !self.people().is_some_and(|(recipient, actor)| snapshot.hides(recipient, actor))
    }

    /// Returns the recipient and who did it; none of what nobody did, or the recipient.
    pub(super) fn people(&self) -> Option<(UserId, UserId)> {
        let actor = self.actors.newest()?;
        let recipient = self.subject.recipient;
        (actor != UserId::NONE && actor != recipient).then_some((recipient, actor))
    }

    /// Records and counts the event in the transaction of its cause, once: on the record itself if that has room,
    /// otherwise in a row of its own.
    ///
    /// Returns no writes for what the recipient did alone, and for a proposed kind while proposed
    /// features are off.
    pub fn writes_once(&self, app: &App, snapshot: &RecipientSnapshot) -> Vec<Write> {
        // Many who looked at the same time saw the same room.
        let list = |it: Write| it.append("listed", self.listed(false)).shorter_or_lacks("listed", LISTED_MAX);
        match snapshot.has_room_for(&self.subject, self.actors.ids().len()) {
            true => self.count_write(app).map(list).into_iter().collect(),
            false => self.writes(app),
        }
    }

    /// Records and counts the event in a transaction, as [`NotificationEvent::writes_once`] does where there is no
    /// room.
    pub fn writes(&self, app: &App) -> Vec<Write> {
        self.count_write(app).into_iter().flat_map(|count| [count, self.row_write()]).collect()
    }

    fn row_write(&self) -> Write {
        Write::create(&NotificationEventRow::new(&self.subject, &self.actors, (self.id, self.at)))
    }

    /// Records and counts the event as [`NotificationEvent::writes_once`] does, for a worker that may do it again:
    /// stale when it was recorded before and not flushed yet, or has a row. A flush leaves out what an earlier one
    /// has counted.
    pub(super) fn writes_again(&self, app: &App, snapshot: &RecipientSnapshot) -> Vec<Write> {
        // Nothing else is a condition: its refusal says that the event is recorded.
        let not_listed = |it: Write| it.lacks_value("listed", self.listed(true));
        match snapshot.has_room_for(&self.subject, self.actors.ids().len()) {
            true => {
                let count = self.count_write(app).map(not_listed);
                count.map(|it| it.append("listed", self.listed(true))).into_iter().collect()
            }
            false => {
                let mut writes = self.writes(app).into_iter();
                writes.next().map(not_listed).into_iter().chain(writes).collect()
            }
        }
    }

    fn listed(&self, again: bool) -> Listed {
        Listed { id: self.id, actors: self.actors.ids().to_vec(), at: self.at, again }
    }

    // Each event writes all attributes of the pending record, so the record is always complete.
    fn count_write(&self, app: &App) -> Option<Write> {
        let Self { subject, actors, id, at } = self;
        let notifies = app.has_proposed_features() || !subject.notification_type.is_proposed();
        let actor = actors.newest().filter(|it| notifies && *it != subject.recipient)?;
        let write = Write::update(pending::key_of(subject))
            .add("count", actors.ids().len() as i64)
            .set("authorId", subject.recipient)
            .set("notificationType", subject.notification_type)
            .set("targetType", subject.target_type)
            .set("targetId", subject.target_id)
            .set("lastActorId", actor)
            .set("updatedAt", at)
            .set_once("since", id)
            .set_once("made", app.ids.next::<EventId>(app.now()))
            .index_key_once(Index::Gsi1, &pending::waiting_since(subject, *id));
        Some(write)
    }
}

fn subject(
    recipient: UserId,
    (notification_type, target_type): (NotificationType, TargetType),
    target: Ulid,
) -> Subject {
    Subject { recipient, notification_type, target_type, target_id: TargetId::from(target) }
}
