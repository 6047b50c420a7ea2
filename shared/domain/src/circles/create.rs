//! Making a circle.

use platform::{App, Result, error::Error, idempotency::Once, table::Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Circle, CircleDescription, CircleName, CircleView, Energy, Member, Role, Source};
use crate::{ids::UserId, people::users};

/// A circle to be made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CircleDraft {
    /// What it is to be called.
    pub name: CircleName,
    /// What it is about; empty unless it is said.
    #[serde(default)]
    #[schema(value_type = Option<CircleDescription>)]
    pub description: CircleDescription,
}

/// Makes a circle, and its maker its owner. 2 calls: 1 RRU, 9 WRU.
///
/// # Errors
/// Those of [`Once`].
pub async fn create(app: &App, maker: UserId, draft: CircleDraft, once: &Once) -> Result<CircleView> {
    once.run(app, maker, founding(app, maker, draft)).await
}

async fn founding(app: &App, maker: UserId, draft: CircleDraft) -> Result<(Vec<Write>, CircleView)> {
    let user = users::find(app, maker).await?.ok_or(Error::NotFound("user"))?;
    let circle = Circle::new(app, maker, draft);
    let energy = Energy::new(circle.id, circle.created_at);
    let member = Member::new(circle.id, maker, Role::Owner, Source::Founder, circle.created_at);
    let writes = vec![Write::create(&circle), Write::create(&energy), Write::create(&member)];
    Ok((writes, CircleView::new(circle, &energy, Some(user.card()), Some(member.role))))
}

impl Circle {
    /// One that is made now, with its maker in it.
    fn new(app: &App, owner_id: UserId, draft: CircleDraft) -> Self {
        let now = app.now();
        Self {
            id: app.ids.next(now),
            name: draft.name,
            description: draft.description,
            owner_id,
            members_count: 1,
            created_at: now,
            deleted_at: None,
        }
    }
}
