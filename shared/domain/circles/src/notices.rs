//! What a circle's people are notified of. The bus may deliver an event twice; it is recorded once.

use base::ids::{CircleId, EventId, PostId, TargetId, UserId};
use notifications::{NotificationEvent, NotificationType, Subject, TargetType, hashed_ulid};
use people::mutes;
use platform::{
    App, Result,
    bus::{BusEvent, Event},
    table::{Index, Query},
    time::Time,
};
use ulid::Ulid;

use super::{
    CircleCommented, CircleInvited, CircleJoined, CprResolved, CprStarted, Invitation, Member, Source,
    StageReached, invitation,
    member::members_partition,
    member_key,
    posts::{self, CirclePost},
};

const PAGE_ROWS: usize = 200;

/// Records an event of a circle for whom it concerns, and returns whether it is one. Members are told page by page,
/// 1,000 at most; while proposed features are off they are not.
pub async fn record(app: &App, event: &BusEvent) -> Result<bool> {
    if !EVENTS.contains(&event.name()) {
        return Ok(false);
    }
    match event.name() {
        CircleInvited::NAME => invited(app, &event.detail()?).await,
        CircleJoined::NAME => joined(app, &event.detail()?).await,
        CircleCommented::NAME => commented(app, &event.detail()?).await,
        StageReached::NAME => {
            let it: StageReached = event.detail()?;
            let seed = format!("{}#{:?}", it.circle_id, it.stage);
            to_members(app, NotificationType::CircleStage, it.circle_id, (seed, it.created_at)).await
        }
        CprStarted::NAME => {
            let it: CprStarted = event.detail()?;
            let seed = format!("{}#began", it.session_id);
            let at = Time::from_seconds(seconds_of(it.session_id.into()));
            to_members(app, NotificationType::CircleCpr, it.circle_id, (seed, at)).await
        }
        _ => {
            let it: CprResolved = event.detail()?;
            let seed = format!("{}#ended", it.session_id);
            to_members(app, NotificationType::CircleCpr, it.circle_id, (seed, it.created_at)).await
        }
    }
    .map(|()| true)
}

const EVENTS: [&str; 6] = [
    CircleInvited::NAME,
    CircleJoined::NAME,
    CircleCommented::NAME,
    StageReached::NAME,
    CprStarted::NAME,
    CprResolved::NAME,
];

/// The event of an invitation, for the user who is invited.
async fn invited(app: &App, it: &CircleInvited) -> Result<()> {
    let kinds = (NotificationType::CircleInvitation, TargetType::Circle);
    let id = id_at(it.created_at, &format!("{}#{}#invited", it.circle_id, it.user_id));
    let done = (it.invited_by_id, id, it.created_at);
    record_one(app, NotificationEvent::new(it.user_id, kinds, it.circle_id.into(), done)).await
}

/// The event that somebody joined: for who invited them; somebody who asked hears that they are in. The row of the
/// action log on which the event lies names nobody else, so that nothing of who leaves stays there.
async fn joined(app: &App, it: &CircleJoined) -> Result<()> {
    let kinds = (NotificationType::CircleJoined, TargetType::Circle);
    let id = id_at(it.created_at, &format!("{}#{}#joined", it.circle_id, it.user_id));
    let circle = Ulid::from(it.circle_id);
    let event = match inviter(app, it).await? {
        Some(inviter) => NotificationEvent::new(inviter, kinds, circle, (it.user_id, id, it.created_at)),
        None => NotificationEvent::without_actor(it.user_id, kinds, circle, (id, it.created_at)),
    };
    record_one(app, event).await
}

/// Returns who invited somebody who joined by an invitation.
async fn inviter(app: &App, it: &CircleJoined) -> Result<Option<UserId>> {
    let keys = [member_key(it.circle_id, it.user_id), invitation::key(it.circle_id, it.user_id)];
    let mut found = app.table.get_together(&keys).await?;
    let [member, invitation] = keys;
    let member = found.take::<Member>(&member)?.filter(|it| it.source == Source::Invitation);
    let invitation = found.take::<Invitation>(&invitation)?.filter(|_| member.is_some());
    Ok(invitation.map(|it| it.invited_by_id))
}

/// The event of a comment, for the author of the post, unless one of the two is gone, or the author mutes the thread or
/// a word of the comment.
async fn commented(app: &App, it: &CircleCommented) -> Result<()> {
    let comment: Option<CirclePost> = app.table.get(&posts::key(it.comment_id)).await?;
    let Some((comment, parent)) = comment.and_then(|it| it.parent.map(|parent| (it, parent))) else {
        return Ok(());
    };
    let Some(parent) = app.table.get::<CirclePost>(&posts::key(parent)).await? else { return Ok(()) };
    let mutes = mutes::of(app, parent.author).await?;
    if mutes.is_some_and(|it| it.hides(&[comment.first_of_thread()], &comment.words())) {
        return Ok(());
    }
    let kinds = (NotificationType::CircleComment, TargetType::CirclePost);
    let done = (comment.author, EventId::from(Ulid::from(it.comment_id)), it.created_at);
    record_one(app, NotificationEvent::new(parent.author, kinds, parent.id.into(), done)).await
}

async fn record_one(app: &App, event: NotificationEvent) -> Result<()> {
    notifications::record_all(app, &[event]).await
}

/// The event that something happened to a circle, for each member.
async fn to_members(
    app: &App,
    kind: NotificationType,
    circle: CircleId,
    (seed, at): (String, Time),
) -> Result<()> {
    if !app.has_proposed_features() {
        return Ok(());
    }
    let (kinds, id) = ((kind, TargetType::Circle), id_at(at, &seed));
    let mut after = None;
    loop {
        let query = Query::index(Index::Gsi2, members_partition(circle)).after(after).limit(PAGE_ROWS);
        let members: Vec<Member> = app.table.query(&query).await?;
        let event = |it: &Member| NotificationEvent::without_actor(it.user, kinds, circle.into(), (id, at));
        notifications::record_all(app, &members.iter().map(event).collect::<Vec<_>>()).await?;
        match members.last().filter(|_| members.len() == PAGE_ROWS) {
            Some(last) => after = Some(last.user.to_string()),
            None => return Ok(()),
        }
    }
}

/// The same event always gets the same id.
fn id_at(at: Time, seed: &str) -> EventId {
    EventId::from(hashed_ulid(at.millis().max(0).cast_unsigned(), seed))
}

fn seconds_of(id: Ulid) -> i64 {
    i64::try_from(id.timestamp_ms() / 1000).unwrap_or_default()
}

/// Returns the subject of the notification of an invitation.
pub(super) fn invitation_subject(user: UserId, circle: CircleId) -> Subject {
    subject(user, (NotificationType::CircleInvitation, TargetType::Circle), circle.into())
}

/// Returns the subject of the notification that somebody joined whom a member invited.
pub(super) fn joining_subject(inviter: UserId, circle: CircleId) -> Subject {
    subject(inviter, (NotificationType::CircleJoined, TargetType::Circle), circle.into())
}

/// Returns the subject of the notification of comments on a post.
pub(super) fn comment_subject(author: UserId, post: PostId) -> Subject {
    subject(author, (NotificationType::CircleComment, TargetType::CirclePost), post.into())
}

fn subject(recipient: UserId, kinds: (NotificationType, TargetType), target: Ulid) -> Subject {
    let (notification_type, target_type) = kinds;
    Subject { recipient, notification_type, target_type, target_id: TargetId::from(target) }
}
