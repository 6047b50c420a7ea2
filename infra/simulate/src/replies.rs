//! The replies to a viral post while its likes are counted.

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

/// Replies that wait for their answer at the same time.
const UNDER_WAY_MAX: usize = 5;

/// What became of the replies.
#[derive(Clone, Debug, Default)]
pub struct Replies {
    /// The time of each reply that was answered with 201, the shortest first.
    pub written: Vec<Duration>,
    /// The errors of the others.
    pub refused: Vec<String>,
}

/// Replies to a post so many times a second, until its likes are counted. A machine that is slower skips replies, so that
/// they do not hold up the likes.
pub(crate) async fn until<T>(
    counted: impl Future<Output = T>,
    (app, post, people): (&App, PostId, Vec<UserId>),
    a_second: u32,
) -> (T, Replies) {
    let (mut counted, mut under_way) = (pin!(counted), JoinSet::new());
    let (mut people, mut moments) = (people.into_iter().cycle(), interval(Duration::from_secs(1) / a_second));
    moments.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut replies = Replies::default();
    let counted = loop {
        select! {
            counted = &mut counted => break counted,
            Some(answer) = under_way.join_next() => replies.add(answer),
            _ = moments.tick(), if under_way.len() < UNDER_WAY_MAX => {
                people.next().map(|who| under_way.spawn(reply(app.clone(), who, post)));
            }
        };
    };
    while let Some(answer) = under_way.join_next().await {
        replies.add(answer);
    }
    replies.written.sort_unstable();
    (counted, replies)
}

impl Replies {
    fn add(&mut self, answer: Result<Result<Duration, Error>, JoinError>) {
        match answer {
            Ok(Ok(took)) => self.written.push(took),
            Ok(Err(error)) => self.refused.push(format!("{error:?}")),
            Err(error) => self.refused.push(error.to_string()),
        }
    }
}

async fn reply(app: App, who: UserId, post: PostId) -> Result<Duration, Error> {
    let (draft, asked) = (serde_json::from_value(json!({ "content": "hello" }))?, Instant::now());
    posts::reply(&app, who, post, draft, &Once::unkeyed()).await?;
    Ok(asked.elapsed())
}
