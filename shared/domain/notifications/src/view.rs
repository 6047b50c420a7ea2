//! A notification as its recipient sees it.

use base::{NotificationId, PublicUserId, TargetId, UserId};
use people::Person;
use platform::Time;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Notification, NotificationType, TargetType};

/// A notification: all events of one kind about one target.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Notification)]
#[serde(rename_all = "camelCase")]
pub struct NotificationView {
    /// The notification's ID.
    pub public_id: NotificationId,
    /// The user who is notified. This is always the caller.
    pub recipient_id: PublicUserId,
    /// The kind of event. `POST` means a reply.
    #[serde(rename = "type")]
    pub kind: NotificationType,
    /// The kind of target.
    pub target_type: TargetType,
    /// The target's ID. For replies, it is the ID of the post that was replied to. For a user, it is the public ID.
    pub target_id: TargetId,
    /// The newest 100 distinct users who caused the events, newest first. Empty if the service itself caused the event.
    pub actor_ids: Vec<PublicUserId>,
    /// Profiles of the newest three users in `actorIds`.
    pub actors: Vec<Person>,
    /// The number of events.
    pub count: i64,
    /// Whether the caller read the notification after its newest event.
    pub is_read: bool,
    /// The user who caused the newest event. Null if the service itself caused the event, for example a moderation
    /// decision.
    pub last_actor_id: Option<PublicUserId>,
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
            recipient_id: subject.recipient.public(),
            kind: subject.notification_type,
            target_type: subject.target_type,
            target_id: subject.public_target(),
            message: message(&notification),
            actor_ids: notification.actors.ids().iter().filter_map(public_id).collect(),
            actors: notification.avatars,
            count: notification.count,
            is_read,
            last_actor_id: public_id(&notification.last_actor_id),
            last_event_at: notification.last_event_at,
        }
    }
}

/// Returns the public ID of an actor, or `None` for the service itself.
fn public_id(actor: &UserId) -> Option<PublicUserId> {
    (*actor != UserId::NONE).then(|| actor.public())
}

/// Returns the notification as a sentence. The sentence names no user if the service itself caused the event.
fn message(notification: &Notification) -> String {
    let action = match notification.subject.notification_type {
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
            return "Your request was accepted. You are now a member of the circle.".to_owned();
        }
        NotificationType::CircleJoined => "joined your circle",
        NotificationType::CircleOwner => {
            return "You are now the owner of a circle. Open the circle to see its members.".to_owned();
        }
        NotificationType::CircleComment => "commented on your post in a circle",
        NotificationType::PollEnded if notification.subject.target_type == TargetType::OwnPoll => {
            return "Your poll has ended. Open it to see the result.".to_owned();
        }
        NotificationType::PollEnded => {
            return "A poll you voted in has ended. Open it to see the result.".to_owned();
        }
        NotificationType::CircleStage => {
            return "The health of your circle got worse. Open the circle to see its HP.".to_owned();
        }
        NotificationType::CircleCpr => {
            return "A CPR in your circle has started or ended. Open the circle to see whether you can help."
                .to_owned();
        }
        NotificationType::Moderation if notification.subject.target_type == TargetType::Report => {
            return "Your report has been decided. See the result in your reports.".to_owned();
        }
        NotificationType::Moderation if notification.subject.target_type == TargetType::Draft => {
            return "Your scheduled post could not be published. See the reason in your drafts.".to_owned();
        }
        NotificationType::Moderation => {
            return "Your post or account was moderated. See the reason in your moderation decisions."
                .to_owned();
        }
    };
    format!("{} {action}", actor_names(notification))
}

fn actor_names(notification: &Notification) -> String {
    let mut names = notification.avatars.iter().map(|avatar| avatar.card.name.to_string());
    let first = names.next().unwrap_or_else(|| "Someone".to_owned());
    match (notification.actors.ids().len(), names.next()) {
        (0 | 1, _) => first,
        (2, Some(second)) => format!("{first} and {second}"),
        (2, None) => format!("{first} and 1 other"),
        (several, _) => format!("{first} and {} others", several - 1),
    }
}
