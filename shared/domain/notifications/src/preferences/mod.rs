//! What somebody wants to be notified of, of whom, and what is pushed to their devices: by kind, in one row.

mod choices;
mod wanted;

use std::collections::BTreeMap;

use base::ids::UserId;
use people::users;
use platform::{
    App, Result,
    decode::Object,
    error::Error,
    retry_on_conflict,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use utoipa::ToSchema;

use super::NotificationType;

pub use choices::{From, Preference, PreferenceChange};
pub(super) use wanted::{Recipients, recipients};

/// The preferences of every kind.
pub type Preferences = BTreeMap<NotificationType, Preference>;

/// What is to change: kinds that are left out stay as they are.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = BTreeMap<NotificationType, PreferenceChange>)]
pub struct PreferenceChanges(BTreeMap<NotificationType, Object<PreferenceChange>>);

/// The kinds of which somebody chose something else than everybody has. A missing row means none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Chosen {
    user: UserId,
    kinds: Vec<ChosenKind>,
    /// How often it changed: of two changes at once, one begins again.
    version: i64,
}

/// What somebody chose of one kind.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChosenKind {
    kind: NotificationType,
    #[serde(flatten)]
    preference: Preference,
}

/// Returns a user's preferences of every kind.
pub async fn preferences(app: &App, user: UserId) -> Result<Preferences> {
    find(app, user).await.map(|it| it.all())
}

/// Changes preferences, and returns those of every kind.
///
/// # Errors
/// [`Error::NotFound`] when there is no such user.
pub async fn change_preferences(app: &App, user: UserId, changes: PreferenceChanges) -> Result<Preferences> {
    retry_on_conflict(async || {
        let before = find(app, user).await?;
        let after = before.changed(&changes);
        let write = Write::put(&after).equals_or_lacks("version", before.version);
        match before.version {
            // Whoever flushes a notification reads the row of those only who have one.
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
    Ok(chosen.is_none_or(|it| it.of(kind).push))
}

async fn find(app: &App, user: UserId) -> Result<Chosen> {
    let found = app.table.get(&key(user)).await?;
    Ok(found.unwrap_or(Chosen { user, kinds: Vec::new(), version: 0 }))
}

impl Chosen {
    /// Returns the preference of a kind.
    fn of(&self, kind: NotificationType) -> Preference {
        let chosen = self.kinds.iter().find(|it| it.kind == kind);
        chosen.map(|it| it.preference).unwrap_or_default()
    }

    fn all(&self) -> Preferences {
        NotificationType::VARIANTS.iter().map(|it| (*it, self.of(*it))).collect()
    }

    fn changed(&self, PreferenceChanges(changes): &PreferenceChanges) -> Self {
        let after = |kind: NotificationType| match changes.get(&kind) {
            Some(Object(change)) => change.apply(self.of(kind)),
            None => self.of(kind),
        };
        let kinds =
            NotificationType::VARIANTS.iter().map(|it| ChosenKind { kind: *it, preference: after(*it) });
        let kinds = kinds.filter(|it| it.preference != Preference::default()).collect();
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
