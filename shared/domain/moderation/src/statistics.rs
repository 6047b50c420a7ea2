//! Monthly counts of moderation, for reports to the public.
//!
//! Four rows per month store the counts, so that concurrent decisions do not contend for one row.

use base::CaseId;
use platform::{App, Error, Key, Result, Time, Write, table::JsonRow};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    appeals::AppealStatus,
    cases::{Case, CaseAction},
    hiders::{self, Hider},
    reports::Category,
};

pub use crate::month::Month;

const SHARDS: u128 = 4;
/// Upper bounds of the histogram of decision times, in minutes. A decision time starts at the first report.
const MINUTES_MAX: [i64; 9] = [1, 5, 15, 60, 180, 720, 1_440, 4_320, 10_080];
const CATEGORIES: [Category; 8] = [
    Category::Spam,
    Category::Harassment,
    Category::Hate,
    Category::Violence,
    Category::Sexual,
    Category::SelfHarm,
    Category::Misinformation,
    Category::Other,
];
const ACTIONS: [CaseAction; 8] = [
    CaseAction::Dismiss,
    CaseAction::Hide,
    CaseAction::Delete,
    CaseAction::Warn,
    CaseAction::Sensitive,
    CaseAction::LockReplies,
    CaseAction::TempBan,
    CaseAction::Ban,
];

/// The number of decisions with a category.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CategoryCount {
    /// The category of the first report of the case.
    pub category: Category,
    /// The number of decisions.
    pub count: i64,
}

/// The number of decisions with an action.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ActionCount {
    /// The action of the counted decisions.
    pub action: CaseAction,
    /// The number of decisions.
    pub count: i64,
}

/// The counts of a month.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModerationStatistics {
    /// The month of the counts.
    pub month: Month,
    /// Decisions of moderators.
    pub decisions: i64,
    /// Number of posts that the judge hid.
    pub hidden_by_judge: i64,
    /// Decisions of moderators by category.
    pub by_category: Vec<CategoryCount>,
    /// Number of moderators' decisions by action. A decision with several actions counts for each of them.
    pub by_action: Vec<ActionCount>,
    /// Median time from the first report to the decision, rounded up to 1, 5, 15, 60, 180, 720, 1,440, 4,320 or 10,080
    /// minutes. Null if there are no decisions, or if the median is longer.
    pub median_minutes: Option<i64>,
    /// Number of granted appeals.
    pub appeals_granted: i64,
    /// Number of rejected appeals.
    pub appeals_upheld: i64,
    /// The 10 users who hid the most posts of other users, most first.
    pub top_hiders: Vec<Hider>,
}

/// Returns the write that counts the decision about a case.
pub(crate) fn decision_write(app: &App, case: &Case) -> Write {
    let now = app.now();
    let minutes = (now.millis() - case.opened_at().millis()) / 60_000;
    let write = counts_write(now, case.id().random()).add("decisions", 1).add(&class(minutes), 1);
    let write = write.add(&of_category(case.category()), 1);
    case.actions().iter().fold(write, |write, action| write.add(&of_action(*action), 1))
}

/// Returns the write that adds a post hidden by the judge to the counts.
pub(crate) fn judge_write(app: &App, case: CaseId) -> Write {
    counts_write(app.now(), case.random()).add("hiddenByJudge", 1)
}

/// Returns the write that counts a decision on an appeal.
pub(crate) fn appeal_write(app: &App, random: u128, status: AppealStatus) -> Write {
    let name = match status {
        AppealStatus::Granted => "appealsGranted",
        AppealStatus::Pending | AppealStatus::Upheld | AppealStatus::Closed => "appealsUpheld",
    };
    counts_write(app.now(), random).add(name, 1)
}

/// Returns the counts of a month. Default: the current month.
///
/// # Errors
/// Fails with [`Error::Internal`] if the table does not respond.
pub async fn read(app: &App, month: Option<Month>) -> Result<ModerationStatistics, Error> {
    let month = month.unwrap_or_else(|| Month::of(app.now()));
    let keys: Vec<_> = (0..SHARDS).map(|shard| key(&month, shard)).collect();
    let counts = app.table.batch_get_eventual::<JsonRow>(&keys);
    let (rows, top_hiders) = futures::try_join!(counts, hiders::most(app, &month))?;
    let sum = |name: &str| rows.iter().map(|row| row.number(name)).sum::<i64>();
    let classes = MINUTES_MAX.map(|most| (most, sum(&class(most))));
    Ok(ModerationStatistics {
        month,
        decisions: sum("decisions"),
        hidden_by_judge: sum("hiddenByJudge"),
        by_category: CATEGORIES
            .map(|category| CategoryCount { category, count: sum(&of_category(category)) })
            .into(),
        by_action: ACTIONS.map(|action| ActionCount { action, count: sum(&of_action(action)) }).into(),
        median_minutes: median(&classes, sum("decisions")),
        appeals_granted: sum("appealsGranted"),
        appeals_upheld: sum("appealsUpheld"),
        top_hiders,
    })
}

/// Returns the upper bound of the histogram class that contains the median of `total` decision times.
fn median(classes: &[(i64, i64)], total: i64) -> Option<i64> {
    let mut below = 0;
    let mut contains_median = |count: i64| {
        below += count;
        below * 2 >= total
    };
    classes.iter().find(|(_, count)| contains_median(*count)).map(|(most, _)| *most).filter(|_| total > 0)
}

fn key(month: &Month, shard: u128) -> Key {
    Key::new(format!("MODERATION#{month}#{shard}"), "COUNTS")
}

fn counts_write(now: Time, random: u128) -> Write {
    Write::update(key(&Month::of(now), random % SHARDS))
}

/// Returns the name of the attribute that counts decisions with this decision time.
fn class(minutes: i64) -> String {
    let most = MINUTES_MAX.into_iter().find(|most| minutes <= *most);
    most.map_or_else(|| "minutesMore".to_owned(), |most| format!("minutes{most}"))
}

fn of_category(category: Category) -> String {
    format!("category{category:?}")
}

fn of_action(action: CaseAction) -> String {
    format!("action{action:?}")
}
