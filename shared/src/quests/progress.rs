//! How far somebody is with a quest.

use super::definition::{Goal, JudgedGoal, Quest};
use crate::{App, Result, actions::Action, id::UserId, table::Query};

/// Different targets of the day, at most as many as are required. 1 call, 1 RRU for each 4 KB.
pub(super) async fn count(app: &App, user: UserId, quest: &Quest, day: &str) -> Result<usize> {
    match quest.action {
        Goal::Action(kind) => {
            let of_day = Query::partition(format!("USER#{user}")).prefix(Action::prefix(kind, day));
            // A log row is one target of one day: doing it again, or undoing it, adds none.
            let rows: Vec<Action> =
                app.table.query(&of_day.consistent().limit(quest.requirement.times())).await?;
            Ok(rows.len())
        }
        Goal::Judged(goal) => judged(app, user, goal, day).await,
    }
}

/// Judged posts come with circles; until then there are none.
async fn judged(_: &App, _: UserId, _: JudgedGoal, _: &str) -> Result<usize> {
    Ok(0)
}
