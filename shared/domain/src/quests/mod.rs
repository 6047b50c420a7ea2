//! Daily quests: what administrators ask of everybody, what of it a person did, what it earns them.

mod claim;
mod daily;
mod definition;
mod karma;
mod progress;

pub use claim::{Claimed, claim};
pub use daily::{Daily, DailyQuest, choose_today, daily};
pub use definition::{Code, Description, Goal, JudgedGoal, Quest, QuestDraft, create, disable, list};
pub use karma::{Badge, Badges, KarmaLog, KarmaReason, Restriction, Transaction, badges, karma};
pub(crate) use karma::{Karma, badge_key, key as karma_key, spend, wear, wears};
pub(crate) use progress::{FirstPost, achieved, first_key, first_of_day};
