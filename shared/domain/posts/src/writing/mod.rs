//! Creates, edits, hides and deletes posts.

pub mod attachments;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod hide;
pub(crate) mod history;
pub mod mentioned;
pub(crate) mod moderate;
pub(crate) mod mute_thread;
pub(crate) mod pin;
pub(crate) mod publish;
pub(crate) mod renew_topic;
pub(crate) mod republish;
pub(crate) mod withdraw;
pub(crate) mod withdraw_events;
