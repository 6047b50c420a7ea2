//! The notification preference of one kind.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who can notify the user. Notifications from the service itself are off only with `nobody`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NotifyFrom)]
pub enum From {
    /// All users.
    #[default]
    Everyone,
    /// Users that the user follows.
    Following,
    /// No user.
    Nobody,
}

/// The preference of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NotificationPreference)]
pub struct Preference {
    /// Who can notify the user.
    pub from: From,
    /// Whether notifications are pushed to the user's devices.
    pub push: bool,
}

/// A change of the preference of one kind. Omitted fields stay unchanged.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(as = NotificationPreferenceChange)]
pub struct PreferenceChange {
    /// Who can notify the user.
    pub from: Option<From>,
    /// Whether notifications are pushed to the user's devices.
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
