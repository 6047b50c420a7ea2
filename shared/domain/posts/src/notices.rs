//! The notification events of posts and likes.

use std::collections::HashSet;

use base::{EventId, PostId, UserId};
use notifications::{ActorChanges, NotificationEvent, NotificationType, Subject, TargetType};
use platform::App;
use ulid::Ulid;

use crate::{Counter, Post, PostType};

/// Returns the event that notifies the parent's author of a reply.
pub(crate) fn reply(reply: &Post, parent: &Post) -> NotificationEvent {
    event(subject(parent.author, kinds(Counter::Replies), parent.id), reply)
}

/// Returns the event that notifies the author of `head` of a nested reply. `head` is the first post of the thread.
///
/// Returns `None` if the author of `head` deleted their account. Also returns `None` if the author of `head` wrote
/// `parent`, because [`reply`] notifies that author.
pub(crate) fn comment(reply: &Post, parent: &Post, head: &Post) -> Option<NotificationEvent> {
    let kinds = (NotificationType::Comment, TargetType::Post);
    let is_notified = ![parent.author, UserId::NONE].contains(&head.author);
    is_notified.then(|| event(subject(head.author, kinds, head.id), reply))
}

/// Returns the event that notifies the original's author of a quote or repost.
pub(crate) fn share(share: &Post, shared: &Post) -> NotificationEvent {
    event(subject(shared.root_author(), kinds(share_counter(share.kind)), shared.root()), share)
}

fn share_counter(kind: PostType) -> Counter {
    match kind {
        PostType::Repost => Counter::Reposts,
        _ => Counter::Quotes,
    }
}

/// Returns one event for all new and removed likes of a post. The actors in `changes` must start with the latest liker.
/// Omits likes by the author, and likes by users in `muted_pairs`.
///
/// Each pair in `muted_pairs` is an author and a muted liker. Also omits new likes of a deleted post. Returns `None` if
/// no change is left, or proposed features are off.
pub(crate) fn likes(
    app: &App,
    post: &Post,
    changes: ActorChanges,
    muted_pairs: &HashSet<(UserId, UserId)>,
) -> Option<NotificationEvent> {
    let author = post.author;
    let is_unmuted = |liker: &UserId| *liker != author && !muted_pairs.contains(&(author, *liker));
    let actors = changes.actors.into_iter().filter(is_unmuted).filter(|_| !post.is_deleted).collect();
    let changes = ActorChanges { actors, ..changes };
    NotificationEvent::together(app, author, kinds(Counter::Likes), Ulid::from(post.id), &changes)
}

/// Returns the notification type and target type of the action that increases `counter`.
fn kinds(counter: Counter) -> (NotificationType, TargetType) {
    match counter {
        Counter::Likes => (NotificationType::Like, TargetType::Post),
        Counter::Replies => (NotificationType::Post, TargetType::Reply),
        Counter::Quotes => (NotificationType::Quote, TargetType::Post),
        Counter::Reposts => (NotificationType::Repost, TargetType::Post),
    }
}

/// Returns the subjects of all notifications that a post caused. If the post is a reply, `thread` contains its parent
/// and the first post of its thread. Subjects of mentions come last.
pub(crate) fn subjects(post: &Post, thread: Option<&(Post, Post)>) -> Vec<Subject> {
    let replied = thread.map(|(parent, _)| reply(post, parent).subject);
    let commented = thread.and_then(|(parent, head)| comment(post, parent, head)).map(|event| event.subject);
    let mentioned = post.mentions.users().iter().map(|user| mention_subject(*user, post));
    replied.into_iter().chain(commented).chain(shared_subject(post)).chain(mentioned).collect()
}

/// Returns the events that a post caused, at most one for each recipient. `thread` is the same as for [`subjects`].
pub(crate) fn events(post: &Post, thread: Option<&(Post, Post)>) -> Vec<NotificationEvent> {
    once_each(subjects(post, thread).into_iter().map(|subject| event(subject, post)).collect())
}

/// Returns the event that `post` caused. The event has the same ID as the post.
fn event(subject: Subject, post: &Post) -> NotificationEvent {
    let id = EventId::from(Ulid::from(post.id));
    NotificationEvent::about(subject, (post.author, id, post.created_at))
}

/// Returns only the first event of each recipient. For example, the recipient of a reply gets no additional mention.
pub(crate) fn once_each(mut events: Vec<NotificationEvent>) -> Vec<NotificationEvent> {
    let mut recipients = HashSet::new();
    events.retain(|event| recipients.insert(event.subject.recipient));
    events
}

/// Returns the subject of the notification about likes of a post.
pub fn like_subject(author: UserId, post: PostId) -> Subject {
    subject(author, kinds(Counter::Likes), post)
}

fn shared_subject(post: &Post) -> Option<Subject> {
    let (origin, author) = (post.origin?, post.origin_author?);
    Some(subject(author, kinds(share_counter(post.kind)), origin))
}

fn mention_subject(user: UserId, post: &Post) -> Subject {
    subject(user, (NotificationType::Mention, TargetType::Post), post.id)
}

fn subject(recipient: UserId, kinds: (NotificationType, TargetType), post: PostId) -> Subject {
    let (notification_type, target_type) = kinds;
    Subject { recipient, notification_type, target_type, target_id: Ulid::from(post).into() }
}

pub(crate) fn mentions(post: &Post) -> Vec<NotificationEvent> {
    post.mentions.users().iter().map(|user| event(mention_subject(*user, post), post)).collect()
}
