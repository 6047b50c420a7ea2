//! Lists of cases.

use std::collections::HashMap;

use base::{CaseId, UserId};
use people::{UserRef, unique};
use platform::{App, Cursor, Error, FillingPage, Index, Page, Query, Result};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::{
    Case, CaseLink, CaseView, Evidence, Relation,
    evidence::key as evidence_key,
    link::links_of,
    people::{CasePeople, find_moderator},
    row::{self, NAMED, by_reports, by_time, rank},
    view::ReportedContent,
};
use crate::{AnyPost, Category, ReportStatus, ReportTarget};

/// Maximum number of cases that a page reads. The filters by category and target can leave few of them.
const ROWS_MAX: usize = 500;

/// The order of a list of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaseSort {
    /// Sorted by the time of the first report, oldest first.
    #[default]
    Oldest,
    /// Sorted by the number of reports, highest first. Reports of users whose reports are mostly dismissed do not count.
    Most,
    /// Sorted by the time of the first report, newest first.
    Newest,
}

/// Filters of the list of cases.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CaseFilter {
    /// Lists only cases with this status. Default `PENDING`, unless `assignee`, `reportedUser` or `reporter` is given.
    #[param(inline)]
    pub status: Option<ReportStatus>,
    /// Lists only cases with a report of this category. A page can have fewer than `take` cases even if more cases
    /// follow.
    #[param(inline)]
    pub category: Option<Category>,
    /// Lists only cases about this kind of target. A page can have fewer than `take` cases even if more cases follow.
    #[serde(rename = "type")]
    #[param(inline)]
    pub target: Option<ReportTarget>,
    /// Lists only cases about this user and the user's posts, newest first. Cannot be combined with `assignee`,
    /// `reporter` or `sort`.
    #[param(value_type = Option<UserRef>)]
    pub reported_user: Option<UserRef>,
    /// Lists only cases with a report by this user. Cannot be combined with `assignee`, `reportedUser` or `sort`.
    #[param(value_type = Option<UserRef>)]
    pub reporter: Option<UserRef>,
    /// Lists only cases assigned to this moderator. Cannot be combined with `reportedUser`, `reporter` or `sort`.
    #[param(value_type = Option<UserRef>)]
    pub assignee: Option<UserRef>,
    /// The order of the list: `oldest` (default), `most` (most reports first), or `newest`. For `most`, a user's reports do
    /// not count if over nine in ten of the user's decided reports were dismissed, out of at least 20.
    #[param(inline)]
    pub sort: Option<CaseSort>,
}

/// The stored list to read for a filter.
enum List {
    Sorted(ReportStatus, CaseSort),
    About(UserId),
    Linked(UserId, Relation),
}

/// The filters that no index supports. They are applied after the read.
#[derive(Clone, Copy)]
struct Matching {
    status: Option<ReportStatus>,
    category: Option<Category>,
    target: Option<ReportTarget>,
    /// The caller, who does not see cases about themselves.
    caller: UserId,
}

/// Returns a page of the cases that match the filter, without cases about the caller. Reads at most 10 pages and 500
/// cases.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the filters cannot be combined, or if no user has the username in a filter. Also
/// fails if the assignee in the filter is not a moderator.
pub async fn list(
    app: &App,
    caller: UserId,
    filter: CaseFilter,
    cursor: Cursor<String>,
) -> Result<Page<CaseView>> {
    let (list, matching) = (List::of(app, &filter).await?, Matching::of(&filter, caller));
    if cursor.after.as_ref().is_some_and(|after| !list.has_position(after)) {
        return Err(Error::invalid("after", "must be the cursor of a previous page of this list"));
    }
    let (mut page, mut scanned) = (FillingPage::new(cursor), 0);
    while let Some(Cursor { take, after }) =
        page.to_read().filter(|next| scanned + next.take.rows() < ROWS_MAX)
    {
        let (cases, read, last) = list.read(app, after, take.rows() + 1).await?;
        scanned += read;
        page.add(cases.into_iter().filter(|case| matching.accepts(case)), last, read);
    }
    views(app, page.page(|case| list.position(case))).await
}

/// Returns the views of a page of cases, with their authors and the reported contents.
async fn views(app: &App, page: Page<Case>) -> Result<Page<CaseView>> {
    let posts: Vec<_> = page.rows.iter().map(|case| case.evidence_post).collect();
    let existing = AnyPost::existing(app, &posts).await?;
    let listed =
        page.rows.iter().filter(|case| case.is_content_public(existing.contains(&case.evidence_post)));
    let keys: Vec<_> = listed.map(|case| evidence_key(case.id)).collect();
    let (people, contents) = futures::try_join!(
        CasePeople::of_all(app, &page.rows),
        app.table.batch_get_eventual::<Evidence>(&keys)
    )?;
    let mut contents: HashMap<_, _> = contents.into_iter().map(|content| (content.case, content)).collect();
    let mut rows = Vec::with_capacity(page.rows.len());
    for case in &page.rows {
        rows.push(case.view(&people, ReportedContent::of(app, contents.remove(&case.id)).await?));
    }
    Ok(Page { rows, after: page.after })
}

