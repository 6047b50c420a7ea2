//! Follows, friend requests, friendships, blocks and mutes of a deleted user, in both directions.

use base::ids::{Position, UserId};
use notifications::{NotificationType, Subject, TargetType};
use people::{follows, friendships, relationships};
use platform::{App, Result};
use ulid::Ulid;

use super::pass::Pass;

/// Makes the next 50 followers unfollow the user. Returns the cursor of the next page, if any.
pub(super) async fn followers(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let cursor = cursor.and_then(|id| id.parse::<Ulid>().ok()).map(Position::from);
    let last = follows::end_follower_page(app, user, cursor).await?;
    Ok(last.map(|it| it.to_string()))
}

/// Makes the user unfollow the next 50 followed users. Returns the cursor of the next page, if any.
pub(super) async fn followed(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    follows::end_followed_page(app, user, cursor).await
}

/// Deletes the next 25 pending friend requests to the user. Returns the cursor of the next page, if any.
pub(super) async fn received(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    friendships::delete_received_page(app, user, cursor).await
}

/// Deletes the next 25 friendships that began with a request by the other user. Returns the cursor of the next page, if
/// any.
pub(super) async fn friends(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    friendships::delete_friends_page(app, user, cursor).await
}

/// Cancels the next 25 friend requests that the user sent. An erasure instead deletes these requests, and erases the
/// user from notifications about them. Returns the cursor of the next page, if any.
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
            let subjects = requests
                .iter()
                .map(|request| about_user(request.receiver_id, NotificationType::FriendRequest));
            notifications::erase_actor(app, user, &subjects.collect::<Vec<_>>()).await?;
            friendships::delete_sent(app, &requests).await.map(|()| last)
        }
    }
}

/// Deletes the user's next 25 blocks, mutes and ended follows. Returns the cursor of the next page, if any.
pub(super) async fn relationships(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    relationships::erase_page(app, user, cursor).await
}

/// Returns the subject of notifications to a user about the user themselves, for example about new followers.
pub(super) fn about_user(user: UserId, notification_type: NotificationType) -> Subject {
    let target_id = Ulid::from(user).into();
    Subject { recipient: user, notification_type, target_type: TargetType::User, target_id }
}
