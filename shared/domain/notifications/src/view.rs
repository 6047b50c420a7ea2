//! A notification as its recipient sees it.

use base::ids::{NotificationId, TargetId, UserId};
use people::users::Person;
use platform::time::Time;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Notification, NotificationType, TargetType};

/// All events of one kind about one target of the caller's.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationView {
    /// The notification's id.
    pub public_id: NotificationId,
    /// The user who is notified: the caller.
    pub recipient_id: UserId,
    /// What happened; `POST` for replies.
    #[serde(rename = "type")]
    pub kind: NotificationType,
    /// The kind of target.
    pub target_type: TargetType,
    /// The target's id; for replies the id of the post that was replied to.
    pub target_id: TargetId,
    /// The newest 100 people who did it, each once, newest first; empty for what the network itself did.
    pub actor_ids: Vec<UserId>,
    /// The newest three of them.
    pub actors: Vec<Person>,
    /// The number of events.
    pub count: i64,
    /// Whether the caller has read it since the newest event.
    pub is_read: bool,
    /// The user behind the newest event; null for what the network itself did, such as a decision of moderation.
    pub last_actor_id: Option<UserId>,
    /// The time of the newest event.
    pub last_event_at: Time,
    /// The notification as a sentence.
    #[schema(example = "Bob and 2 others replied to your post")]
    pub message: String,
}

impl NotificationView {
    pub(super) fn new(notification: Notification, is_read: bool) -> Self {
        let Notification { subject, .. } = notification;
        Self {
            public_id: notification.id(),
            recipient_id: subject.recipient,
            kind: subject.notification_type,
            target_type: subject.target_type,
            target_id: subject.target_id,
            message: in_words(&notification),
            actor_ids: notification.actors.ids().iter().copied().filter(is_user).collect(),
            actors: notification.faces,
            count: notification.count,
            is_read,
            last_actor_id: Some(notification.last_actor_id).filter(is_user),
            last_event_at: notification.last_event_at,
        }
    }
}

fn is_user(user: &UserId) -> bool {
    *user != UserId::NONE
}

/// Returns the notification as a sentence. What the network itself did names nobody.
fn in_words(notification: &Notification) -> String {
    let done = match notification.subject.notification_type {
        NotificationType::Post => "replied to your post",
        NotificationType::Like => "liked your post",
        NotificationType::Comment => "commented on your post",
        NotificationType::Mention => "mentioned you",
        NotificationType::Follow => "followed you",
        NotificationType::FriendRequest => "sent you a friend request",
        NotificationType::NewMessage => "sent you a message",
        NotificationType::Repost => "reposted your post",
        NotificationType::Quote => "quoted your post",
        NotificationType::CircleInvitation => "invited you to a circle",
        NotificationType::CircleJoined if notification.last_actor_id == UserId::NONE => {
            return "You are in the circle that you asked to join".to_owned();
        }
        NotificationType::CircleJoined => "joined your circle",
        NotificationType::CircleComment => "commented on your post in a circle",
        NotificationType::PollEnded => return "A poll that you took part in has ended".to_owned(),
        NotificationType::CircleStage => return "Your circle came to another stage".to_owned(),
        NotificationType::CircleCpr => return "The rescue of your circle began or ended".to_owned(),
        NotificationType::Moderation if notification.subject.target_type == TargetType::Report => {
            return "There is a decision about what you reported".to_owned();
        }
        NotificationType::Moderation => return "There is a decision about what you wrote".to_owned(),
    };
    format!("{} {done}", actors_in_words(notification))
}

fn actors_in_words(notification: &Notification) -> String {
    let mut names = notification.faces.iter().map(|it| it.card.name.to_string());
    let first = names.next().unwrap_or_else(|| "Somebody".to_owned());
    match (notification.actors.ids().len(), names.next()) {
        (0 | 1, _) => first,
        (2, Some(second)) => format!("{first} and {second}"),
        (2, None) => format!("{first} and 1 other"),
        (several, _) => format!("{first} and {} others", several - 1),
    }
}
