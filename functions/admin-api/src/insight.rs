//! Trends, statistics and the audit log.

use axum::extract::State;
use domain::{
    ids::AuditId,
    ledger::{
        audit::{self, AuditEntryView, AuditFilter},
        statistics::{self, Stats},
    },
    search::trends::{self, Trend},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Admin,
    http::{Envelope, Filters, List, ListEnvelope, NoFilters, Query, Reply, Respond, RespondList},
};

/// List trending hashtags
///
/// Returns the 20 hashtags with the highest score in the last 24 hours. Each public post with a hashtag adds to the
/// hashtag's score within seconds. A post's contribution halves every 6 hours. With `PROPOSED_FEATURES=off`, the list
/// is empty.
#[utoipa::path(get, path = "/admin/hashtags/trending", tag = "admin",
    extensions(("x-status" = json!("stub"))), security(("bearer" = [])),
    responses((status = 200, body = Envelope<Vec<Trend>>)))]
pub(crate) async fn list_trending_hashtags(
    State(app): State<App>,
    _: Admin,
    _: Filters<NoFilters>,
) -> Respond<Vec<Trend>> {
    Ok(Reply::ok(trends::trending(&app).await?))
}

/// Read the statistics
///
/// New posts are counted within seconds. All other counts are current. With `PROPOSED_FEATURES=off`, all counts are 0.
#[utoipa::path(get, path = "/admin/stats", tag = "admin",
    extensions(("x-status" = json!("stub"))), security(("bearer" = [])),
    responses((status = 200, body = Envelope<Stats>)))]
pub(crate) async fn get_stats(State(app): State<App>, _: Admin) -> Respond<Stats> {
    Ok(Reply::ok(statistics::read(&app).await?))
}

/// List the audit log
///
/// Returns the actions of administrators, newest first. An action that changed nothing, such as the repetition of a ban,
/// has no entry.
#[utoipa::path(get, path = "/admin/audit", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])), params(AuditFilter, Cursor<AuditId>),
    responses((status = 200, body = ListEnvelope<AuditEntryView>)))]
pub(crate) async fn list_audit_entries(
    State(app): State<App>,
    _: Admin,
    Filters(filter): Filters<AuditFilter>,
    Query(cursor): Query<Cursor<AuditId>>,
) -> RespondList<AuditEntryView> {
    Ok(List(audit::list(&app, filter, cursor).await?))
}
