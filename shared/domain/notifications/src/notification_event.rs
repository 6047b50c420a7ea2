//! Events that users are notified of.

use base::{EventId, UserId};
use platform::{App, Index, Result, Time, Write, request_id};
use ulid::Ulid;

use super::{
    Actors, NotificationType, RecipientSnapshot, Subject, TargetType,
    entries::Entries,
    event_row::NotificationEventRow,
    pending::{self, LISTED_MAX, Listed},
    subject::hashed_ulid,
};

/// The users who took the same action on a target, or undid it.
#[derive(Clone, Debug, Default)]
pub struct ActorChanges {
    /// The users who acted, newest first.
    pub actors: Vec<UserId>,
    /// The actors who repeat an action after a withdrawal. The recipient was already notified of the earlier action.
    pub returning: Vec<UserId>,
    /// Withdrawn events with their actors.
    pub withdrawn: Vec<(EventId, UserId)>,
}

/// An action by one or more users on a target that belongs to the recipient, or the withdrawal of an earlier action. A
/// withdrawal removes an event from the notification.
#[derive(Clone, Debug)]
pub struct NotificationEvent {
    /// The recipient, kind of event and target.
    pub subject: Subject,
    /// The users who acted, newest first.
    pub actors: Actors,
    /// The actors who repeat an action after a withdrawal. The recipient was already notified of the earlier action.
    pub(super) returning: Actors,
    /// Withdrawn events with their actors.
    pub(super) withdrawn: Entries,
    /// The ID, which sorts by time.
    pub id: EventId,
    /// The time of the event.
    pub at: Time,
}

/// Returns an event ID that depends only on the time and the seed, so a repeated event gets the same ID.
pub fn event_id_at(at: Time, seed: &str) -> EventId {
    hashed_ulid(at.millis().max(0).cast_unsigned(), seed).into()
}

impl NotificationEvent {
    /// Returns the event for an action by `actor` on the recipient's `target`.
    pub fn new(
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        (actor, id, at): (UserId, EventId, Time),
    ) -> Self {
        Self::about(Subject::new(recipient, kinds, target), (actor, id, at))
    }

    /// Returns the event for an action by `actor` that concerns `subject`.
    pub fn about(subject: Subject, (actor, id, at): (UserId, EventId, Time)) -> Self {
        let changes = ActorChanges { actors: vec![actor], ..ActorChanges::default() };
        Self::of_changes(subject, &changes, (id, at))
    }

    fn of_changes(subject: Subject, changes: &ActorChanges, (id, at): (EventId, Time)) -> Self {
        let [actors, returning] =
            [&changes.actors, &changes.returning].map(|people| Actors::default().with_older(people));
        let withdrawn = Entries::newest_of(changes.withdrawn.iter().copied());
        Self { subject, actors, returning, withdrawn, id, at }
    }

    /// Returns the event for an action by several users at the current time. Returns `None` if there are no changes or
    /// proposed features are off.
    pub fn together(
        app: &App,
        recipient: UserId,
        kinds: (NotificationType, TargetType),
        target: Ulid,
        changes: &ActorChanges,
    ) -> Option<Self> {
        let subject = Subject::new(recipient, kinds, target);
        let event = Self::of_changes(subject, changes, (app.ids.next(app.now()), app.now()));
        let notifies = app.has_proposed_features() && event.len() > 0;
        notifies.then_some(event)
    }

    /// Returns this event as a repeated action after a withdrawal. A repeated action changes the notification, but does
    /// not mark the notification as unread.
    pub fn returning(self) -> Self {
        Self { returning: self.actors.clone(), ..self }
    }

