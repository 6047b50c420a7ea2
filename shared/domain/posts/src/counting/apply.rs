//! Applies likes and votes: adds them to the counts of posts and polls.

use platform::{App, Error};

use crate::{
    counting::likes::{self, LikeJob},
    polls,
};

/// Applies the likes and votes in `jobs` to the counts of posts and polls. Returns the index and the error of each job
/// that failed.
pub async fn apply(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let (likes, votes) = futures::join!(likes::apply(app, jobs), polls::apply(app, jobs));
    likes.into_iter().chain(votes).collect()
}