impl List {
    async fn of(app: &App, filter: &CaseFilter) -> Result<Self> {
        let own = [
            ("reportedUser", &filter.reported_user),
            ("reporter", &filter.reporter),
            ("assignee", &filter.assignee),
        ];
        let mut own = own.into_iter().filter_map(|(name, user)| Some((name, user.as_ref()?)));
        let Some((name, user)) = own.next() else {
            let status = filter.status.unwrap_or(ReportStatus::Pending);
            return Ok(Self::Sorted(status, filter.sort.unwrap_or_default()));
        };
        if own.next().is_some() || filter.sort.is_some() {
            return Err(Error::invalid(
                name,
                "must not be combined with sort, or with another of reportedUser, reporter and assignee",
            ));
        }
        let user = match name {
            "assignee" => find_moderator(app, user).await?,
            _ => unique::user_in_filter(app, name, user).await?,
        };
        Ok(match name {
            "reportedUser" => Self::About(user),
            "reporter" => Self::Linked(user, Relation::Reported),
            _ => Self::Linked(user, Relation::Assigned),
        })
    }

    fn position(&self, case: &Case) -> String {
        match self {
            Self::Sorted(_, CaseSort::Most) => rank(case),
            Self::Sorted(..) | Self::About(_) => case.first_report.to_string(),
            Self::Linked(..) => case.id.to_string(),
        }
    }

    /// Returns whether a cursor has the format of this list's cursors.
    fn has_position(&self, after: &str) -> bool {
        let id = match self {
            Self::Sorted(_, CaseSort::Most) => after
                .split_once('#')
                .filter(|(count, _)| count.len() == 10 && count.bytes().all(|digit| digit.is_ascii_digit()))
                .map(|(_, id)| id),
            _ => Some(after),
        };
        id.is_some_and(|id| id.parse::<CaseId>().is_ok())
    }

    /// Returns the next cases of the list, the number of rows read, and the cursor after these rows.
    async fn read(
        &self,
        app: &App,
        after: Option<String>,
        rows: usize,
    ) -> Result<(Vec<Case>, usize, Option<String>)> {
        let cases: Vec<Case> = match self {
            Self::Sorted(status, CaseSort::Oldest) => {
                let query = Query::index(Index::Gsi1, by_time(*status)).after(after);
                app.table.query(&query.limit(rows)).await?
            }
            Self::Sorted(status, CaseSort::Newest) => {
                let query = Query::index(Index::Gsi1, by_time(*status)).before(after).newest_first();
                app.table.query(&query.limit(rows)).await?
            }
            Self::Sorted(status, CaseSort::Most) => {
                let query = Query::index(Index::Gsi2, by_reports(*status)).before(after).newest_first();
                app.table.query(&query.limit(rows)).await?
            }
            Self::About(user) => {
                let query = Query::index(Index::Gsi3, user.named());
                let query = query.prefix_before(NAMED, after).newest_first();
                app.table.query(&query.limit(rows)).await?
            }
            Self::Linked(user, relation) => return linked(app, (*user, *relation), after, rows).await,
        };
        let (read, last) = (cases.len(), cases.last().map(|case| self.position(case)));
        Ok((cases, read, last))
    }
}

/// Returns the cases that a user reported or is assigned to, newest target first. Also returns the number of rows read,
/// and the cursor after these rows.
async fn linked(
    app: &App,
    (user, relation): (UserId, Relation),
    after: Option<String>,
    rows: usize,
) -> Result<(Vec<Case>, usize, Option<String>)> {
    let (query, prefix) = links_of(user, relation);
    let links: Vec<CaseLink> =
        app.table.query(&query.prefix_before(prefix, after).newest_first().limit(rows)).await?;
    let keys: Vec<_> = links.iter().map(|link| row::key(link.case)).collect();
    let found: Vec<Case> = app.table.batch_get_eventual(&keys).await?;
    let mut found: HashMap<_, _> = found.into_iter().map(|case| (case.id, case)).collect();
    let cases = links.iter().filter_map(|link| found.remove(&link.case)).collect();
    Ok((cases, links.len(), links.last().map(|link| link.case.to_string())))
}

impl Matching {
    fn of(filter: &CaseFilter, caller: UserId) -> Self {
        Self { status: filter.status, category: filter.category, target: filter.target, caller }
    }

    fn accepts(self, case: &Case) -> bool {
        self.status.is_none_or(|status| case.status == status)
            && self.category.is_none_or(|category| case.categories.contains(&category))
            && self.target.is_none_or(|target| case.target_type == target)
            && case.author != self.caller
    }
}
