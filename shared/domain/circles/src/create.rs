//! Creates a circle.

use base::UserId;
use people::users;
use platform::{App, Error, HOUR_SECONDS, Once, RateLimit, Result, Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Circle, CircleDescription, CircleView, Energy, Member, NewCircleName, Role, Source, discover};

/// Limit on new circles per user and day.
const CIRCLES: RateLimit = RateLimit { what: "circle", most: 3, seconds: 24 * HOUR_SECONDS };

/// A request to create a circle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CircleDraft {
    /// The circle's name.
    pub name: NewCircleName,
    /// The circle's description. Default: empty.
    pub description: Option<CircleDescription>,
}

/// Creates a circle, unless the user has already created 3 circles within a day.
///
/// # Errors
/// Fails as [`create`] does, and with [`Error::LimitReached`] for the fourth circle within a day.
pub async fn create_within_limit(
    app: &App,
    creator: UserId,
    draft: CircleDraft,
    once: &Once,
) -> Result<CircleView> {
    let who = creator.to_string();
    once.run(app, creator, async || {
        once.count(app, CIRCLES, &who).await?;
        let (mut writes, view) = create_writes(app, creator, draft.clone()).await?;
        writes.extend(once.count_write(app, CIRCLES, &who));
        Ok((writes, view))
    })
    .await
}

/// Creates a circle. The creator becomes its owner.
///
/// # Errors
/// Fails as [`Once::run`] does, and with [`Error::NotFound`] if the creator does not exist.
pub async fn create(app: &App, creator: UserId, draft: CircleDraft, once: &Once) -> Result<CircleView> {
    once.run(app, creator, async || create_writes(app, creator, draft.clone()).await).await
}

async fn create_writes(app: &App, creator: UserId, draft: CircleDraft) -> Result<(Vec<Write>, CircleView)> {
    let user = users::find(app, creator).await?.ok_or(Error::NotFound("user"))?;
    let now = app.now();
    let circle = Circle {
        id: app.ids.next(now),
        name: draft.name.into(),
        description: draft.description.unwrap_or_default(),
        owner_id: creator,
        members_count: 1,
        created_at: now,
        deleted_at: None,
    };
    let energy = Energy::new(circle.id, now);
    let member = Member::new(circle.id, creator, Role::Owner, Source::Founder, now);
    let activity = discover::founded_write(circle.id, now);
    let writes = vec![Write::create(&circle), Write::create(&energy), Write::create(&member), activity];
    Ok((writes, CircleView::new(circle, &energy, Some(user.card()), Some(member.role))))
}
