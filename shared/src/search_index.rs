//! What is to be made findable by its words.

use serde::{Deserialize, Serialize};

use crate::{id::PostId, queues::Job, settings::QueueUrls};

/// A message that something is to be indexed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum IndexJob {
    /// A post of type POST was created.
    Post {
        /// Which.
        post: PostId,
    },
}

impl Job for IndexJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.search_index, "SEARCH_INDEX_QUEUE_URL")
    }
}
