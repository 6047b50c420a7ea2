//! Whoever reads a conversation reads the notification of its messages.

use std::collections::HashSet;

use base::ids::{GroupId, MessageId, NotificationId};
use conversations::{Member, MessageSeen, member_key};
use platform::{
    App, Result,
    table::{Row, Write},
};
use ulid::Ulid;

use super::{Notification, NotificationType, Subject, TargetType, notification::key};

/// Marks the notification of a conversation's messages as read, unless one came that was not seen.
pub(super) async fn conversation_read(app: &App, seen: &MessageSeen) -> Result<()> {
    let subject = Subject {
        recipient: seen.user_id,
        notification_type: NotificationType::NewMessage,
        target_type: TargetType::MessageGroup,
        target_id: Ulid::from(seen.group_id).into(),
    };
    let found = app.table.get::<Notification>(&key(seen.user_id, subject.notification_id())).await?;
    match found.filter(|it| message(it) <= seen.last_seen_message_id) {
        Some(read) => app.table.write(Write::delete(read.unread().key())).await,
        None => Ok(()),
    }
}

/// Takes the marks of those of these notifications away whose conversations were read before they were flushed, and
/// returns them.
pub(super) async fn take_read(app: &App, notifications: &[&Notification]) -> Result<HashSet<NotificationId>> {
    let of_messages = |it: &&&Notification| it.subject.notification_type == NotificationType::NewMessage;
    let of_messages: Vec<_> = notifications.iter().filter(of_messages).collect();
    let member = |it: &&&Notification| member_key(group(it), it.subject.recipient);
    let members: Vec<Member> =
        app.table.batch_get(&of_messages.iter().map(member).collect::<Vec<_>>()).await?;
    let has_seen = |it: &Notification| {
        let mut own =
            members.iter().filter(|member| (member.group, member.user) == (group(it), it.subject.recipient));
        own.any(|member| member.last_seen >= Some(message(it)))
    };
    let read: Vec<_> = of_messages.into_iter().filter(|it| has_seen(it)).collect();
    let marks: Vec<_> = read.iter().map(|it| it.unread().key()).collect();
    app.table.batch_write::<super::unread::Unread>(&[], &marks).await?;
    Ok(read.into_iter().map(|it| it.id()).collect())
}

/// Returns the newest message: the event of a message has its id.
fn message(notification: &Notification) -> MessageId {
    MessageId::from(Ulid::from(notification.last_event))
}

fn group(notification: &Notification) -> GroupId {
    GroupId::from(Ulid::from(notification.subject.target_id))
}
