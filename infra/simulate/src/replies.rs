//! Sends replies to a viral post while its likes are counted.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use domain::{
    ids::{PostId, UserId},
    posts,
};
use platform::{App, error::Error, idempotency::Once};
use serde_json::json;
use tokio::{
    select,
    task::{JoinError, JoinSet},
    time::{MissedTickBehavior, interval},
};

/// Maximum number of concurrent replies.
const CONCURRENCY_MAX: usize = 5;

/// Outcomes of the replies.
#[derive(Clone, Debug, Default)]
pub struct Replies {
    /// Duration of each successful reply, shortest first.
    pub written: Vec<Duration>,
    /// Errors of the failed replies.
    pub failed: Vec<String>,
}

/// Sends `per_second` replies a second until `counted` completes. Returns the result of `counted`, and the replies. On
/// a slow machine, skips replies.
pub(crate) async fn until<T>(
    counted: impl Future<Output = T>,
    (app, post, people): (&App, PostId, Vec<UserId>),
    per_second: u32,
) -> (T, Replies) {
    let (mut counted, mut pending) = (pin!(counted), JoinSet::new());
    let (mut people, mut ticks) = (people.into_iter().cycle(), interval(Duration::from_secs(1) / per_second));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut replies = Replies::default();
    let counted = loop {
        select! {
            counted = &mut counted => break counted,
            Some(reply) = pending.join_next() => replies.add(reply),
            _ = ticks.tick(), if pending.len() < CONCURRENCY_MAX => {
                people.next().map(|author| pending.spawn(reply(app.clone(), author, post)));
            }
        };
    };
    while let Some(reply) = pending.join_next().await {
        replies.add(reply);
    }
    replies.written.sort_unstable();
    (counted, replies)
}

impl Replies {
    fn add(&mut self, reply: Result<Result<Duration, Error>, JoinError>) {
        match reply {
            Ok(Ok(took)) => self.written.push(took),
            Ok(Err(error)) => self.failed.push(format!("{error:?}")),
            Err(error) => self.failed.push(error.to_string()),
        }
    }
}

async fn reply(app: App, author: UserId, post: PostId) -> Result<Duration, Error> {
    let (draft, start) = (serde_json::from_value(json!({ "content": "hello" }))?, Instant::now());
    posts::reply(&app, author, post, draft, &Once::unkeyed()).await?;
    Ok(start.elapsed())
}
