//! The preference for one kind of notification.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The users who can cause notifications. If no user can, notifications from the service itself are also off.
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

/// The preference for one kind of notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NotificationPreference)]
pub struct Preference {
    /// The users who can cause notifications.
    pub from: From,
    /// Whether notifications are pushed to the user's devices.
    pub push: bool,
}

/// A change to the preference for one kind. Omitted fields stay unchanged.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(as = NotificationPreferenceChange)]
pub struct PreferenceChange {
    /// The users who can cause notifications.
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
