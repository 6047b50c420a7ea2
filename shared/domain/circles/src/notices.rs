//! Notifications about circles. If the bus delivers an event twice, the notification is recorded once.

use base::{Chore, CircleId, EventId, PostId, UserId, time_of};
use notifications::{NotificationEvent, NotificationType, Subject, TargetType, event_id_at};
use people::mutes;
use platform::{App, BusEvent, Index, Query, Result, Time, Write, bus::Event, outbox_record_write, outcomes};
use ulid::Ulid;

use super::{
    CircleCommented, CircleInherited, CircleInvited, CircleJoined, CprResolved, CprStarted, Invitation,
    Member, Source, StageReached, invitation,
    member::members_partition,
    member_key,
    posts::{self, CirclePost},
};

const PAGE_ROWS: usize = 200;

/// Records the notifications for a bus event about a circle. Returns false for all other events.
///
/// Events about stages and CPRs notify all members, unless proposed features are off.
pub async fn record(app: &App, event: &BusEvent) -> Result<bool> {
    match event.name() {
        CircleInvited::NAME => notify_invited(app, &event.detail()?).await,
        CircleJoined::NAME => notify_joined(app, &event.detail()?).await,
        CircleInherited::NAME => notify_heir(app, &event.detail()?).await,
        CircleCommented::NAME => notify_commented(app, &event.detail()?).await,
        StageReached::NAME => {
            let event: StageReached = event.detail()?;
            let seed = format!("{}#{:?}", event.circle_id, event.stage);
            let kind = NotificationType::CircleStage;
            notify_members(app, kind, event.circle_id, (seed, event.created_at)).await
        }
        CprStarted::NAME => {
            let event: CprStarted = event.detail()?;
            let seed = format!("{}#began", event.session_id);
            let at = time_of(event.session_id);
            notify_members(app, NotificationType::CircleCpr, event.circle_id, (seed, at)).await
        }
        CprResolved::NAME => {
            let event: CprResolved = event.detail()?;
            let seed = format!("{}#ended", event.session_id);
            notify_members(app, NotificationType::CircleCpr, event.circle_id, (seed, event.created_at)).await
        }
        _ => return Ok(false),
    }
    .map(|()| true)
}

async fn notify_invited(app: &App, event: &CircleInvited) -> Result<()> {
    let kinds = (NotificationType::CircleInvitation, TargetType::Circle);
    let id = event_id_at(event.created_at, &format!("{}#{}#invited", event.circle_id, event.user_id));
    let action = (event.invited_by_id, id, event.created_at);
    record_one(app, NotificationEvent::new(event.user_id, kinds, event.circle_id.into(), action)).await
}

/// Notifies the inviter that the invited user joined, unless the inviter was banned from the circle. Without an
/// inviter, notifies the user that their join request was accepted.
///
/// The event does not contain the inviter, because the action log of the user who joined stores the event.
async fn notify_joined(app: &App, event: &CircleJoined) -> Result<()> {
    let kinds = (NotificationType::CircleJoined, TargetType::Circle);
    let id = event_id_at(event.created_at, &format!("{}#{}#joined", event.circle_id, event.user_id));
    let circle = Ulid::from(event.circle_id);
    let event = match inviter(app, event).await? {
        Some(inviter) if is_banned(app, event.circle_id, inviter).await? => return Ok(()),
        Some(inviter) => {
            NotificationEvent::new(inviter, kinds, circle, (event.user_id, id, event.created_at))
        }
        None => NotificationEvent::without_actor(event.user_id, kinds, circle, (id, event.created_at)),
    };
    record_one(app, event).await
}

async fn notify_heir(app: &App, event: &CircleInherited) -> Result<()> {
    let kinds = (NotificationType::CircleOwner, TargetType::Circle);
    let id = event_id_at(event.created_at, &format!("{}#{}#inherited", event.circle_id, event.user_id));
    let action = (id, event.created_at);
    record_one(app, NotificationEvent::without_actor(event.user_id, kinds, event.circle_id.into(), action))
        .await
}

/// Returns the inviter of a user who joined, or `None` if the user did not join by an invitation.
async fn inviter(app: &App, event: &CircleJoined) -> Result<Option<UserId>> {
    let keys = [member_key(event.circle_id, event.user_id), invitation::key(event.circle_id, event.user_id)];
    let mut found = app.table.get_together(&keys).await?;
    let [member, invitation] = keys;
    let member = found.take::<Member>(&member)?.filter(|member| member.source == Source::Invitation);
    let invitation = found.take::<Invitation>(&invitation)?.filter(|_| member.is_some());
    Ok(invitation.map(|invitation| invitation.invited_by_id))
}

