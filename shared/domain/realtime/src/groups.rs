//! What happens in message groups, pushed to those members who may hear of it.

use base::ids::{GroupId, MessageId, UserId};
use conversations::{
    Group, GroupChanged, Member, MemberJoined, MemberLeft, Message, MessageDeleted, MessageEdited,
    MessageReacted, MessageSeen, MessageSent, MessageView,
};
use futures::try_join;
use platform::{
    App, Result,
    bus::{BusEvent, Event},
};

use crate::{
    audience::Audience,
    events::{GroupProfile, MemberChanged, MessageChanged, MessageReaction, PushedEvent},
    pusher::{Channel, Push},
};

/// Returns whether an event is one of a message group.
pub(super) fn is_of_group(name: &str) -> bool {
    [
        MessageSent::NAME,
        MessageSeen::NAME,
        MessageEdited::NAME,
        MessageDeleted::NAME,
        MessageReacted::NAME,
        MemberJoined::NAME,
        MemberLeft::NAME,
        GroupChanged::NAME,
    ]
    .contains(&name)
}

/// Returns what an event of a message group pushes.
pub(super) async fn pushes_of(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    match event.name() {
        MessageSent::NAME => message_new(app, event).await,
        MessageSeen::NAME => message_seen(app, event).await,
        MessageEdited::NAME => {
            let MessageEdited { group_id, message_id, sender_id } = event.detail()?;
            message_changed(app, event, (group_id, message_id, sender_id), |it| {
                PushedEvent::MessageEdited(it)
            })
            .await
        }
        MessageDeleted::NAME => {
            let MessageDeleted { group_id, message_id, sender_id } = event.detail()?;
            message_changed(app, event, (group_id, message_id, sender_id), |it| {
                PushedEvent::MessageDeleted(it)
            })
            .await
        }
        MessageReacted::NAME => message_reacted(app, event).await,
        MemberJoined::NAME => {
            let MemberJoined { group_id, user_id } = event.detail()?;
            member_changed(app, event, (group_id, user_id), |it| PushedEvent::MemberJoined(it)).await
        }
        MemberLeft::NAME => {
            let MemberLeft { group_id, user_id } = event.detail()?;
            member_changed(app, event, (group_id, user_id), |it| PushedEvent::MemberLeft(it)).await
        }
        GroupChanged::NAME => group_changed(app, event).await,
        _ => Err(event.unexpected()),
    }
}

/// To all members: to the sender as their own message, to the others and the chat as somebody else's.
async fn message_new(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let MessageSent { group_id, message_id, sender_id, .. } = event.detail()?;
    let Some((message, room)) = message_and_room(app, group_id, message_id, sender_id).await? else {
        return Ok(Vec::new());
    };
    let own = MessageView::new(message, sender_id, room.audience.card(sender_id));
    let theirs = MessageView { is_mine: false, ..own.clone() };
    let sender = room.hears(sender_id).then(|| user_channel(sender_id)).into_iter().collect();
    Ok(vec![
        Push::of(event, room.channels_but(sender_id), PushedEvent::MessageNew(&theirs))?,
        Push::of(event, sender, PushedEvent::MessageNew(&own))?,
    ])
}

/// To the sender of the message and to the chat.
async fn message_seen(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let seen: MessageSeen = event.detail()?;
    let found = message_and_room(app, seen.group_id, seen.last_seen_message_id, seen.user_id).await?;
    let Some((message, room)) = found else { return Ok(Vec::new()) };
    let sender = room.hears(message.sender).then(|| user_channel(message.sender));
    let channels = sender.into_iter().chain(room.chat()).collect();
    Ok(vec![Push::of(event, channels, PushedEvent::MessageSeen(&seen))?])
}

/// To all members: what the message says now.
async fn message_changed(
    app: &App,
    event: &BusEvent,
    (group, message, sender): (GroupId, MessageId, UserId),
    pushed: impl Fn(&MessageChanged) -> PushedEvent<'_>,
) -> Result<Vec<Push>> {
    let Some((message, room)) = message_and_room(app, group, message, sender).await? else {
        return Ok(Vec::new());
    };
    let changed = MessageChanged {
        message_group_id: group,
        public_id: message.id,
        sender_id: sender,
        content: message.content,
        edited_at: message.edited_at,
        is_deleted: message.deleted_at.is_some(),
    };
    Ok(vec![Push::of(event, room.channels(), pushed(&changed))?])
}

/// To all members who may see the message and who reacted: with what they did by now.
async fn message_reacted(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let MessageReacted { group_id, message_id, user_id } = event.detail()?;
    let Some((message, room)) = message_and_room(app, group_id, message_id, user_id).await? else {
        return Ok(Vec::new());
    };
    let of_sender = Audience::of(app, message.sender, &room.members).await?;
    let room = room.of_those(|it| of_sender.hears(it));
    let reaction = MessageReaction {
        message_group_id: group_id,
        public_id: message_id,
        user_id,
        emoji: message.reaction_of(user_id).map(str::to_owned),
    };
    Ok(vec![Push::of(event, room.channels(), PushedEvent::MessageReaction(&reaction))?])
}

