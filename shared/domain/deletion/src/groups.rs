//! The message groups of somebody who leaves.

use base::ids::{GroupId, UserId};
use notifications::{NotificationType, Subject, TargetType};
use platform::{App, Result};
use ulid::Ulid;

/// Empties the person's messages in the next of their groups, and takes them out of it.
///
/// No index has messages by their sender: it would cost a write for each message, to save reads once in the life of an
/// account.
pub(super) async fn listed(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let Some((behind, group)) = conversations::listed_after(app, user, behind).await? else {
        return Ok(None);
    };
    leave(app, user, group).await.map(|()| Some(behind))
}

/// Does the same in the next group that the person left before, or in the first pass, and erases what notifications say
/// of the messages.
pub(super) async fn left(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let Some((behind, group)) = conversations::left_after(app, user, behind).await? else { return Ok(None) };
    leave(app, user, group).await?;
    let people = conversations::people_of(app, group).await?;
    let subjects: Vec<_> = people.iter().map(|it| new_message(*it, group)).collect();
    notifications::erase_actor(app, user, &subjects).await.map(|()| Some(behind))
}

async fn leave(app: &App, user: UserId, group: GroupId) -> Result<()> {
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
