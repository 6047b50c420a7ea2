//! Messages to the circles' judge.

use base::PostId;
use serde::{Deserialize, Serialize};

/// A message to the circles' judge.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum JudgeJob {
    /// Judge a post or a comment.
    Judge {
        /// The post or comment to judge.
        post: PostId,
    },
}

platform::jobs!(JudgeJob: CircleJudge);
