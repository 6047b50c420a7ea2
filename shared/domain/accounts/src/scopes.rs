//! Scopes: what an application token opens. Each operation says in its `security` which scope opens it; one that names
//! none is closed to application tokens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an application token opens, as far as its user may do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub enum Scope {
    /// Reading what the user can read, and subscribing to realtime channels.
    #[serde(rename = "read")]
    Read,
    /// Writing, changing and deleting posts, liking, saving, reporting, uploading.
    #[serde(rename = "write:posts")]
    WritePosts,
    /// Following, blocking, muting, and friend requests.
    #[serde(rename = "write:people")]
    WritePeople,
    /// Opening message groups, writing messages, and marking them as read.
    #[serde(rename = "write:messages")]
    WriteMessages,
    /// Marking notifications as read.
    #[serde(rename = "write:notifications")]
    WriteNotifications,
    /// Everything that members and owners of circles do.
    #[serde(rename = "write:circles")]
    WriteCircles,
    /// Reading and deciding reports, for an administrator.
    #[serde(rename = "admin:reports")]
    AdminReports,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 7] = [
        Self::Read,
        Self::WritePosts,
        Self::WritePeople,
        Self::WriteMessages,
        Self::WriteNotifications,
        Self::WriteCircles,
        Self::AdminReports,
    ];

    /// Returns the name, as the API writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::WritePosts => "write:posts",
            Self::WritePeople => "write:people",
            Self::WriteMessages => "write:messages",
            Self::WriteNotifications => "write:notifications",
            Self::WriteCircles => "write:circles",
            Self::AdminReports => "admin:reports",
        }
    }

    /// Returns the scope of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether only administrators have a use for it.
    pub fn is_for_admins(self) -> bool {
        self == Self::AdminReports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scope_is_written_as_it_is_named() {
        for scope in Scope::ALL {
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
            assert_eq!(Scope::named(scope.name()), Some(scope));
        }
    }
}
