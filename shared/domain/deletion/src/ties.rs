//! Followers of a deleted user, and friend requests that the user sent.

use base::{Position, UserId};
use notifications::{NotificationType, Subject, TargetType};
use people::{follows, friendships};
use platform::{App, Result};
use ulid::Ulid;

use super::pass::Pass;

/// Makes the next 50 followers unfollow the user.
pub(super) async fn followers(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let cursor = cursor.and_then(|id| id.parse::<Position>().ok());
    let last = follows::end_follower_page(app, user, cursor).await?;
    Ok(last.map(|position| position.to_string()))
}

/// Cancels the next 25 friend requests that the user sent. An erasure instead deletes these requests, and erases the
/// user from notifications about them.
pub(super) async fn sent(
    app: &App,
    user: UserId,
    pass: Pass,
    cursor: Option<String>,
) -> Result<Option<String>> {
    match pass {
        Pass::Withdrawal => friendships::cancel_sent_page(app, user, cursor).await,
        Pass::Erasure => {
            let (requests, last) = friendships::sent_page(app, user, cursor).await?;
            let receivers = requests.iter().map(|request| request.receiver_id);
            let subjects: Vec<_> =
                receivers.map(|receiver| about_user(receiver, NotificationType::FriendRequest)).collect();
            notifications::erase_actor(app, user, &subjects).await?;
            friendships::delete_sent(app, &requests).await.map(|()| last)
        }
    }
}

/// Returns the subject of notifications to a user about the user themselves, for example about new followers.
pub(super) fn about_user(user: UserId, notification_type: NotificationType) -> Subject {
    let target_id = Ulid::from(user).into();
    Subject { recipient: user, notification_type, target_type: TargetType::User, target_id }
}
