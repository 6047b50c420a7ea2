//! What goes on: trends, counts, and what administrators did.

use axum::extract::State;
use shared::{
    App, Result,
    audit::{self, Entry},
    caller::Admin,
    http::{Envelope, ListEnvelope, Query, Reply, Respond},
    ids::AuditId,
    page::{Cursor, Page},
    stats::{self, Stats},
    trends::{self, Trend},
};

/// List trending hashtags
///
/// The 20 with the highest score in the last 24 hours: public posts that have them, each worth half
/// after 6 hours. Within seconds of the post. With `PROPOSED_FEATURES=off` there are none.
#[utoipa::path(get, path = "/admin/hashtags/trending", tag = "admin", operation_id = "trendingHashtags",
    extensions(("x-status" = json!("stub"))), security(("bearer" = [])),
    responses((status = 200, body = Envelope<Vec<Trend>>)))]
pub(crate) async fn trending(State(app): State<App>, _: Admin) -> Respond<Vec<Trend>> {
    trends::trending(&app).await.map(Reply::ok)
}

/// Read the counts
///
/// Kept as things happen; posts within seconds. With `PROPOSED_FEATURES=off` all are 0.
#[utoipa::path(get, path = "/admin/stats", tag = "admin", operation_id = "readStats",
    extensions(("x-status" = json!("stub"))), security(("bearer" = [])),
    responses((status = 200, body = Envelope<Stats>)))]
pub(crate) async fn stats(State(app): State<App>, _: Admin) -> Respond<Stats> {
    stats::read(&app).await.map(Reply::ok)
}

/// List what administrators did
///
/// Newest first.
#[utoipa::path(get, path = "/admin/audit", tag = "admin", operation_id = "listAudit",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])), params(Cursor<AuditId>),
    responses((status = 200, body = ListEnvelope<Entry>)))]
pub(crate) async fn audit(
    State(app): State<App>,
    _: Admin,
    Query(cursor): Query<Cursor<AuditId>>,
) -> Result<Page<Entry>> {
    audit::list(&app, cursor).await
}
