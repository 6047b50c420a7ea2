//! Reports of posts, users and circles. A worker evaluates reports of posts and circles.
//!
//! May use `posts`, `circles` and `ledger`.

mod erase;
mod job;
mod list;
mod outcome;
mod own;
mod report;
mod reporter;
mod resend;
mod row;
mod settle;
mod view;

pub use erase::{erase_reported, erase_reporter};
pub use job::EvaluationJob;
pub use list::{ReportFilter, find, list};
pub(crate) use list::{is_reported, latest_about};
pub use outcome::outcome_writes;
pub use own::{OwnReport, own};
pub use report::{ReportDraft, Reported, report};
pub use reporter::ReporterView;
pub(crate) use reporter::reporters;
pub use resend::resend;
pub use row::{Category, Report, ReportStatus, ReportTarget, key};
pub(crate) use row::{about, reports_about};
pub(crate) use settle::{decision_writes, pending_change};
pub use view::ReportView;
