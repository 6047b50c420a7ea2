//! What is to be made findable, or unfindable.

use serde::{Deserialize, Serialize};

use crate::{
    id::{PostId, UserId},
    queues::Job,
    settings::QueueUrls,
};

/// A message that the index may not say what is so.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum IndexJob {
    /// A post of type POST was created, edited, hidden or deleted.
    Post {
        /// Which.
        post: PostId,
    },
    /// Somebody came, or changed how they are called.
    User {
        /// Who.
        user: UserId,
    },
}

impl Job for IndexJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.search_index, "SEARCH_INDEX_QUEUE_URL")
    }
}
