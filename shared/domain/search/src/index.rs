//! Runs the jobs of the index worker.

use std::collections::BTreeMap;

use base::{IndexJob, PostId};
use platform::{App, Error};

use super::{index_user, indexing::index_posts};

/// Maximum number of posts in one transaction, so that all writes for the posts fit.
const BATCH_POSTS_MAX: usize = 15;

/// Indexes the current state of posts and users. Returns the index in `jobs` and the error of each failed job.
pub async fn index(app: &App, jobs: &[IndexJob]) -> Vec<(usize, Error)> {
    let (mut posts, mut failed) = (BTreeMap::<PostId, Vec<usize>>::new(), Vec::new());
    for (position, job) in jobs.iter().enumerate() {
        match job {
            IndexJob::Post { post } => posts.entry(*post).or_default().push(position),
            IndexJob::User { user } => {
                failed.extend(index_user(app, *user).await.err().map(|error| (position, error)))
            }
        }
    }
    let ids: Vec<_> = posts.keys().copied().collect();
    for ids in ids.chunks(BATCH_POSTS_MAX) {
        for (post, error) in index_posts(app, ids).await {
            failed.extend(failures(posts.remove(&post).unwrap_or_default(), error));
        }
    }
    failed
}

/// Returns a failure for each job of a post, so that all of these jobs are retried. Only the first failure contains the
/// cause.
fn failures(positions: Vec<usize>, error: Error) -> Vec<(usize, Error)> {
    let mut cause = Some(error);
    let mut failure = || cause.take().unwrap_or_else(|| Error::internal(anyhow::anyhow!("not indexed")));
    positions.into_iter().map(|position| (position, failure())).collect()
}
