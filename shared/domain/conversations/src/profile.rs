//! The name and picture of a crowd. Any member can change the name and the picture.

use std::collections::HashSet;

use base::{GroupId, UserId};
use people::{AvatarUrl, users::AvatarSource};
use platform::{
    App, Error, Key, Result, Row, Write, decode::present, outbox_record_write, outcomes, retry_on_conflict,
};
use serde::{Deserialize, Serialize};
use uploads::{Avatar, CopyState, NewAvatar, Upload};
use utoipa::ToSchema;

use super::{Group, GroupChanged, GroupName, Member, group, member::find_membership};

/// A request to change the name or picture of a crowd, which is a group of three or more users. Omitted fields stay
/// unchanged.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct GroupChange {
    /// The name. `null` clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<GroupName>)]
    pub name: Option<Option<GroupName>>,
    /// The ID of an uploaded picture, or the URL of a picture. Other members see a copy of a picture on another server,
    /// and the previous picture until the copy exists. `null` clears the picture.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048, example = "https://example.com/ann.png")]
    pub avatar: Option<Option<NewAvatar>>,
}

/// The row of a crowd's name and picture. The name and picture are not in the group's row, because every message writes
/// that row, and a larger row costs more.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The crowd with this name and picture.
    pub group: GroupId,
    /// The group's name.
    pub name: Option<GroupName>,
    /// The user who set the name.
    pub name_by: Option<UserId>,
    /// The URL of the group's picture, which is in the bucket.
    pub avatar: Option<AvatarUrl>,
    /// The chosen picture if it is on another server. The copy becomes `avatar`.
    pub avatar_source: Option<AvatarSource>,
    /// The user who set the picture.
    pub avatar_by: Option<UserId>,
}

/// Changes a crowd's name or picture. Has no effect if both already have the requested values. Returns the group and
/// the caller's membership.
pub(super) async fn change(
    app: &App,
    user: UserId,
    group: GroupId,
    change: &GroupChange,
) -> Result<(Group, Member)> {
    if change.name.is_none() && change.avatar.is_none() {
        return Err(Error::invalid_body("must have a name or an avatar"));
    }
    retry_on_conflict(async || {
        let (before, member) = find_membership(app, group, user).await?;
        before.check_crowd()?;
        let profile = of_group(app, &before).await?;
        if change.is_done(profile.as_ref()) {
            return Ok((before, member));
        }
        let event = outbox_record_write(app).then_publish(&GroupChanged { group_id: group, user_id: user });
        let mut writes = change.profile_writes(app, profile, group, user).await?;
        writes.extend([member.check_in_write(&before), event]);
        if !before.has_profile {
            writes.push(Write::update(before.key()).exists().or(group::NO_GROUP).set("hasProfile", true));
        }
        app.table.transact(writes).await?;
        Ok((Group { has_profile: true, ..before }, member))
    })
    .await
}

/// Removes a crowd's name if a deleted user set the name. Removes the crowd's picture if the deleted user set the
/// picture.
pub(super) async fn remove_of_user(app: &App, user: UserId, group: GroupId) -> Result<()> {
    let Some(before) = find_profile(app, group).await? else { return Ok(()) };
    let fields = [("name", "nameBy", before.name_by), ("avatar", "avatarBy", before.avatar_by)];
    let own: Vec<_> = fields.into_iter().filter(|(_, _, set_by)| *set_by == Some(user)).collect();
    if own.is_empty() {
        return Ok(());
    }
    let write = Write::update(key(group)).exists().clear_outbox();
    let write = own
        .iter()
        .fold(write, |write, (field, set_by, _)| write.remove(field).remove(set_by).equals(set_by, user));
    let is_picture = before.avatar_by == Some(user);
    app.table.write(if is_picture { write.remove("avatarSource") } else { write }).await
}

/// Returns the profiles of `groups`. Omits groups without a profile.
pub(super) async fn of_groups(app: &App, groups: &[&Group]) -> Result<Vec<Profile>> {
    let groups: HashSet<_> = groups.iter().filter(|group| group.has_profile).map(|group| group.id).collect();
    let keys: Vec<_> = groups.into_iter().map(key).collect();
    app.table.batch_get_eventual(&keys).await
}

/// Returns a group's profile. Reads nothing if [`Group::has_profile`] is false.
pub(super) async fn of_group(app: &App, group: &Group) -> Result<Option<Profile>> {
    if group.has_profile { find_profile(app, group.id).await } else { Ok(None) }
}

