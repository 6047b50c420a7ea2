//! Having what follows from writes delivered again: a chore for after the stream lost something.
//!
//! What was delivered already is delivered a second time: workers change nothing by that, and what is pushed carries
//! the id that it carried the first time.

use futures::future::try_join_all;
use platform::{
    App, Result, outbox,
    table::{Key, Next, Write},
    time::Time,
};
use serde::Deserialize;

const TOUCHED_TOGETHER: usize = 25;

/// The writes to look at, by when they were done.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The first moment.
    pub since: Time,
    /// The last moment.
    pub until: Time,
}

/// A row with an outbox.
#[derive(Deserialize)]
struct Laid {
    pk: String,
    sk: String,
    outbox: String,
}

/// Has the outboxes of the next page of the table delivered again that were laid down in a window. Returns their
/// number, and where the next page begins.
///
/// # Errors
/// Fails when DynamoDB does not answer.
pub async fn republish(app: &App, window: Window, from: Option<Next>) -> Result<(usize, Option<Next>)> {
    let (rows, next) = app.table.scan::<Laid>(from).await?;
    let writes: Vec<_> = rows.iter().filter_map(|it| touch_write(app, window, it)).collect();
    let found = writes.len();
    let mut writes = writes.into_iter().peekable();
    while writes.peek().is_some() {
        try_join_all(writes.by_ref().take(TOUCHED_TOGETHER).map(|it| touch(app, it))).await?;
    }
    Ok((found, next))
}

/// A refusal means that the row was written meanwhile: the stream has what follows from that.
async fn touch(app: &App, write: Write) -> Result<()> {
    app.table.try_write(write).await.map(drop)
}

/// Returns the write that the relay takes for a new outbox; none for one of another time.
fn touch_write(app: &App, window: Window, Laid { pk, sk, outbox }: &Laid) -> Option<Write> {
    let laid_at = outbox::laid_at(outbox)?;
    let again = outbox::again(outbox, app.now())?;
    let inside = window.since <= laid_at && laid_at <= window.until;
    inside.then(|| {
        Write::update(Key::new(pk, sk)).set(outbox::ATTRIBUTE, again).equals(outbox::ATTRIBUTE, outbox)
    })
}
