//! Daily quests, karma and badges.
//!
//! Administrators define quests ([`Quest`]). Each day, three quests are chosen for all users. A user who completes a
//! quest can claim karma. Giving karma to a circle earns a badge.
//!
//! May use `ledger`.

mod badges;
mod catalog;
mod claim;
mod daily;
mod karma;
mod progress;
mod quest;
mod today;
mod values;

pub use badges::{Badge, BadgeRow, Badges, badge_key, badge_write, badges};
pub use catalog::{QuestDraft, QuestEdit, create, disable, edit, list};
pub use claim::{Claimed, claim};
pub use daily::{Daily, DailyQuest, daily};
pub use karma::{
    Karma, KarmaLog, KarmaReason, KarmaTransaction, Restriction, karma, key as karma_key, spend_writes,
};
pub use progress::{FirstPost, achievement_write, first_post_key, first_post_write};
pub use quest::{Goal, JudgedGoal, Quest};
pub use today::choose_today;
pub use values::{Code, Description, Requirement, Reward};
