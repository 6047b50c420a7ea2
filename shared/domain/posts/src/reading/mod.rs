//! Lists of posts, and posts as a viewer sees them.

pub(crate) mod cached_list;
pub mod lists;
pub(crate) mod muted_words;
pub(crate) mod partitions;
pub(crate) mod reader;
pub mod saved;
pub(crate) mod shares;
pub(crate) mod source;
pub(crate) mod thread;
pub mod timeline;
pub(crate) mod view;
pub(crate) mod visible;
