//! Creating a circle.

use platform::{App, Result, error::Error, idempotency::Once, table::Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Circle, CircleDescription, CircleName, CircleView, Energy, Member, Role, Source};
use crate::{ids::UserId, people::users};

/// A request to create a circle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CircleDraft {
    /// The circle's name.
    pub name: CircleName,
    /// What it is about; empty by default.
    #[serde(default)]
    #[schema(value_type = Option<CircleDescription>)]
    pub description: CircleDescription,
}

/// Creates a circle, whose owner is the creator. Costs 2 calls, 1 RRU and 9 WRU.
///
/// # Errors
/// Those of [`Once`].
pub async fn create(app: &App, creator: UserId, draft: CircleDraft, once: &Once) -> Result<CircleView> {
    once.run(app, creator, create_writes(app, creator, draft)).await
}

async fn create_writes(app: &App, creator: UserId, draft: CircleDraft) -> Result<(Vec<Write>, CircleView)> {
    let user = users::find(app, creator).await?.ok_or(Error::NotFound("user"))?;
    let now = app.now();
    let circle = Circle {
        id: app.ids.next(now),
        name: draft.name,
        description: draft.description,
        owner_id: creator,
        members_count: 1,
        created_at: now,
        deleted_at: None,
    };
    let energy = Energy::new(circle.id, now);
    let member = Member::new(circle.id, creator, Role::Owner, Source::Founder, now);
    let writes = vec![Write::create(&circle), Write::create(&energy), Write::create(&member)];
    Ok((writes, CircleView::new(circle, &energy, Some(user.card()), Some(member.role))))
}
