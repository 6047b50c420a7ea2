//! Cases. All reports of one user or post form a case, which moderators decide.
//!
//! May use `accounts`, `author_decision`, `reports` and `reported_post`, and everything that the parent module may use.

mod action;
mod apply;
mod bulk;
mod check;
mod close;
mod context;
mod decide;
mod decision;
mod detail;
mod dismiss;
mod erase;
mod evidence;
mod evidence_files;
pub mod expiry;
mod history;
mod lift;
mod link;
mod list;
mod people;
mod report;
mod restore;
mod row;
mod settle;
mod undo;
mod view;
mod work;
mod writes;

pub use action::{CaseAction, CaseActions};
pub use bulk::{BulkDecision, BulkResult, decide_all};
pub(crate) use check::check_is_no_reporter;
pub use close::close_page;
pub use decide::decide;
pub(crate) use decide::{DecisionWrites, decision_writes};
pub use decision::CaseDecision;
pub(crate) use decision::Decision;
pub use detail::detail;
pub(crate) use dismiss::dismissal_writes;
pub use erase::erase_author;
pub use evidence_files::{erase_files, keep_file, place_file};
pub(crate) use history::denied_appeal_writes;
pub use history::{CaseEventKind, CaseEventView};
pub(crate) use lift::lifted_writes;
pub use list::{CaseFilter, CaseSort, list};
pub(crate) use report::{confidence_write, report_writes};
pub use row::Case;
pub use settle::{settle_page, settle_report};
pub use undo::undo;
pub use view::{CaseDetail, CaseOutcome, CaseView};
pub use work::{CaseAssignment, CaseNote, assign, escalate, note};

use detail::find;
use evidence::{Evidence, EvidenceEnd};
use history::CaseEvent;
use link::{CaseLink, Relation};
use row::Outcome;
