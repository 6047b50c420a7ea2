//! The replies to a viral post while its likes are counted.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use domain::{
    ids::{PostId, UserId},
    posts,
};
use platform::{App, Result, idempotency::Once};
use serde_json::json;
use tokio::{select, task::JoinSet, time::interval};

/// What became of the replies.
#[derive(Clone, Debug, Default)]
pub struct Replies {
    /// The time of each reply that was answered with 201, the shortest first.
    pub written: Vec<Duration>,
    /// The errors of the others.
    pub refused: Vec<String>,
}

/// Replies to a post so many times a second, until its likes are counted.
pub(crate) async fn until<T>(
    counted: impl Future<Output = T>,
    (app, post, people): (&App, PostId, Vec<UserId>),
    a_second: u32,
) -> (T, Replies) {
    let (mut counted, mut under_way) = (pin!(counted), JoinSet::new());
    let (mut people, mut moments) = (people.into_iter().cycle(), interval(Duration::from_secs(1) / a_second));
    let counted = loop {
        select! {
            counted = &mut counted => break counted,
            _ = moments.tick() => people.next().map(|who| under_way.spawn(reply(app.clone(), who, post))),
        };
    };
    let mut replies = Replies::default();
    for answer in under_way.join_all().await {
        match answer {
            Ok(took) => replies.written.push(took),
            Err(error) => replies.refused.push(format!("{error:?}")),
        }
    }
    replies.written.sort_unstable();
    (counted, replies)
}

async fn reply(app: App, who: UserId, post: PostId) -> Result<Duration> {
    let (draft, asked) = (serde_json::from_value(json!({ "content": "hello" }))?, Instant::now());
    posts::reply(&app, who, post, draft, &Once::unkeyed()).await?;
    Ok(asked.elapsed())
}
