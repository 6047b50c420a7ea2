//! The action log has one row per user, action, target and day. Daily quests count these rows.

use base::{CircleId, PostId, UserId};
use platform::{Key, Row, Time, Write};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;
use utoipa::ToSchema;

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $label:literal, $unit:literal;)*) => {
        /// An action that a daily quest can count. Order, spelling and labels are part of the API.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, AsRefStr, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        #[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
        pub enum ActionType { $($(#[$doc])* $name,)* }

        impl ActionType {
            /// All actions in the order of the API, each with its label and unit.
            pub const ALL: &[(ActionType, &str, &str)] = &[$((Self::$name, $label, $unit),)*];
        }
    };
}

actions! {
    /// A post was created, in or outside of a circle.
    PostCreated = "Đăng bài", "bài";
    /// A post outside of circles was deleted.
    PostDeleted = "Xoá bài", "bài";
    /// The user liked a post that they did not already like.
    LikeCreated = "Thích bài", "lượt";
    /// The user followed another user.
    FollowFollowingCreated = "Theo dõi người dùng", "người";
    /// The user gained a follower.
    FlowFollowerCreated = "Có người theo dõi", "người";
    /// A quote was created.
    QuoteCreated = "Quote bài", "bài";
    /// A quote was deleted.
    QuoteDeleted = "Xoá quote", "bài";
    /// A repost was created.
    ShareCreated = "Chia sẻ bài", "lượt";
    /// A repost was deleted.
    ShareDeleted = "Xoá chia sẻ", "lượt";
    /// The user sent an invitation to a circle.
    InviteSent = "Gửi lời mời", "lời mời";
    /// The user accepted an invitation to a circle.
    InviteAccepted = "Chấp nhận lời mời", "lời mời";
    /// The user's request to join a circle was accepted.
    JoinCircle = "Được duyệt vào nhóm", "nhóm";
    /// The user left a circle.
    LeaveCircle = "Rời nhóm", "nhóm";
}

/// An action of a user on one target on one day.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// The user who acted.
    pub user_id: UserId,
    /// The kind of action.
    #[serde(rename = "type")]
    pub kind: ActionType,
    /// The ID of the post, user or circle that the action was about.
    pub target_id: String,
    /// More details. The content depends on the kind.
    pub metadata: Option<serde_json::Value>,
    /// The time of the action. The day of this time is part of the key.
    pub created_at: Time,
}

impl Action {
    /// Returns an action on a post. For a quote or repost, `post` is the original post.
    pub fn on_post(user_id: UserId, kind: ActionType, post: PostId, at: Time) -> Self {
        Self { user_id, kind, target_id: post.to_string(), metadata: None, created_at: at }
    }

    /// Returns an action on a user.
    pub fn on_user(user_id: UserId, kind: ActionType, target: UserId, at: Time) -> Self {
        Self { user_id, kind, target_id: target.to_string(), metadata: None, created_at: at }
    }

    /// Returns an action on a circle.
    pub fn on_circle(user_id: UserId, kind: ActionType, circle: CircleId, at: Time) -> Self {
        Self { user_id, kind, target_id: circle.to_string(), metadata: None, created_at: at }
    }

    /// Returns the sort key prefix of the actions of one kind on a day.
    pub fn prefix(kind: ActionType, day: &str) -> String {
        format!("ACTION#{}#{day}#", kind.as_ref())
    }

    /// Returns the write that logs the action. The same action on the same target and day overwrites the row, so that
    /// it counts once.
    pub fn log_write(&self) -> Write {
        Write::put(self)
    }
}

/// `USER#u / ACTION#type#day#target`
impl Row for Action {
    fn key(&self) -> Key {
        let prefix = Self::prefix(self.kind, &self.created_at.day());
        Key::new(self.user_id.partition(), format!("{prefix}{}", self.target_id))
    }
}

#[cfg(test)]
mod tests {
    use super::ActionType;

    #[test]
    fn the_misspelled_action_type_keeps_its_spelling() {
        let names: Vec<_> = ActionType::ALL.iter().map(|action| action.0.as_ref()).collect();
        assert_eq!(names.len(), 13);
        assert_eq!(names[4], "FLOW_FOLLOWER_CREATED");
    }
}
