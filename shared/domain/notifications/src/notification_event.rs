//! Events that users are notified of.

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

/// An action by one or more users, of which the recipient is notified.
#[derive(Clone, Debug)]
pub struct NotificationEvent {
    /// The recipient, kind of event and target.
    pub subject: Subject,
    /// The users who acted, newest first.
    pub actors: Actors,
    /// The id, which sorts by time.
    pub id: EventId,
    /// The time of the event.
    pub at: Time,
}

impl NotificationEvent {
    /// Returns the event for an action by `actor` on the recipient's `target`.
    pub fn new(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (actor, id, at): (UserId, EventId, Time),
    ) -> Self {
        let actors = Actors::default().with_older(&[actor]);
        Self { subject: subject(recipient, kinds, target), actors, id, at }
    }

    /// Returns the event for an action by several users at the current time. `people` is sorted by the time of the
    /// action, newest first. Returns `None` if `people` is empty or proposed features are off.
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

    /// Returns an event of the service itself. The event's actor is [`UserId::NONE`], which responses omit.
    pub fn without_actor(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (id, at): (EventId, Time),
    ) -> Self {
        Self::new(recipient, kinds, target, (UserId::NONE, id, at))
    }

    /// Reads the snapshot that is needed to record `events`, at most 33.
    pub async fn read_snapshot(app: &App, events: &[Self]) -> Result<RecipientSnapshot> {
        let of_others: Vec<_> =
            events.iter().filter(|it| it.people().is_some()).map(|it| it.subject).collect();
        let pairs: Vec<_> = events.iter().filter_map(Self::people).collect();
        RecipientSnapshot::read(app, &of_others, &of_others, &pairs).await
    }

    /// Reads the snapshot that is needed to record `events`, at most 50, without muted words and threads.
    pub(super) async fn read_people_snapshot(app: &App, events: &[Self]) -> Result<RecipientSnapshot> {
        let subjects: Vec<_> = events.iter().map(|it| it.subject).collect();
        let pairs: Vec<_> = events.iter().filter_map(Self::people).collect();
        RecipientSnapshot::read(app, &subjects, &[], &pairs).await
    }

    /// Returns whether the recipient can be notified of the newest actor's action. False if the actor is the recipient,
    /// if the recipient mutes the actor, or if a block exists between the two users.
    pub fn is_wanted(&self, snapshot: &RecipientSnapshot) -> bool {
        self.actors.newest().is_some_and(|actor| actor != self.subject.recipient)
            && !self.people().is_some_and(|(recipient, actor)| snapshot.hides(recipient, actor))
    }

    /// Returns the recipient and the newest actor, or `None` if the actor is the service or the recipient.
    pub(super) fn people(&self) -> Option<(UserId, UserId)> {
        let actor = self.actors.newest()?;
        let recipient = self.subject.recipient;
        (actor != UserId::NONE && actor != recipient).then_some((recipient, actor))
    }

    /// Returns the writes that record and count the event. The writes belong in the transaction that causes the event.
    /// The pending record lists the event if the record has room. Otherwise the event gets its own row.
    ///
    /// Returns no writes if the recipient is the newest actor, or for a proposed kind while proposed features are off.
    pub fn writes_once(&self, app: &App, snapshot: &RecipientSnapshot) -> Vec<Write> {
        // Concurrent writers may all have seen room, so the write checks the length of the list again.
        let list = |count_write: Write| {
            count_write.append("listed", self.listed(false)).shorter_or_lacks("listed", LISTED_MAX)
        };
        match snapshot.has_room_for(&self.subject, self.actors.ids().len()) {
            true => self.count_write(app).map(list).into_iter().collect(),
            false => self.writes(app),
        }
    }

    /// Returns the writes that record the event in its own row and count it, like [`NotificationEvent::writes_once`].
    pub fn writes(&self, app: &App) -> Vec<Write> {
        self.count_write(app).into_iter().flat_map(|count| [count, self.row_write()]).collect()
    }

    fn row_write(&self) -> Write {
        Write::create(&NotificationEventRow::new(&self.subject, &self.actors, (self.id, self.at)))
    }

    /// Like [`NotificationEvent::writes_once`], but safe for a worker that may repeat the writes. The writes are
    /// refused if the recipient's pending record already lists the event, or if the event has a row.
    pub(super) fn repeatable_writes(&self, app: &App, snapshot: &RecipientSnapshot) -> Vec<Write> {
        // This is the only condition of the write. So a refusal means that the event was already recorded.
        let not_listed = |count_write: Write| count_write.lacks_value("listed", self.listed(true));
        match snapshot.has_room_for(&self.subject, self.actors.ids().len()) {
            true => {
                let count = self.count_write(app).map(not_listed);
                count.map(|write| write.append("listed", self.listed(true))).into_iter().collect()
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
        let actor = actors.newest().filter(|actor| notifies && *actor != subject.recipient)?;
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
