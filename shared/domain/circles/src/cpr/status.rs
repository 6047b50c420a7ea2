//! The status of a circle's CPR.

use base::{CircleId, PostId};
use platform::{App, Result, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Cpr, context::CprContext};

/// The status of a circle's active CPR, or of its last CPR if none is active.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprStatus {
    /// Whether a CPR is active. If false, the other fields describe the last CPR.
    pub active: bool,
    /// The number of comments with a score of at least 6 so far.
    #[schema(example = 3)]
    pub current_comments: i64,
    /// The number of good comments that the CPR needs.
    #[schema(example = 5)]
    pub target_comments: i64,
    /// Seconds until the CPR ends. 0 if no CPR is active.
    #[schema(example = 86400)]
    pub time_left: i64,
    /// RFC 3339 time until which comments count. Null if the circle never had a CPR.
    pub expires_at: Option<Time>,
    /// The post whose comments count for the CPR.
    pub post_id: Option<PostId>,
    /// Whether the last CPR saved the circle. Null while a CPR is active or its last comments are being judged.
    pub success: Option<bool>,
}

/// Returns the status of a circle's CPR.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the circle does not exist or is dead.
pub async fn status(app: &App, circle: CircleId) -> Result<CprStatus> {
    let CprContext { last, .. } = CprContext::of(app, circle).await?;
    Ok(last.map(|cpr| CprStatus::new(&cpr, app.now())).unwrap_or_default())
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
