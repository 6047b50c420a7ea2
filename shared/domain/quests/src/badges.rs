//! Badges of users who gave karma to a circle.

use base::{CircleId, UserId};
use platform::{App, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const BADGES_MAX: usize = 100;
const PREFIX: &str = "BADGE#";

/// A badge for giving karma to a circle.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Badge {
    /// The kind of badge.
    #[serde(rename = "type")]
    #[schema(example = "HERO")]
    pub kind: String,
    /// The circle that got the karma.
    pub circle_id: CircleId,
    /// The circle's name when the user gave the karma.
    pub circle_name: String,
    /// RFC 3339 time at which the user gave the karma.
    pub created_at: Time,
}

/// A badge, and the user who has it.
#[derive(Debug, Serialize, Deserialize)]
pub struct BadgeRow {
    user: UserId,
    #[serde(flatten)]
    badge: Badge,
}

/// A user's badges.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Badges {
    /// The badges, at most 100.
    pub badges: Vec<Badge>,
}

/// Returns a user's badges.
pub async fn badges(app: &App, user: UserId) -> Result<Badges> {
    let query = Query::partition(user.partition()).prefix(PREFIX).limit(BADGES_MAX);
    let rows: Vec<BadgeRow> = app.table.query(&query).await?;
    Ok(Badges { badges: rows.into_iter().map(|row| row.badge).collect() })
}

/// Returns the write that gives a badge to a user.
pub fn badge_write(user: UserId, badge: Badge) -> Write {
    Write::put(&BadgeRow { user, badge })
}

/// Returns the key of a user's badge for a circle.
pub fn badge_key(user: UserId, circle: CircleId) -> Key {
    Key::new(user.partition(), format!("{PREFIX}{circle}"))
}

/// `USER#u / BADGE#circle`
impl Row for BadgeRow {
    fn key(&self) -> Key {
        badge_key(self.user, self.badge.circle_id)
    }
}
