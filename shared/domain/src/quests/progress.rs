//! How far somebody is with a quest.

use platform::{
    App, Result,
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use super::definition::{Goal, JudgedGoal, Quest};
use crate::{
    ids::{PostId, UserId},
    ledger::action_log::Action,
};

const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;

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
        Goal::Judged(goal) => judged(app, user, quest, goal, day).await,
    }
}

/// Different targets of the day's judged posts. A row is one target: a thread is helped in once.
async fn judged(app: &App, user: UserId, quest: &Quest, goal: JudgedGoal, day: &str) -> Result<usize> {
    let of_day = Query::partition(format!("USER#{user}")).prefix(prefix(goal, day));
    let rows: Vec<Achieved> = app.table.query(&of_day.consistent().limit(quest.requirement.times())).await?;
    Ok(rows.len())
}

/// That a judged post counts for a goal.
#[derive(Serialize, Deserialize)]
struct Achieved {
    user: UserId,
    goal: JudgedGoal,
    target: PostId,
    at: Time,
}

/// The first post that somebody wrote in a circle on a day.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstPost {
    user: UserId,
    day: String,
    /// Which it was.
    pub post: PostId,
}

/// The step that counts a judged post for a goal, on the day on which it was written. 1 WRU.
pub(crate) fn achieved(user: UserId, goal: JudgedGoal, target: PostId, at: Time) -> Write {
    Write::put(&Achieved { user, goal, target, at })
}

/// The step that notes a post as the first of its day, if it is. 1 WRU.
pub(crate) fn first_of_day(user: UserId, post: PostId, at: Time) -> Write {
    let first = FirstPost { user, day: at.day(), post };
    let write = Write::update(first.key()).set_once("user", user).set_once("day", &first.day);
    write.set_once("post", post).set_once("ttl", at.plus_seconds(KEPT_SECONDS).seconds())
}

/// Where the first post of somebody's day is.
pub(crate) fn first_key(user: UserId, at: Time) -> Key {
    Key::new(format!("USER#{user}"), format!("FIRSTPOST#{}", at.day()))
}

fn prefix(goal: JudgedGoal, day: &str) -> String {
    let goal = serde_json::to_value(goal).unwrap_or_default();
    format!("JUDGED#{}#{day}#", goal.as_str().unwrap_or_default())
}

/// `USER#u / JUDGED#goal#day#target`, swept after a month
impl Row for Achieved {
    fn key(&self) -> Key {
        Key::new(
            format!("USER#{}", self.user),
            format!("{}{}", prefix(self.goal, &self.at.day()), self.target),
        )
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}

/// `USER#u / FIRSTPOST#day`, swept after a month
impl Row for FirstPost {
    fn key(&self) -> Key {
        Key::new(format!("USER#{}", self.user), format!("FIRSTPOST#{}", self.day))
    }
}
