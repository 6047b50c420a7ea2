//! Trends, statistics and the audit log.

use axum::{
    extract::State,
    http::{
        HeaderMap, Uri,
        header::{ACCEPT, CONTENT_TYPE, LINK},
    },
    response::{AppendHeaders, IntoResponse, Response},
};
use domain::{
    AuditId,
    ledger::{
        audit::{self, AuditAction, AuditEntryView, AuditFilter},
        statistics::{self, Stats},
    },
    people::{UserRef, unique},
    search::trends::{self, Trend},
};
use platform::{App, Cursor, Error as Failed, Take, Time};
use runtime::{Admin, Envelope, Filters, List, ListEnvelope, NoFilters, Query, Reply, Respond, Result};
use serde::Deserialize;
use utoipa::IntoParams;

const NDJSON: &str = "application/x-ndjson";
/// Maximum number of entries in a response of type `application/x-ndjson`.
const LINES_MAX: usize = 1_000;
/// Maximum length of the target in a filter. All IDs, usernames and codes of quests are shorter.
const TARGET_MAX_CHARS: usize = 100;

/// List trending hashtags
///
/// Returns the 20 hashtags with the highest score in the last 24 hours. Each public post with a hashtag adds to the
/// hashtag's score within seconds. A post's contribution halves every 6 hours. With `PROPOSED_FEATURES=off`, the list
/// is empty. Requires ADMIN.
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
/// Requires ADMIN.
#[utoipa::path(get, path = "/admin/stats", tag = "admin",
    extensions(("x-status" = json!("stub"))), security(("bearer" = [])),
    responses((status = 200, body = Envelope<Stats>)))]
pub(crate) async fn get_stats(State(app): State<App>, _: Admin, _: Filters<NoFilters>) -> Respond<Stats> {
    Ok(Reply::ok(statistics::read(&app).await?))
}

/// List the audit log
///
/// Returns the actions of administrators, newest first. An action that changed nothing, such as the repetition of a ban,
/// has no entry. A decision that changes the sanction of an account has two entries: one for the case or the appeal, and
/// one for the account. With filters, a page can be short although the list continues.
///
/// With `Accept: application/x-ndjson`, returns up to 1,000 entries as lines of JSON without an envelope. If the list
/// continues, the header `link` has the address of the next lines, with `rel="next"`. With filters, a response can have
/// no lines although the list continues. Requires ADMIN.
#[utoipa::path(get, path = "/admin/audit", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])), params(AuditQuery, Cursor<AuditId>),
    responses((status = 200, body = ListEnvelope<AuditEntryView>)))]
pub(crate) async fn list_audit_entries(
    State(app): State<App>,
    _: Admin,
    Filters(query): Filters<AuditQuery>,
    Query(cursor): Query<Cursor<AuditId>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response> {
    let filter = query.filter(&app).await?;
    let wanted = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
    match wanted.is_some_and(|wanted| wanted.contains(NDJSON)) {
        true => lines(&app, filter, cursor, &uri).await,
        false => Ok(List(audit::list(&app, filter, cursor).await?).into_response()),
    }
}

/// Returns the ID of the user with the username `target`. If there is no such user, returns `target`.
///
/// # Errors
/// Fails with [`Failed::Invalid`] if the target is too long.
async fn target_named(app: &App, target: String) -> Result<String> {
    if target.chars().count() > TARGET_MAX_CHARS {
        return Err(
            Failed::invalid("target", &format!("must have at most {TARGET_MAX_CHARS} characters")).into()
        );
    }
    let user = unique::find_by_username(app, &target.to_lowercase()).await?;
    Ok(user.map_or(target, |user| user.to_string()))
}

/// Returns up to 1,000 entries as lines of JSON.
async fn lines(app: &App, filter: AuditFilter, cursor: Cursor<AuditId>, uri: &Uri) -> Result<Response> {
    let (mut lines, mut next) = (String::new(), Some(cursor.after));
    for _ in 0..LINES_MAX / Take::MAX.rows() {
        let Some(after) = next else { break };
        let page = audit::list(app, filter.clone(), Cursor { take: Take::MAX, after }).await?;
        for entry in &page.rows {
            lines += &(serde_json::to_string(entry).map_err(Failed::internal)? + "\n");
        }
        next = page.after.and_then(|after| after.parse().ok()).map(Some);
    }
    let link = next.flatten().map(|after| [(LINK, next_link(uri, after))]);
    Ok((link.map(AppendHeaders), [(CONTENT_TYPE, NDJSON)], lines).into_response())
}

/// Returns the value of the header `link` of a request that continues after an entry.
fn next_link(uri: &Uri, after: AuditId) -> String {
    let parameters = uri.query().unwrap_or_default().split('&');
    let kept = parameters.filter(|parameter| !parameter.is_empty() && !parameter.starts_with("after="));
    let query: String = kept.map(|parameter| format!("{parameter}&")).collect();
    format!("<?{query}after={after}>; rel=\"next\"")
}

/// Filters of the audit log.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Lists only actions of this administrator.
    #[param(value_type = Option<UserRef>)]
    actor: Option<UserRef>,
    /// Lists only actions of this kind.
    #[param(inline)]
    action: Option<AuditAction>,
    /// Lists only actions about this report, case, appeal, webhook or quest: the `targetId` of an entry. Also accepts the
    /// username or an ID of a user.
    #[param(max_length = 100)]
    target: Option<String>,
    /// Lists only actions at or after this time.
    from: Option<Time>,
    /// Lists only actions at or before this time.
    to: Option<Time>,
}

impl AuditQuery {
    async fn filter(self, app: &App) -> Result<AuditFilter> {
        let Self { actor, action, target, from, to } = self;
        let actor = match actor {
            Some(actor) => Some(unique::user_in_filter(app, "actor", &actor).await?),
            None => None,
        };
        let target = match target {
            Some(target) => Some(target_named(app, target).await?),
            None => None,
        };
        Ok(AuditFilter { actor, action, target, from, to })
    }
}