/// Returns whether a user is banned from a circle. A banned user gets no notifications about the circle.
async fn is_banned(app: &App, circle: CircleId, user: UserId) -> Result<bool> {
    let member: Option<Member> = app.table.get(&member_key(circle, user)).await?;
    Ok(member.is_some_and(|member| member.is_banned()))
}

/// Notifies a post's author of a comment. Does not notify an author who mutes the thread or a word in the comment, or
/// who was banned from the circle. Does nothing if the comment was deleted, or if the post was purged.
async fn notify_commented(app: &App, event: &CircleCommented) -> Result<()> {
    let comment = posts::find_any(app, event.comment_id).await?.filter(|comment| !comment.is_deleted());
    let Some(comment) = comment else { return outcomes::end("the comment is gone") };
    let Some(parent) = parent_of(app, &comment).await? else { return outcomes::end("the post is gone") };
    let (is_banned, mutes) =
        futures::try_join!(is_banned(app, parent.circle, parent.author), mutes::of(app, parent.author))?;
    if is_banned
        || mutes.is_some_and(|mutes| mutes.hides(&[comment.first_of_thread()], &comment.text(), app.now()))
    {
        return outcomes::end("the author mutes the comment");
    }
    record_one(app, comment_event(&comment, &parent)).await
}

/// Returns the outbox record that removes a deleted comment from a notification. Returns `None` if the post is not a
/// comment.
pub fn withdraw_comment_write(app: &App, post: &CirclePost) -> Option<Write> {
    post.parent.map(|_| outbox_record_write(app).then(&Chore::WithdrawComment { comment: post.id }))
}

/// Removes a deleted comment from the notification that its parent's author received. A repeated call has no effect.
pub async fn withdraw_comment(app: &App, id: PostId) -> Result<()> {
    let Some(comment) = posts::find_any(app, id).await? else { return Ok(()) };
    let (Some(at), Some(parent)) = (comment.deleted_at, parent_of(app, &comment).await?) else {
        return Ok(());
    };
    record_one(app, comment_event(&comment, &parent).withdrawn_at(at)).await
}

async fn parent_of(app: &App, comment: &CirclePost) -> Result<Option<CirclePost>> {
    match comment.parent {
        Some(parent) => posts::find_any(app, parent).await,
        None => Ok(None),
    }
}

/// Returns the event that notifies the parent's author of a comment.
fn comment_event(comment: &CirclePost, parent: &CirclePost) -> NotificationEvent {
    let action = (comment.author, EventId::from(Ulid::from(comment.id)), comment.created_at);
    NotificationEvent::about(comment_subject(parent.author, parent.id), action)
}

async fn record_one(app: &App, event: NotificationEvent) -> Result<()> {
    notifications::record_all(app, &[event]).await
}

async fn notify_members(
    app: &App,
    kind: NotificationType,
    circle: CircleId,
    (seed, at): (String, Time),
) -> Result<()> {
    if !app.has_proposed_features() {
        return outcomes::end("proposed features are off");
    }
    let (kinds, id) = ((kind, TargetType::Circle), event_id_at(at, &seed));
    let mut after = None;
    loop {
        let query = Query::index(Index::Gsi2, members_partition(circle)).after(after).limit(PAGE_ROWS);
        let members: Vec<Member> = app.table.query(&query).await?;
        let events = members
            .iter()
            .map(|member| NotificationEvent::without_actor(member.user, kinds, circle.into(), (id, at)));
        notifications::record_all(app, &events.collect::<Vec<_>>()).await?;
        match members.last().filter(|_| members.len() == PAGE_ROWS) {
            Some(last) => after = Some(last.user.to_string()),
            None => return Ok(()),
        }
    }
}

/// Returns the subject of the notification about an invitation.
pub(super) fn invitation_subject(user: UserId, circle: CircleId) -> Subject {
    Subject::new(user, (NotificationType::CircleInvitation, TargetType::Circle), circle.into())
}

/// Returns the subject of an inviter's notification that the invited user joined.
pub(super) fn joining_subject(inviter: UserId, circle: CircleId) -> Subject {
    Subject::new(inviter, (NotificationType::CircleJoined, TargetType::Circle), circle.into())
}

/// Returns the subject of the notification about comments on a post.
pub(super) fn comment_subject(author: UserId, post: PostId) -> Subject {
    Subject::new(author, (NotificationType::CircleComment, TargetType::CirclePost), post.into())
}
