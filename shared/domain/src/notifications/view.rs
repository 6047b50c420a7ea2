//! A group of notifications as its recipient sees it.

use platform::time::Time;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Notification, NotificationType, TargetType};
use crate::{
    ids::{NotificationId, TargetId, UserId},
    people::users::Person,
};

/// All that happened to one thing of the caller's.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationView {
    /// The group's id.
    pub public_id: NotificationId,
    /// Whom it concerns: the caller.
    pub recipient_id: UserId,
    /// What happened; `POST` for replies.
    #[serde(rename = "type")]
    pub kind: NotificationType,
    /// To what.
    pub target_type: TargetType,
    /// To which: for replies the post that was replied to.
    pub target_id: TargetId,
    /// Who did it: the newest 100, each once, newest first.
    pub actor_ids: Vec<UserId>,
    /// The newest three of them.
    pub actors: Vec<Person>,
    /// How often it happened.
    pub count: i64,
    /// Whether it was read since it last happened.
    pub is_read: bool,
    /// Who did it last.
    pub last_actor_id: UserId,
    /// When.
    pub last_event_at: Time,
    /// All of it in words.
    #[schema(example = "Bob and 2 others replied to your post")]
    pub message: String,
}

impl NotificationView {
    pub(super) fn new(group: Notification, is_read: bool) -> Self {
        Self {
            public_id: group.id(),
            recipient_id: group.subject.recipient,
            kind: group.subject.notification_type,
            target_type: group.subject.target_type,
            target_id: group.subject.target_id,
            message: format!("{} {}", who(&group), what(group.subject.notification_type)),
            actor_ids: group.actors.ids().to_vec(),
            actors: group.faces,
            count: group.count,
            is_read,
            last_actor_id: group.last_actor_id,
            last_event_at: group.last_event_at,
        }
    }
}

fn who(group: &Notification) -> String {
    let mut names = group.faces.iter().map(|it| it.card.name.to_string());
    let first = names.next().unwrap_or_else(|| "Somebody".to_owned());
    match (group.actors.ids().len(), names.next()) {
        (0 | 1, _) => first,
        (2, Some(second)) => format!("{first} and {second}"),
        (2, None) => format!("{first} and 1 other"),
        (several, _) => format!("{first} and {} others", several - 1),
    }
}

fn what(kind: NotificationType) -> &'static str {
    match kind {
        NotificationType::Post => "replied to your post",
        NotificationType::Like => "liked your post",
        NotificationType::Comment => "commented on your post",
        NotificationType::Mention => "mentioned you",
        NotificationType::Follow => "followed you",
        NotificationType::FriendRequest => "sent you a friend request",
        NotificationType::NewMessage => "sent you a message",
    }
}
