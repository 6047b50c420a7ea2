//! Moderation: reports and their evaluation, cases, hiding by users, moderators' decisions, notifications to affected
//! users, appeals, and the list of accounts for administrators.
//!
//! May use `accounts`, `posts`, `circles`, `judge`, `search`, `people` and `ledger`.

mod any_post;
pub mod appeals;
pub mod author_decision;
pub mod ban;
pub mod cases;
pub mod decider;
pub mod decisions;
pub mod directory;
pub mod evaluation;
mod hiders;
pub mod hiding;
mod month;
pub mod reported_post;
pub mod reports;
pub mod statistics;
mod verdicts;

use any_post::AnyPost;
use author_decision::{AuthorDecision, Grounds, NewDecision, ShownAction};
use decider::Decider;
use reports::{Category, Report, ReportStatus, ReportTarget};
