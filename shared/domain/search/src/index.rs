//! The jobs of the worker that maintains the index.

use std::collections::BTreeMap;

use base::{ids::PostId, jobs::IndexJob};
use platform::{App, error::Error};

use super::{index_user, indexing::index_posts};

/// The number of posts whose writes fit into one transaction.
const POSTS_TOGETHER: usize = 15;

/// Indexes posts and users as they are now. Returns the positions and errors of the jobs that failed.
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
    for ids in ids.chunks(POSTS_TOGETHER) {
        for (post, error) in index_posts(app, ids).await {
            failed.extend(failures(posts.remove(&post).unwrap_or_default(), error));
        }
    }
    failed
}

/// Each message of a post that failed comes again; the first one has the cause.
fn failures(positions: Vec<usize>, error: Error) -> Vec<(usize, Error)> {
    let others =
        positions.iter().skip(1).map(|position| (*position, Error::internal(anyhow::anyhow!("not indexed"))));
    let first = positions.first().map(|position| (*position, error));
    others.collect::<Vec<_>>().into_iter().chain(first).collect()
}
