//! What all modules of the domain share: ids, jobs, events, what falls due, reasons, topics and words.

pub mod announcements;
pub mod due;
pub mod ids;
pub mod jobs;
pub mod packed;
pub mod reasons;
pub mod topic;
pub mod words;
