//! Removes a deleted user from message groups.

use base::{GroupId, UserId};
use notifications::{NotificationType, Subject, TargetType};
use platform::{App, Result};
use ulid::Ulid;

/// Erases the content of the user's messages in the user's next group, and removes the user from the group.
///
/// Reads all messages of the group, because an index of messages by sender would cost a write per message.
pub(super) async fn listed(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let Some((cursor, group)) = conversations::listed_after(app, user, cursor).await? else {
        return Ok(None);
    };
    remove_user(app, user, group).await.map(|()| Some(cursor))
}

/// Erases the content of the user's messages in the user's next former group. Also erases the user from notifications
/// about these messages. A former group is a group that the user left, or from which the deletion removed the user.
pub(super) async fn left(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let Some((cursor, group)) = conversations::left_after(app, user, cursor).await? else { return Ok(None) };
    remove_user(app, user, group).await?;
    let people = conversations::people_of(app, group).await?;
    let subjects: Vec<_> = people.iter().map(|recipient| new_message(*recipient, group)).collect();
    notifications::erase_actor(app, user, &subjects).await.map(|()| Some(cursor))
}

async fn remove_user(app: &App, user: UserId, group: GroupId) -> Result<()> {
    let mut after = None;
    loop {
        after = conversations::stub_page(app, user, group, after).await?;
        if after.is_none() {
            return conversations::withdraw(app, user, group).await;
        }
    }
}

fn new_message(recipient: UserId, group: GroupId) -> Subject {
    Subject {
        recipient,
        notification_type: NotificationType::NewMessage,
        target_type: TargetType::MessageGroup,
        target_id: Ulid::from(group).into(),
    }
}
