//! Marks the notification about a conversation as read when its recipient reads the conversation.

use std::collections::HashSet;

use base::{GroupId, MessageId, NotificationId};
use conversations::{Member, MessageSeen, member_key};
use platform::{App, Result, Row, Write};
use ulid::Ulid;

use super::{Notification, NotificationType, Subject, TargetType, notification::key};

/// Marks the notification about a conversation as read if the user has seen the notification's newest message.
pub(super) async fn conversation_read(app: &App, seen: &MessageSeen) -> Result<()> {
    let kinds = (NotificationType::NewMessage, TargetType::MessageGroup);
    let subject = Subject::new(seen.user_id, kinds, seen.group_id.into());
    let found = app.table.get::<Notification>(&key(seen.user_id, subject.notification_id())).await?;
    match found.filter(|notification| message(notification) <= seen.last_seen_message_id) {
        Some(read) => app.table.write(Write::delete(read.unread().key())).await,
        None => Ok(()),
    }
}

/// Finds notifications about messages that were read before the flush. Deletes the notifications' unread marks, and
/// returns the notifications' IDs.
pub(super) async fn remove_seen(
    app: &App,
    notifications: &[&Notification],
) -> Result<HashSet<NotificationId>> {
    let of_messages: Vec<_> = notifications
        .iter()
        .filter(|notification| notification.subject.notification_type == NotificationType::NewMessage)
        .collect();
    let keys: Vec<_> = of_messages
        .iter()
        .map(|notification| member_key(group(notification), notification.subject.recipient))
        .collect();
    let members: Vec<Member> = app.table.batch_get(&keys).await?;
    let has_seen = |notification: &Notification| {
        let (group, recipient) = (group(notification), notification.subject.recipient);
        let mut own = members.iter().filter(|member| (member.group, member.user) == (group, recipient));
        own.any(|member| member.last_seen >= Some(message(notification)))
    };
    let read: Vec<_> = of_messages.into_iter().filter(|notification| has_seen(notification)).collect();
    let marks = read.iter().map(|notification| notification.unread().key());
    app.table.delete_rows(marks.collect()).await?;
    Ok(read.into_iter().map(|notification| notification.id()).collect())
}

/// Returns the notification's newest message. A message and its event have the same ID.
fn message(notification: &Notification) -> MessageId {
    MessageId::from(Ulid::from(notification.last_event))
}

fn group(notification: &Notification) -> GroupId {
    GroupId::from(Ulid::from(notification.subject.target_id))
}
