//! The worker that settles what people did with posts: likes and votes.

use platform::{App, error::Error};

use super::{
    likes::{self, LikeJob},
    polls,
};

/// Settles the likes and the votes that a batch of messages names. Returns the index and the error of each message that
/// failed. Costs as [`likes::settle`] for the likes, and as much for votes.
pub async fn settle(app: &App, jobs: &[LikeJob]) -> Vec<(usize, Error)> {
    let (likes, votes) = futures::join!(likes::settle(app, jobs), polls::settle(app, jobs));
    likes.into_iter().chain(votes).collect()
}
