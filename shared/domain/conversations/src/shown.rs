//! Messages as a member sees them: with what they answer, and who reacted.

use std::collections::{BTreeSet, HashMap};

use base::ids::{MessageId, UserId};
use platform::{App, Result};

use super::{
    group::Group,
    member::Member,
    message::{Message, message_key},
    view::{MessageView, ReactionCount, RepliedMessage},
};
use people::{
    relationships::{self, ViewContext},
    users,
};

/// Returns messages that a member may read, as they see them.
pub(super) async fn shown(
    app: &App,
    group: &Group,
    member: &Member,
    messages: Vec<Message>,
) -> Result<Vec<MessageView>> {
    let viewer = member.user;
    let replied = replied(app, member, &messages).await?;
    let senders: BTreeSet<UserId> = messages.iter().chain(replied.values()).map(|it| it.sender).collect();
    let senders: Vec<_> = senders.into_iter().collect();
    let reactors = messages.iter().flat_map(|it| it.reactions().map(|(user, _)| user));
    let others =
        group.of_crowd(reactors.chain(replied.values().map(|it| it.sender)).filter(|it| *it != viewer));
    let hidden = relationships::hidden_from(app, viewer, &others, ViewContext::Thread);
    let (cards, hidden) = futures::try_join!(users::cards(app, &senders), hidden)?;
    let reply = |it: MessageView| {
        let to = replied.get(&it.reply_to.as_ref()?.public_id)?;
        let is_shown = !(others.contains(&to.sender) && hidden.contains(&to.sender));
        is_shown.then(|| RepliedMessage::new(to, cards.get(&to.sender).cloned()))
    };
    let view = |message: Message| {
        let reactions = ReactionCount::of(&message, viewer, &hidden);
        let sender = cards.get(&message.sender).cloned();
        let view = MessageView { reactions, ..MessageView::new(message, viewer, sender) };
        let reply_to = reply(view.clone()).or(view.reply_to);
        MessageView { reply_to, ..view }
    };
    Ok(messages.into_iter().map(view).collect())
}

/// Returns one message as a member sees it.
pub(super) async fn shown_one(
    app: &App,
    group: &Group,
    member: &Member,
    message: Message,
) -> Result<MessageView> {
    let (id, viewer) = (message.clone(), member.user);
    let mut views = shown(app, group, member, vec![message]).await?;
    Ok(views.pop().unwrap_or_else(|| MessageView::new(id, viewer, None)))
}

/// Returns the messages that these answer and that the member may read.
async fn replied(app: &App, member: &Member, messages: &[Message]) -> Result<HashMap<MessageId, Message>> {
    let answered = messages.iter().filter_map(|it| it.reply_to).filter(|it| member.may_read(*it));
    let answered: BTreeSet<_> = answered.collect();
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        answered.into_iter().partition(|id| messages.iter().any(|it| it.id == *id));
    let keys: Vec<_> = elsewhere.into_iter().map(|it| message_key(member.group, it)).collect();
    let found: Vec<Message> = app.table.batch_get_eventual(&keys).await?;
    let here = messages.iter().filter(|it| here.contains(&it.id)).cloned();
    Ok(here.chain(found).map(|it| (it.id, it)).collect())
}
