//! The last page that a paged job finished, so that a message that comes twice does not send the rest of
//! the pages twice.

use platform::{
    App,
    error::Result,
    table::{Attempt, Key, Row, Write},
};
use serde::{Deserialize, Serialize};

use crate::ids::Position;

const KEPT_SECONDS: i64 = 24 * 60 * 60;

#[derive(Serialize, Deserialize)]
struct Progress {
    pk: String,
    sk: String,
    after: Position,
}

/// Whether the page that follows `after` is finished. Costs 1 call and 1 RRU.
pub(super) async fn is_finished(app: &App, job: &Key, after: Option<Position>) -> Result<bool> {
    let progress = app.table.get::<Progress>(job).await?;
    Ok(progress.is_some_and(|it| Some(it.after) > after))
}

/// Records that a page is finished and that the message for the next is sent. Costs 1 call and 1 WRU.
pub(super) async fn record(app: &App, job: &Key, last: Position) -> Result<()> {
    let expires = app.now().plus_seconds(KEPT_SECONDS);
    let write = Write::update(job.clone()).set("after", last).set("ttl", expires.seconds());
    // A refusal means that another run of the job is further.
    match app.table.attempt::<Progress>(write.below_or_lacks("after", last)).await? {
        Attempt::Done(_) | Attempt::Refused(_) => Ok(()),
    }
}

/// `POST#id / FANOUT` and `USER#author / GATHER`, swept after a day
impl Row for Progress {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
