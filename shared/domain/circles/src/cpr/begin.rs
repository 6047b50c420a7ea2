//! Starts a CPR.

use base::ids::{CircleId, CprId, PostId, UserId};
use people::users;
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    outbox::outbox_record_write,
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use posts::Content;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    super::{
        Permission, Stage,
        permissions::{self, Granted},
        posts::{CirclePost, CirclePostKind},
    },
    Cpr,
    context::CprContext,
};

const WINDOW_SECONDS: i64 = 24 * HOUR_SECONDS;
const TARGET_MIN: u16 = 5;
const TARGET_MAX: u16 = 100;
const ALREADY_ACTIVE: Error = Error::Conflict("a CPR is already active in this circle");

/// The number of good comments that a CPR needs to succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u16")]
#[schema(value_type = u16, minimum = 5, maximum = 100, example = 5)]
pub struct TargetComments(u16);

impl TryFrom<u16> for TargetComments {
    type Error = &'static str;

    fn try_from(comments: u16) -> Result<Self, Self::Error> {
        (TARGET_MIN..=TARGET_MAX)
            .contains(&comments)
            .then_some(Self(comments))
            .ok_or("must be between 5 and 100")
    }
}

/// A request to start a CPR.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprDraft {
    /// The number of comments with a score of at least 6 that save the circle.
    pub target_comments: TargetComments,
}

/// A newly started CPR.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprBegun {
    /// The id of the CPR.
    pub session_id: CprId,
    /// RFC 3339 time until which comments count. The time is 24 hours after the start of the CPR.
    pub expires_at: Time,
    /// The post of the CPR. Only comments in its thread count.
    pub post_id: PostId,
}

/// Starts a CPR and creates its post.
///
/// # Errors
/// - [`Error::NotFound`] if the circle does not exist.
/// - [`Error::Forbidden`] unless the caller is the owner or an administrator.
/// - [`Error::Conflict`] while a CPR is active or its last comments are being judged.
/// - [`Error::Invalid`] if the circle has at least 10 % of its maximum HP, or has already used all its CPRs of the
///   week.
pub async fn begin(
    app: &App,
    caller: UserId,
    circle: CircleId,
    draft: CprDraft,
    once: &Once,
) -> Result<CprBegun> {
    permissions::run(app, caller, circle, once, async || {
        let granted = permissions::require(app, circle, caller, Permission::StartCpr).await?;
        let context = CprContext::of(app, circle).await?;
        let cpr = next_cpr(app, &context, draft)?;
        let writes = begin_writes(app, &context, granted, &cpr).await?;
        Ok((writes, CprBegun { session_id: cpr.id, expires_at: cpr.expires_at, post_id: cpr.post }))
    })
    .await
}

/// Returns the circle's new CPR. Fails if the circle cannot start a CPR now.
fn next_cpr(app: &App, CprContext { energy, last, .. }: &CprContext, draft: CprDraft) -> Result<Cpr> {
    let (now, week) = (app.now(), app.now().week());
    if last.as_ref().is_some_and(|cpr| cpr.is_undecided(now)) {
        return Err(ALREADY_ACTIVE);
    }
    if energy.stage() != Stage::Dying {
        return Err(Error::Invalid("a CPR can only start below 10 % of the circle's maximum HP".into()));
    }
    let in_week = last.as_ref().filter(|cpr| cpr.week == week).map_or(0, |cpr| cpr.in_week);
    if in_week >= energy.level().cprs_per_week() {
        return Err(Error::Invalid("this circle has no CPR left this week".into()));
    }
    Ok(Cpr {
        circle: energy.circle,
        id: app.ids.next(now),
        post: app.ids.next(now),
        target: draft.target_comments.0.into(),
        comments: 0,
        expires_at: now.plus_seconds(WINDOW_SECONDS),
        resolved_at: None,
        success: None,
        week,
        in_week: in_week + 1,
    })
}

async fn begin_writes(app: &App, context: &CprContext, granted: Granted, cpr: &Cpr) -> Result<Vec<Write>> {
    let user = users::find(app, granted.user()).await?.ok_or(Error::NotFound("user"))?;
    let text = format!(
        "{} is dying. {} thoughtful comments on this post within 24 hours will save it.",
        context.name, cpr.target
    );
    let content = Content::try_from(text).map_err(|why| Error::internal(anyhow::anyhow!(why)))?;
    let post = CirclePost::new((cpr.post, cpr.circle, CirclePostKind::Cpr), &user, content, app.now());
    Ok(vec![
        cpr.begin_write(context.last.as_ref()),
        Write::create(&post),
        context.energy.check_unchanged_write(),
        granted.check_role_write(),
        outbox_record_write(app).then_publish(&cpr.started_event()),
    ])
}
