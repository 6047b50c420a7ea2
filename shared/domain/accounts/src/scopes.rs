//! Scopes. The scopes of an application token determine the operations that it may call. The API document names the
//! scope of each operation in `security`. Application tokens cannot call an operation that has no scope.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A set of operations that an application token may call. The permissions of the token's user also apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = TokenScope)]
pub enum Scope {
    /// Reads everything the user can read, and subscribes to realtime channels.
    #[serde(rename = "read")]
    Read,
    /// Creates, edits and deletes posts. Also likes, saves and reports posts, and uploads files.
    #[serde(rename = "write:posts")]
    WritePosts,
    /// Follows, blocks and mutes users, and manages friend requests.
    #[serde(rename = "write:people")]
    WritePeople,
    /// Creates message groups, sends messages, and marks them as read.
    #[serde(rename = "write:messages")]
    WriteMessages,
    /// Marks notifications as read.
    #[serde(rename = "write:notifications")]
    WriteNotifications,
    /// Performs all actions of circle members and owners.
    #[serde(rename = "write:circles")]
    WriteCircles,
    /// Reads reports, cases and appeals, and decides on them. Only tokens of administrators and moderators can have
    /// this scope.
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

    /// Returns the name used in the API.
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

    /// Returns the scope with this name, or `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Returns whether only administrators and moderators can use the scope.
    pub fn is_for_admins(self) -> bool {
        self == Self::AdminReports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scope_is_serialized_as_its_name() {
        for scope in Scope::ALL {
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
            assert_eq!(Scope::named(scope.name()), Some(scope));
        }
    }
}
