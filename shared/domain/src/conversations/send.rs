//! Sending a message.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    events::MessageSent,
    group::key,
    member::{member_key, membership},
    message::Message,
    values::{MessageContent, MessageType},
    view::MessageView,
};
use crate::{
    ids::{GroupId, UserId},
    people::users::{self, User},
};

/// A request to send a message.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct MessageDraft {
    /// The text; for `IMAGE` and `FILE` its address.
    pub content: MessageContent,
    /// The kind of content; `TEXT` when it is left out.
    #[serde(default, rename = "type")]
    #[schema(default = "TEXT")]
    pub kind: MessageType,
}

/// Sends a message to a group. Costs 2 calls, 1.5 RRU and 4 WRU for 1 KB.
///
/// # Errors
/// [`Error::NotFound`] when there is no such group, [`Error::Forbidden`] when the sender is not a member or
/// a block stands between the two people of a private group.
pub async fn send(
    app: &App,
    sender: UserId,
    group: GroupId,
    draft: MessageDraft,
    once: &Once,
) -> Result<MessageView> {
    once.run(app, sender, send_writes(app, sender, group, draft)).await
}

async fn send_writes(
    app: &App,
    sender: UserId,
    group: GroupId,
    draft: MessageDraft,
) -> Result<(Vec<Write>, MessageView)> {
    let user_key = users::key(sender);
    let keys = [key(group), member_key(group, sender), user_key.clone()];
    let mut rows = app.table.get_together_eventual(&keys).await?;
    let (group, member) = membership(&mut rows, group, sender)?;
    group.check_open()?;
    let user: User = rows.take(&user_key)?.ok_or(Error::NotFound("user"))?;
    let now = app.now();
    let MessageDraft { content, kind } = draft;
    let message = Message { id: app.ids.next(now), group: group.id, sender, content, kind, created_at: now };
    // Each message writes the group's row, which is in no index: its outbox is that of the newest one.
    let group_write = message.group_write(&member).then_publish(&sent_event(&message));
    let writes = vec![group_write, Write::create(&message)];
    Ok((writes, MessageView::new(message, sender, Some(user.card()))))
}

fn sent_event(message: &Message) -> MessageSent {
    let &Message { id, group, sender, created_at, .. } = message;
    MessageSent { message_id: id, group_id: group, sender_id: sender, created_at }
}
