//! What can be chosen of a kind of notifications.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whose doings somebody is notified of. What the network itself did comes unless it is nobody's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NotifyFrom)]
pub enum From {
    /// Of everybody's.
    #[default]
    Everyone,
    /// Of those whom they follow.
    Following,
    /// Of nobody's.
    Nobody,
}

/// The preference of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NotificationPreference)]
pub struct Preference {
    /// Whose doings one is notified of.
    pub from: From,
    /// Whether notifications are pushed to one's devices.
    pub push: bool,
}

/// A change of the preference of one kind: what is left out stays as it is.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(as = NotificationPreferenceChange)]
pub struct PreferenceChange {
    /// Whose doings one is notified of.
    pub from: Option<From>,
    /// Whether notifications are pushed to one's devices.
    pub push: Option<bool>,
}

impl Default for Preference {
    fn default() -> Self {
        Self { from: From::Everyone, push: true }
    }
}

impl PreferenceChange {
    pub(super) fn apply(self, before: Preference) -> Preference {
        Preference { from: self.from.unwrap_or(before.from), push: self.push.unwrap_or(before.push) }
    }
}
