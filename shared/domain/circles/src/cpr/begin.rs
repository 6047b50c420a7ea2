//! Starts a CPR, an attempt to rescue a dying circle.

use base::{CircleId, CprId, PostId, UserId};
use people::users;
use platform::{
    App, Error, HOUR_SECONDS, Once, Result, Time, Write, decode::whole_number, outbox_record_write,
};
use posts::Content;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::{Cpr, context::CprContext};
use crate::{
    Permission, Stage,
    permissions::{self, Granted},
    posts::{CirclePost, CirclePostKind},
};

const WINDOW_SECONDS: i64 = 24 * HOUR_SECONDS;
const TARGET_MIN: i64 = 5;
const TARGET_MAX: i64 = 100;
const NO_CPR: &str =
    "circles of level 1 have no CPR. A circle of level 2, which needs 200 EXP, has one CPR a week.";
const ALREADY_ACTIVE: Error = Error::Conflict("a CPR is already active in this circle");

/// The number of comments with a score of at least 6 that a CPR needs to succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = u16, minimum = 5, maximum = 100, example = 5)]
pub struct TargetComments(i64);

impl<'de> Deserialize<'de> for TargetComments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        whole_number(deserializer, TARGET_MIN..=TARGET_MAX).map(Self)
    }
}

/// A request to start a CPR.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprDraft {
    /// The number of comments with a score of at least 6 that are needed to save the circle.
    pub target_comments: TargetComments,
}

/// A newly started CPR.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CprStart)]
#[serde(rename_all = "camelCase")]
pub struct CprBegun {
    /// The started CPR.
    pub session_id: CprId,
    /// RFC 3339 time until which comments count, 24 hours after the start.
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
/// - [`Error::Invalid`] if the circle is at level 1 or has at least 10 % of its maximum HP. Also if the circle has
///   already used all its CPRs of the week.
pub async fn begin(
    app: &App,
    caller: UserId,
    circle: CircleId,
    draft: CprDraft,
    once: &Once,
) -> Result<CprBegun> {
    permissions::run(app, caller, circle, Permission::StartCpr, once, async |granted| {
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
    let quota = energy.level().cprs_per_week();
    if quota == 0 {
        return Err(Error::Invalid(NO_CPR.into()));
    }
    if energy.stage() != Stage::Dying {
        return Err(Error::Invalid("a CPR can only start below 10 % of the circle's maximum HP".into()));
    }
    let in_week = last.as_ref().filter(|cpr| cpr.week == week).map_or(0, |cpr| cpr.in_week);
    if in_week >= quota {
        return Err(Error::Invalid(used_up(quota).into()));
    }
    Ok(Cpr {
        circle: energy.circle,
        id: app.ids.next(now),
        post: app.ids.next(now),
        target: draft.target_comments.0,
        comments: 0,
        expires_at: now.plus_seconds(WINDOW_SECONDS),
        resolved_at: None,
        success: None,
        week,
        in_week: in_week + 1,
    })
}

/// Returns the message for a circle that has used all its CPRs of the week.
fn used_up(quota: i64) -> String {
    let cprs = if quota == 1 { "its only CPR" } else { "both its CPRs" };
    format!("this circle has used {cprs} of this week. The next week begins on Monday at 00:00 UTC.")
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
