//! Notification preferences. For each kind of event, a preference defines who can notify the user, and whether devices
//! get a push.

mod choices;
mod wanted;

use std::collections::BTreeMap;

use base::UserId;
use people::users;
use platform::{App, Error, Key, Result, Row, Write, retry_on_conflict};
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use utoipa::ToSchema;

use super::NotificationType;

pub use choices::{From, Preference, PreferenceChange};
pub(super) use wanted::{Recipients, recipients};

/// The preferences for all kinds.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(as = NotificationPreferences, value_type = BTreeMap<NotificationType, Preference>)]
pub struct Preferences(BTreeMap<NotificationType, Preference>);

/// Changes to preferences, by kind. Omitted kinds stay unchanged.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(as = NotificationPreferenceChanges, value_type = BTreeMap<NotificationType, PreferenceChange>)]
pub struct PreferenceChanges(BTreeMap<NotificationType, PreferenceChange>);

/// A user's preferences that differ from the default. If the row is missing, all preferences have the default.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Chosen {
    user: UserId,
    kinds: Vec<ChosenKind>,
    /// Number of changes so far. A write uses this number to detect a concurrent change.
    version: i64,
}

/// The preference that a user chose for one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChosenKind {
    kind: NotificationType,
    #[serde(flatten)]
    preference: Preference,
}

/// Returns a user's preferences for all kinds.
pub async fn preferences(app: &App, user: UserId) -> Result<Preferences> {
    Ok(find(app, user).await?.all())
}

/// Changes preferences, and returns the preferences for all kinds. Has no effect if all preferences already have the
/// requested values.
///
/// # Errors
/// Fails with [`Error::Invalid`] if there is no change. Fails with [`Error::NotFound`] if the user does not exist.
pub async fn change_preferences(app: &App, user: UserId, changes: PreferenceChanges) -> Result<Preferences> {
    if changes.0.is_empty() {
        return Err(Error::invalid_body("must have at least one kind of notification"));
    }
    retry_on_conflict(async || {
        let before = find(app, user).await?;
        let after = before.changed(&changes);
        if after.kinds == before.kinds {
            return Ok(after.all());
        }
        let write = Write::put(&after).equals_or_lacks("version", before.version);
        match before.version {
            // Only if this attribute of the user is set, a flush reads the user's preferences.
            0 => {
                let mark = Write::update(users::key(user)).set("hasPreferences", true).exists();
                app.table.transact(vec![write, mark.or(Error::NotFound("user"))]).await?;
            }
            _ => app.table.write(write).await?,
        }
        Ok(after.all())
    })
    .await
}

/// Returns whether notifications of a kind are pushed to a user's devices.
pub async fn is_pushed(app: &App, user: UserId, kind: NotificationType) -> Result<bool> {
    let chosen = app.table.get_eventual::<Chosen>(&key(user)).await?;
    Ok(chosen.is_none_or(|chosen| chosen.of(kind).push))
}

async fn find(app: &App, user: UserId) -> Result<Chosen> {
    let found = app.table.get(&key(user)).await?;
    Ok(found.unwrap_or(Chosen { user, kinds: Vec::new(), version: 0 }))
}

impl Chosen {
    fn of(&self, kind: NotificationType) -> Preference {
        let chosen = self.kinds.iter().find(|chosen| chosen.kind == kind);
        chosen.map(|chosen| chosen.preference).unwrap_or_default()
    }

    fn all(&self) -> Preferences {
        Preferences(NotificationType::VARIANTS.iter().map(|kind| (*kind, self.of(*kind))).collect())
    }

    fn changed(&self, PreferenceChanges(changes): &PreferenceChanges) -> Self {
        let kinds = self
            .all()
            .0
            .into_iter()
            .map(|(kind, before)| ChosenKind {
                kind,
                preference: changes.get(&kind).map_or(before, |change| change.apply(before)),
            })
            .filter(|chosen| chosen.preference != Preference::default())
            .collect();
        Self { user: self.user, kinds, version: self.version + 1 }
    }
}

fn key(user: UserId) -> Key {
    Key::new(user.partition(), "PREFERENCES")
}

/// `USER#id / PREFERENCES`
impl Row for Chosen {
    fn key(&self) -> Key {
        key(self.user)
    }
}
