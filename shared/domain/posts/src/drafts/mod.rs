//! Drafts: what somebody wrote and nobody else reads yet. One with a time is published by a worker, exactly once.

mod change;
mod leave;
mod list;
mod publish;
mod row;

pub use change::{DraftEdit, create, delete, edit};
pub use leave::erase_mentions_page;
pub use list::list;
pub use publish::{begin, publish_pages};
pub use row::{DraftDeleted, DraftView, SavedDraft, find};
