//! A circle itself: what it is called, whose it is, how many are in it.

use platform::{
    App, Result,
    table::{Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CircleDescription, CircleName, Energy, Member, NO_CIRCLE, Role, Stage, energy_key, member_key};
use crate::{
    ids::{CircleId, UserId},
    people::users::{self, UserCard},
};

/// A circle's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Circle {
    /// Which it is.
    pub id: CircleId,
    /// What it is called.
    pub name: CircleName,
    /// What it is about.
    pub description: CircleDescription,
    /// Whose it is.
    pub owner_id: UserId,
    /// How many are in it.
    pub members_count: i64,
    /// When it was made.
    pub created_at: Time,
    /// When it died.
    pub deleted_at: Option<Time>,
}

/// A circle, as the viewer sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CircleView {
    /// Which it is.
    pub public_id: CircleId,
    /// What it is called.
    pub name: CircleName,
    /// What it is about; empty unless it was said.
    pub description: CircleDescription,
    /// Whose it is; null when nobody is left.
    pub owner: Option<UserCard>,
    /// How many are in it.
    #[schema(example = 1)]
    pub members_count: i64,
    /// 1 to 5.
    #[schema(example = 1)]
    pub level: u8,
    /// How it is doing.
    pub stage: Stage,
    /// What the viewer is in it; null for who is not in it.
    pub role: Option<Role>,
    /// When it was made.
    pub created_at: Time,
}

impl Circle {
    /// Whether it has not died.
    pub fn lives(&self) -> bool {
        self.deleted_at.is_none()
    }
}

impl CircleView {
    /// What somebody sees of it who has this role there.
    pub(super) fn new(circle: Circle, energy: &Energy, owner: Option<UserCard>, role: Option<Role>) -> Self {
        Self {
            public_id: circle.id,
            name: circle.name,
            description: circle.description,
            owner,
            members_count: circle.members_count,
            level: energy.level().number,
            stage: energy.stage(),
            role,
            created_at: circle.created_at,
        }
    }
}

/// A living circle. 1 call, 1 RRU.
///
/// # Errors
/// [`platform::Error::NotFound`] for no such circle, or one that died.
pub async fn find(app: &App, circle: CircleId) -> Result<Circle> {
    let found: Option<Circle> = app.table.get(&key(circle)).await?;
    found.filter(Circle::lives).ok_or(NO_CIRCLE)
}

/// A circle as the viewer sees it. 2 calls, 2.5 RRU; 1 more for who is signed in.
///
/// # Errors
/// [`platform::Error::NotFound`] for no such circle, or one that died.
pub async fn view(app: &App, viewer: Option<UserId>, id: CircleId) -> Result<CircleView> {
    let member_key = viewer.map(|it| member_key(id, it));
    let (key, energy_key) = (key(id), energy_key(id));
    let keys: Vec<_> = [key.clone(), energy_key.clone()].into_iter().chain(member_key.clone()).collect();
    let mut found = app.table.get_together(&keys).await?;
    let circle = found.take::<Circle>(&key)?.filter(Circle::lives).ok_or(NO_CIRCLE)?;
    let energy: Energy = found.take(&energy_key)?.ok_or(NO_CIRCLE)?;
    let member = member_key.map(|it| found.take::<Member>(&it)).transpose()?.flatten();
    let mut cards = users::cards(app, &[circle.owner_id]).await?;
    let owner = cards.remove(&circle.owner_id);
    let role = member.filter(Member::is_in).map(|it| it.role);
    Ok(CircleView::new(circle, &energy, owner, role))
}

/// Where a circle is.
pub fn key(circle: CircleId) -> Key {
    Key::new(pk(circle), "CIRCLE")
}

/// The partition of all that belongs to a circle.
pub(super) fn pk(circle: CircleId) -> String {
    format!("CIRCLE#{circle}")
}

/// `CIRCLE#id / CIRCLE`
impl Row for Circle {
    fn key(&self) -> Key {
        key(self.id)
    }
}
