//! The action log: what people did, once a target and day. Daily quests count it.

use platform::{
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{CircleId, PostId, UserId};

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $label:literal, $unit:literal;)*) => {
        /// What people do. Order, spelling and labels are part of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        pub enum ActionType { $($(#[$doc])* $name,)* }

        impl ActionType {
            /// All of them, in order, with label and unit.
            pub const ALL: &[(ActionType, &str, &str)] = &[$((Self::$name, $label, $unit),)*];
        }
    };
}

actions! {
    /// A normal or circle post was created.
    PostCreated = "Đăng bài", "bài";
    /// A normal post was deleted.
    PostDeleted = "Xoá bài", "bài";
    /// A post was liked that was not liked before.
    LikeCreated = "Thích bài", "lượt";
    /// Somebody was followed.
    FollowFollowingCreated = "Theo dõi người dùng", "người";
    /// Somebody gained a follower.
    FlowFollowerCreated = "Có người theo dõi", "người";
    /// A quote was created.
    QuoteCreated = "Quote bài", "bài";
    /// A quote was deleted.
    QuoteDeleted = "Xoá quote", "bài";
    /// A repost was created.
    ShareCreated = "Chia sẻ bài", "lượt";
    /// A repost was deleted.
    ShareDeleted = "Xoá chia sẻ", "lượt";
    /// An invitation to a circle was sent.
    InviteSent = "Gửi lời mời", "lời mời";
    /// An invitation to a circle was accepted.
    InviteAccepted = "Chấp nhận lời mời", "lời mời";
    /// A request to join a circle was approved.
    JoinCircle = "Được duyệt vào nhóm", "nhóm";
    /// Somebody left a circle.
    LeaveCircle = "Rời nhóm", "nhóm";
}

/// One thing that somebody did to one target on one day.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// Who did it.
    pub user_id: UserId,
    /// What they did.
    #[serde(rename = "type")]
    pub kind: ActionType,
    /// What they did it to.
    pub target_id: String,
    /// What else there is to say.
    pub metadata: Option<serde_json::Value>,
    /// When.
    pub created_at: Time,
}

impl Action {
    /// Something done to a post. A quote or repost counts for its original.
    pub fn on_post(user_id: UserId, kind: ActionType, post: PostId, at: Time) -> Self {
        Self { user_id, kind, target_id: post.to_string(), metadata: None, created_at: at }
    }

    /// Something done to a person.
    pub fn on_user(user_id: UserId, kind: ActionType, target: UserId, at: Time) -> Self {
        Self { user_id, kind, target_id: target.to_string(), metadata: None, created_at: at }
    }

    /// Something done to a circle.
    pub fn on_circle(user_id: UserId, kind: ActionType, circle: CircleId, at: Time) -> Self {
        Self { user_id, kind, target_id: circle.to_string(), metadata: None, created_at: at }
    }

    /// What the sort keys of a day's actions of a kind begin with.
    pub fn prefix(kind: ActionType, day: &str) -> String {
        let kind = serde_json::to_value(kind).unwrap_or_default();
        format!("ACTION#{}#{day}#", kind.as_str().unwrap_or_default())
    }

    /// Writes it down; the same target again that day changes nothing that is counted.
    pub fn log(&self) -> Write {
        Write::put(self)
    }
}

/// `USER#u / ACTION#type#day#target`
impl Row for Action {
    fn key(&self) -> Key {
        let prefix = Self::prefix(self.kind, &self.created_at.day());
        Key::new(format!("USER#{}", self.user_id), format!("{prefix}{}", self.target_id))
    }
}

#[cfg(test)]
mod tests {
    use super::ActionType;

    #[test]
    fn the_misspelt_action_keeps_its_spelling() {
        let names: Vec<_> = ActionType::ALL.iter().map(|it| serde_json::to_value(it.0).unwrap()).collect();
        assert_eq!(names.len(), 13);
        assert_eq!(names[4], "FLOW_FOLLOWER_CREATED");
    }
}
