//! A circle in responses.

use base::{CircleId, UserId};
use people::{UserCard, users};
use platform::{App, Result, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Circle, CircleDescription, CircleName, Energy, Member, NO_CIRCLE, Role, Stage, circle, energy_key,
    member_key,
};

/// A circle, with the viewer's role.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Circle)]
#[serde(rename_all = "camelCase")]
pub struct CircleView {
    /// The circle's ID.
    pub public_id: CircleId,
    /// The circle's name.
    pub name: CircleName,
    /// The circle's description. Default: empty.
    pub description: CircleDescription,
    /// The circle's owner. Null if the owner's account was deleted.
    pub owner: Option<UserCard>,
    /// The number of members.
    #[schema(example = 1)]
    pub members_count: i64,
    /// The circle's level, 1 to 5.
    #[schema(example = 1)]
    pub level: u8,
    /// The circle's stage of life.
    pub stage: Stage,
    /// The viewer's role. Null if the viewer is not a member.
    pub role: Option<Role>,
    /// RFC 3339 time at which the circle was created.
    pub created_at: Time,
}

impl CircleView {
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

/// Returns a circle, with the viewer's role.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the circle does not exist or is dead.
pub async fn view(app: &App, viewer: Option<UserId>, id: CircleId) -> Result<CircleView> {
    let member_key = viewer.map(|viewer| member_key(id, viewer));
    let (key, energy_key) = (circle::key(id), energy_key(id));
    let keys: Vec<_> = [key.clone(), energy_key.clone()].into_iter().chain(member_key.clone()).collect();
    let mut found = app.table.get_together(&keys).await?;
    let circle = found.take::<Circle>(&key)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?;
    let energy: Energy = found.take(&energy_key)?.ok_or(NO_CIRCLE)?;
    let member = member_key.map(|key| found.take::<Member>(&key)).transpose()?.flatten();
    let mut cards = users::cards(app, &[circle.owner_id]).await?;
    let owner = cards.remove(&circle.owner_id);
    let role = member.filter(Member::is_in).map(|member| member.role);
    Ok(CircleView::new(circle, &energy, owner, role))
}
