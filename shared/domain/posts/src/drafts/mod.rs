//! Drafts are unpublished posts. A worker publishes each scheduled draft exactly once.

mod change;
mod erase;
mod list;
mod publish;
mod row;

pub use change::{DraftEdit, create, delete, edit};
pub use erase::erase_mentions_page;
pub use list::list;
pub use publish::{begin, publish_pages};
pub use row::{DraftDeleted, DraftView, SavedDraft, find};
