//! Of what the people around a post are told.

use std::collections::HashSet;

use platform::App;
use ulid::Ulid;

use super::Post;
use crate::{
    ids::{EventId, UserId},
    notifications::{NotificationEvent, NotificationType, TargetType},
};

/// A reply to somebody's post.
pub(crate) fn reply(reply: &Post, parent: &Post) -> NotificationEvent {
    let kinds = (NotificationType::Post, TargetType::Reply);
    let id = EventId::from(Ulid::from(reply.id));
    NotificationEvent::new(parent.author, kinds, Ulid::from(parent.id), (reply.author, id, reply.created_at))
}

/// A reply further down a thread, for whoever began it: the parent's author hears of a reply.
pub(crate) fn comment(reply: &Post, parent: &Post) -> Option<NotificationEvent> {
    let (head, author) = (parent.head?, parent.head_author?);
    let kinds = (NotificationType::Comment, TargetType::Post);
    let id = EventId::from(Ulid::from(reply.id));
    let comment =
        NotificationEvent::new(author, kinds, Ulid::from(head), (reply.author, id, reply.created_at));
    (author != parent.author).then_some(comment)
}

/// New likes of a post, last first, without those of whom its author does not want to hear (author and
/// liker); none while kinds that are only proposed are off.
pub(crate) fn likes(
    app: &App,
    post: &Post,
    likers: &[UserId],
    muted_pairs: &HashSet<(UserId, UserId)>,
) -> Option<NotificationEvent> {
    let author = post.author;
    let unmuted = likers.iter().copied().filter(|it| *it != author && !muted_pairs.contains(&(author, *it)));
    let unmuted: Vec<_> = unmuted.filter(|_| !post.is_deleted).collect();
    let kinds = (NotificationType::Like, TargetType::Post);
    NotificationEvent::together(app, author, kinds, Ulid::from(post.id), &unmuted)
}

/// A post that mentions people; one for each of them.
pub(crate) fn mentions(app: &App, post: &Post) -> Vec<NotificationEvent> {
    let kinds = (NotificationType::Mention, TargetType::Post);
    let mention = |user: &UserId| {
        let id = app.ids.next(post.created_at);
        NotificationEvent::new(*user, kinds, Ulid::from(post.id), (post.author, id, post.created_at))
    };
    post.mentions.users().iter().map(mention).collect()
}
