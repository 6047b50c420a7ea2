//! Whom somebody who leaves follows, asks, blocks and mutes, and who does so to them.

use base::ids::{Position, UserId};
use notifications::{NotificationType, Subject, TargetType};
use people::{follows, friendships, relationships};
use platform::{App, Result};
use ulid::Ulid;

use super::pass::Pass;

/// Ends the next 50 follows of the person.
pub(super) async fn followers(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let behind = behind.and_then(|it| it.parse::<Ulid>().ok()).map(Position::from);
    let last = follows::end_follower_page(app, user, behind).await?;
    Ok(last.map(|it| it.to_string()))
}

/// Ends the next 50 follows by the person.
pub(super) async fn followed(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    follows::end_followed_page(app, user, behind).await
}

/// Deletes the next 25 requests that wait for the person.
pub(super) async fn received(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    friendships::withdraw_received_page(app, user, behind).await
}

/// Deletes the next 25 friendships for which the other had asked.
pub(super) async fn friends(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    friendships::delete_friends_page(app, user, behind).await
}

/// Cancels the next 25 requests of the person; then erases them, and what notifications say of them.
pub(super) async fn sent(
    app: &App,
    user: UserId,
    pass: Pass,
    behind: Option<String>,
) -> Result<Option<String>> {
    match pass {
        Pass::Withdrawal => friendships::withdraw_sent_page(app, user, behind).await,
        Pass::Erasure => {
            let (requests, last) = friendships::sent_page(app, user, behind).await?;
            let subjects =
                requests.iter().map(|it| about_user(it.receiver_id, NotificationType::FriendRequest));
            notifications::erase_actor(app, user, &subjects.collect::<Vec<_>>()).await?;
            friendships::delete_sent(app, &requests).await.map(|()| last)
        }
    }
}

/// Deletes the next 25 relationships.
pub(super) async fn relationships(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    relationships::erase_page(app, user, behind).await
}

/// Returns the subject of a notification about a user, of that user.
pub(super) fn about_user(user: UserId, notification_type: NotificationType) -> Subject {
    let target_id = Ulid::from(user).into();
    Subject { recipient: user, notification_type, target_type: TargetType::User, target_id }
}
