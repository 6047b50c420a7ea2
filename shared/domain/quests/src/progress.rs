//! A user's progress towards completing a quest.

use base::{PostId, UserId};
use ledger::action_log::Action;
use platform::{App, HOUR_SECONDS, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

use super::quest::{Goal, JudgedGoal, Quest};

const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// A post that counts for a goal because the judge gave it a high score.
#[derive(Serialize, Deserialize)]
struct Achievement {
    user: UserId,
    goal: JudgedGoal,
    target: PostId,
    at: Time,
}

/// A user's first post in any circle on a day.
#[derive(Serialize, Deserialize)]
pub struct FirstPost {
    user: UserId,
    day: String,
    /// The post.
    pub post: PostId,
}

/// Returns the number of different targets that a user reached on a day, up to the required number. Each target has one
/// row. So a target counts once, even if the user repeats or undoes an action.
pub(super) async fn count(app: &App, user: UserId, quest: &Quest, day: &str) -> Result<usize> {
    let rows_of = |prefix: String| {
        let query = Query::partition(user.partition()).prefix(prefix);
        query.consistent().limit(quest.requirement.times())
    };
    Ok(match quest.action {
        Goal::Action(kind) => app.table.query::<Action>(&rows_of(Action::prefix(kind, day))).await?.len(),
        Goal::Judged(goal) => app.table.query::<Achievement>(&rows_of(prefix(goal, day))).await?.len(),
    })
}

/// Returns the write that counts a judged post for a goal. The post counts for the day on which it was written (`at`).
pub fn achievement_write(user: UserId, goal: JudgedGoal, target: PostId, at: Time) -> Write {
    Write::put(&Achievement { user, goal, target, at })
}

/// Returns the write that records a user's first post of a day. Has no effect if an earlier post is recorded.
pub fn first_post_write(user: UserId, post: PostId, at: Time) -> Write {
    let first = FirstPost { user, day: at.day(), post };
    let write = Write::update(first.key()).set_once("user", user).set_once("day", &first.day);
    write.set_once("post", post).set_once("ttl", at.plus_seconds(KEPT_SECONDS).seconds())
}

/// Returns the key of a user's first post on a day, such as `2026-01-31`.
pub fn first_post_key(user: UserId, day: &str) -> Key {
    Key::new(user.partition(), format!("FIRSTPOST#{day}"))
}

fn prefix(goal: JudgedGoal, day: &str) -> String {
    format!("JUDGED#{}#{day}#", goal.as_ref())
}

/// `USER#u / JUDGED#goal#day#target`, kept for a month
impl Row for Achievement {
    fn key(&self) -> Key {
        let prefix = prefix(self.goal, &self.at.day());
        Key::new(self.user.partition(), format!("{prefix}{}", self.target))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}

/// `USER#u / FIRSTPOST#day`, kept for a month
impl Row for FirstPost {
    fn key(&self) -> Key {
        first_post_key(self.user, &self.day)
    }
}