/// To all members, and to who joined: who it is, and who owns the group.
async fn member_changed(
    app: &App,
    event: &BusEvent,
    (group, user): (GroupId, UserId),
    pushed: impl Fn(&MemberChanged) -> PushedEvent<'_>,
) -> Result<Vec<Push>> {
    let Some((found, room)) = group_and_room(app, group, user).await? else { return Ok(Vec::new()) };
    let changed = MemberChanged {
        message_group_id: group,
        user_id: user,
        user: room.audience.card(user),
        created_by_id: found.created_by_id,
        members_count: found.members_count,
    };
    Ok(vec![Push::of(event, room.channels(), pushed(&changed))?])
}

/// To all members: the name and the picture.
async fn group_changed(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let GroupChanged { group_id, user_id } = event.detail()?;
    let profile = conversations::find_profile(app, group_id);
    let (room, profile) = try_join!(group_and_room(app, group_id, user_id), profile)?;
    let (Some((_, room)), Some(profile)) = (room, profile) else { return Ok(Vec::new()) };
    let profile = GroupProfile { message_group_id: group_id, name: profile.name, avatar: profile.avatar };
    Ok(vec![Push::of(event, room.channels(), PushedEvent::GroupChanged(&profile))?])
}

/// Who of a group is to hear what one of them did.
struct Room {
    group: GroupId,
    members: Vec<UserId>,
    audience: Audience,
    /// Whether the chat's channel is heard by these members only.
    is_closed: bool,
}

impl Room {
    async fn of(app: &App, group: &Group, actor: UserId, members: &[Member], all: usize) -> Result<Self> {
        let members: Vec<_> = members.iter().map(|it| it.user).collect();
        let audience = Audience::of(app, actor, &members).await?;
        // Who left may listen to the chat's channel still: the provider asks nobody again.
        let is_closed = group.last_left_at.is_none() && members.len() == all;
        Ok(Self { group: group.id, members, audience, is_closed })
    }

    /// Returns those of them who fulfil a condition. The chat's channel is heard by the others too.
    fn of_those(mut self, condition: impl Fn(UserId) -> bool) -> Self {
        let all = self.members.len();
        self.members.retain(|it| condition(*it));
        Self { is_closed: self.is_closed && self.members.len() == all, ..self }
    }

    fn hears(&self, member: UserId) -> bool {
        self.members.contains(&member) && self.audience.hears(member)
    }

    /// Returns the chat's channel, where all who listen to it may hear it.
    fn chat(&self) -> Option<String> {
        let all_hear = self.is_closed && self.members.iter().all(|it| self.audience.hears(*it));
        all_hear.then(|| Channel::Chat(self.group).to_string())
    }

    fn channels(&self) -> Vec<String> {
        let own = self.members.iter().filter(|it| self.audience.hears(**it)).map(|it| user_channel(*it));
        own.chain(self.chat()).collect()
    }

    fn channels_but(&self, member: UserId) -> Vec<String> {
        let own = user_channel(member);
        self.channels().into_iter().filter(|it| *it != own).collect()
    }
}

/// Returns a message, and who may read it of its group; none when there is no such message.
async fn message_and_room(
    app: &App,
    group: GroupId,
    message: MessageId,
    actor: UserId,
) -> Result<Option<(Message, Room)>> {
    let (group_key, message_key) = (conversations::key(group), conversations::message_key(group, message));
    let keys = [group_key.clone(), message_key.clone()];
    let (mut rows, mut members) =
        try_join!(app.table.get_together_eventual(&keys), conversations::members(app, group))?;
    let (group, message) = (rows.take::<Group>(&group_key)?, rows.take::<Message>(&message_key)?);
    let (Some(group), Some(message)) = (group, message) else { return Ok(None) };
    let all = members.len();
    members.retain(|it| it.may_read(message.id));
    Ok(Some((message, Room::of(app, &group, actor, &members, all).await?)))
}

/// Returns a group, and its members; none when there is no such group.
async fn group_and_room(app: &App, group: GroupId, actor: UserId) -> Result<Option<(Group, Room)>> {
    let key = conversations::key(group);
    let found = app.table.get_eventual::<Group>(&key);
    let (found, members) = try_join!(found, conversations::members(app, group))?;
    let Some(group) = found else { return Ok(None) };
    let room = Room::of(app, &group, actor, &members, members.len()).await?;
    Ok(Some((group, room)))
}

fn user_channel(user: UserId) -> String {
    Channel::User(user).to_string()
}
