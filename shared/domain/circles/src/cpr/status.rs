//! The status of a circle's CPR.

use base::ids::{CircleId, PostId};
use platform::{App, Result, time::Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Cpr, context::CprContext};

/// The status of a circle's active CPR, or else of its last.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprStatus {
    /// Whether a CPR is active. The other fields are then about it, else about the last one.
    pub active: bool,
    /// Comments judged 6 or more so far.
    #[schema(example = 3)]
    pub current_comments: i64,
    /// The number of comments that it takes.
    #[schema(example = 5)]
    pub target_comments: i64,
    /// Seconds until it ends; 0 when none is active.
    #[schema(example = 86400)]
    pub time_left: i64,
    /// RFC 3339 time until which comments count; null when there never was a CPR.
    pub expires_at: Option<Time>,
    /// The post whose comments count.
    pub post_id: Option<PostId>,
    /// Whether the last one saved the circle; null while one is active, and while its last comments are judged.
    pub success: Option<bool>,
}

/// Returns the status of a circle's CPR.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such circle, or it died.
pub async fn status(app: &App, circle: CircleId) -> Result<CprStatus> {
    let CprContext { last, .. } = CprContext::of(app, circle).await?;
    Ok(last.map(|it| CprStatus::new(&it, app.now())).unwrap_or_default())
}

impl CprStatus {
    fn new(cpr: &Cpr, now: Time) -> Self {
        let active = cpr.is_active(now);
        Self {
            active,
            current_comments: cpr.comments,
            target_comments: cpr.target,
            time_left: if active { cpr.expires_at.seconds_since(now) } else { 0 },
            expires_at: Some(cpr.expires_at),
            post_id: Some(cpr.post),
            success: cpr.success.or((!cpr.is_undecided(now)).then_some(false)),
        }
    }
}