/// Returns a group's profile, or `None` if the group has none.
pub async fn find_profile(app: &App, group: GroupId) -> Result<Option<Profile>> {
    app.table.get(&key(group)).await
}

/// Makes a finished copy the picture of a group, or records that the picture could not be copied. Has no effect if a
/// member chose another picture in the meantime.
///
/// # Errors
/// Fails if the table fails.
pub async fn show_copy(app: &App, group: GroupId, copy: &Upload) -> Result<()> {
    retry_on_conflict(async || {
        let Some(before) = find_profile(app, group).await? else { return outcomes::end("the group is gone") };
        let Some(user) = before.avatar_by else { return outcomes::end("the user chose another picture") };
        let event = GroupChanged { group_id: group, user_id: user };
        let write = Write::update(key(group)).then_publish(&event);
        match before.picture().copy_writes(app, write, group.into(), copy).await? {
            Some(writes) => app.table.transact(writes).await,
            None => outcomes::end("the user chose another picture"),
        }
    })
    .await
}

/// Releases the picture file of a deleted group. A repeated call has no effect.
pub(super) async fn release_picture(app: &App, group: GroupId) -> Result<()> {
    let Some(profile) = find_profile(app, group).await? else { return Ok(()) };
    let writes = uploads::release_picture_writes(app, group.into(), &profile.picture().uploads()).await?;
    if writes.is_empty() { Ok(()) } else { app.table.transact(writes).await }
}

impl Profile {
    pub(super) fn of_new(group: &Group, name: GroupName) -> Self {
        let (name, name_by) = (Some(name), Some(group.created_by_id));
        Self { group: group.id, name, name_by, avatar: None, avatar_source: None, avatar_by: None }
    }

    fn picture(&self) -> Avatar {
        Avatar { shown: self.avatar.clone(), source: self.avatar_source.clone() }
    }

    /// Returns the state of the copy of the picture, or `None` unless `viewer` set the picture.
    pub(super) fn copy_state_for(&self, viewer: UserId) -> Option<CopyState> {
        self.picture().copy_state().filter(|_| self.avatar_by == Some(viewer))
    }

    /// Returns the picture as `viewer` sees it. The member who set the picture sees the chosen URL.
    pub(super) fn picture_for(&self, viewer: UserId) -> Option<AvatarUrl> {
        match self.avatar_by {
            Some(by) if by == viewer => self.picture().chosen().cloned(),
            _ => self.avatar.clone(),
        }
    }
}

impl GroupChange {
    fn is_done(&self, profile: Option<&Profile>) -> bool {
        let name = profile.and_then(|profile| profile.name.as_ref());
        let picture = profile.map(Profile::picture).unwrap_or_default();
        let is_same = |new: &Option<NewAvatar>| match new {
            Some(new) => new.is_same(&picture),
            None => picture.chosen().is_none(),
        };
        self.name.as_ref().is_none_or(|new| new.as_ref() == name) && self.avatar.as_ref().is_none_or(is_same)
    }

    /// Returns the writes that change the profile, release the previous picture file and reserve the new one.
    async fn profile_writes(
        &self,
        app: &App,
        before: Option<Profile>,
        group: GroupId,
        user: UserId,
    ) -> Result<Vec<Write>> {
        let write = self.profile_write(group, user);
        let Some(avatar) = &self.avatar else { return Ok(vec![write]) };
        let before = before.as_ref().map(Profile::picture).unwrap_or_default();
        before.change_writes(app, write, (user, group.into()), avatar.clone()).await
    }

    /// Returns the write of the changed fields. The write also clears the outbox, which may name the user who set the
    /// earlier picture.
    fn profile_write(&self, group: GroupId, user: UserId) -> Write {
        let mut write = Write::update(key(group)).set("group", group).clear_outbox();
        if let Some(name) = &self.name {
            write = write.set_or_remove("name", name.as_ref());
            write = write.set_or_remove("nameBy", name.as_ref().map(|_| user));
        }
        if let Some(avatar) = &self.avatar {
            write = write.set_or_remove("avatarBy", avatar.as_ref().map(|_| user));
        }
        write
    }
}

fn key(group: GroupId) -> Key {
    Key::new(group::partition(group), "PROFILE")
}

/// `GROUP#id / PROFILE`
impl Row for Profile {
    fn key(&self) -> Key {
        key(self.group)
    }
}