    /// Returns the event that withdraws this event at the time `at`. The withdrawal's ID depends only on this event and
    /// the time, so a repeated withdrawal counts once.
    pub fn withdrawn_at(self, at: Time) -> Self {
        let seed = format!("{}#{}#withdrawn", self.subject.name(), self.id);
        let id = event_id_at(at, &seed);
        let withdrawn = self.actors.ids().iter().map(|actor| (self.id, *actor)).collect();
        Self::of_changes(self.subject, &ActorChanges { withdrawn, ..ActorChanges::default() }, (id, at))
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

    /// Reads the state of the recipients that is needed to record up to 33 events.
    pub async fn read_snapshot(app: &App, events: &[Self]) -> Result<RecipientSnapshot> {
        let of_others: Vec<_> =
            events.iter().filter(|event| event.people().is_some()).map(|event| event.subject).collect();
        let pairs: Vec<_> = events.iter().filter_map(Self::people).collect();
        RecipientSnapshot::read(app, &of_others, &of_others, &pairs).await
    }

    /// Reads the state of the recipients that is needed to record up to 50 events, without muted words and threads.
    pub(super) async fn read_people_snapshot(app: &App, events: &[Self]) -> Result<RecipientSnapshot> {
        let subjects: Vec<_> = events.iter().map(|event| event.subject).collect();
        let pairs: Vec<_> = events.iter().filter_map(Self::people).collect();
        RecipientSnapshot::read(app, &subjects, &[], &pairs).await
    }

    /// Returns whether the recipient can be notified of the newest actor's action. Returns false if the actor is the
    /// recipient, the recipient mutes the actor, or a block exists between the two users. A mute or block does not
    /// prevent a withdrawal.
    pub fn is_wanted(&self, snapshot: &RecipientSnapshot) -> bool {
        self.newest().is_some_and(|actor| actor != self.subject.recipient)
            && !self.people().is_some_and(|(recipient, actor)| snapshot.hides(recipient, actor))
    }

    fn newest(&self) -> Option<UserId> {
        self.actors.newest().or_else(|| self.withdrawn.iter().next().map(|(_, actor)| actor))
    }

    fn len(&self) -> usize {
        self.actors.ids().len() + self.withdrawn.len()
    }

    /// Returns the recipient and the newest actor, or `None` if the actor is the service or the recipient.
    pub(super) fn people(&self) -> Option<(UserId, UserId)> {
        let actor = self.actors.newest()?;
        let recipient = self.subject.recipient;
        (actor != UserId::NONE && actor != recipient).then_some((recipient, actor))
    }

    /// Returns the writes that record and count the event. The transaction of the action must contain these writes. The
    /// pending record lists the event if the record has room. Otherwise the event gets its own row.
    ///
    /// Returns no writes if the recipient is the newest actor, or for a proposed kind while proposed features are off.
    pub fn writes_once(&self, app: &App, snapshot: &RecipientSnapshot) -> Vec<Write> {
        // Concurrent requests may have read the same list, so the write checks the list's length again.
        let list = |count_write: Write| {
            count_write.append("listed", self.listed(false)).shorter_or_lacks("listed", LISTED_MAX)
        };
        match snapshot.has_room_for(&self.subject, self.len()) {
            true => self.count_write(app).map(list).into_iter().collect(),
            false => self.writes(app),
        }
    }

    /// Returns the writes that record the event in its own row and count it, like [`NotificationEvent::writes_once`].
    pub fn writes(&self, app: &App) -> Vec<Write> {
        let row_write = || Write::create(&NotificationEventRow::new(&self.subject, &self.listed(false)));
        self.count_write(app).into_iter().flat_map(|count_write| [count_write, row_write()]).collect()
    }

    /// Like [`NotificationEvent::writes_once`], but safe for a worker that may repeat the writes. The writes are
    /// refused if the recipient's pending record already lists the event, or if the event has a row.
    pub(super) fn repeatable_writes(&self, app: &App, snapshot: &RecipientSnapshot) -> Vec<Write> {
        // The write has no other condition, so a refused write means that the event was already recorded.
        let not_listed = |count_write: Write| count_write.lacks_value("listed", self.listed(true));
        match snapshot.has_room_for(&self.subject, self.len()) {
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
        let [actors, returning] = [&self.actors, &self.returning].map(|people| people.ids().to_vec());
        let withdrawn = self.withdrawn.iter().collect();
        Listed { id: self.id, actors, at: self.at, again, returning, withdrawn }
    }

    /// Returns the write that adds the event to the pending record's count. Sets all attributes of the record, because
    /// the record may not exist yet.
    fn count_write(&self, app: &App) -> Option<Write> {
        let Self { subject, id, .. } = self;
        let notifies = app.has_proposed_features() || !subject.notification_type.is_proposed();
        let actor = self.newest().filter(|actor| notifies && *actor != subject.recipient)?;
        let write = Write::update(pending::key_of(subject))
            .add("count", self.len() as i64)
            .set("authorId", subject.recipient)
            .set("notificationType", subject.notification_type)
            .set("targetType", subject.target_type)
            .set("targetId", subject.target_id);
        let write = match request_id::current() {
            Some(request) => write.set("requestId", request),
            None => write,
        };
        let write = self
            .newest_write(write, actor)
            .set_once("since", id)
            .set_once("made", app.ids.next::<EventId>(app.now()))
            .index_key_once(Index::Gsi1, &pending::waiting_since(subject, *id));
        Some(write)
    }

    /// Adds the newest actor to the write of the pending record. A withdrawal increases the number of withdrawals, and
    /// does not replace the newest actor.
    fn newest_write(&self, write: Write, actor: UserId) -> Write {
        let write = match self.withdrawn.len() {
            0 => write,
            withdrawals => write.add("withdrawals", withdrawals as i64),
        };
        match self.actors.is_empty() {
            true => write.set_once("lastActorId", actor).set_once("updatedAt", self.at),
            false => write.set("lastActorId", actor).set("updatedAt", self.at),
        }
    }
}
