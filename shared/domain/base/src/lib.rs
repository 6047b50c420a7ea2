//! Types that all modules of the domain share: IDs, jobs, webhook events, scheduled work, reasons and topics.

pub mod announcements;
mod chores;
pub mod due;
pub mod ids;
pub mod jobs;
pub mod packed;
pub mod reasons;
pub mod topic;
