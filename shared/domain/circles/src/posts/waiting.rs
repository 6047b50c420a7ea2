//! Posts that wait for the verdict of an external judge (`JUDGE=external`).
//!
//! A post waits until an hour after its creation. Then the embedded judge decides. The wait is a row in the list of due
//! work, because SQS can delay a message by at most 15 minutes.

use base::{AnnouncedEvent, Chore, Due, DuePage, OutboundJob, PostId, due};
use platform::{
    App, Deadline, Error, HOUR_SECONDS, Index, Key, Result, Row, Time, Write, outbox_record_write,
    retry_on_conflict, settings::JudgeChoice,
};
use serde::{Deserialize, Serialize};

use super::{CirclePost, JudgeJob};

const WAIT_SECONDS: i64 = HOUR_SECONDS;

/// A post that waits for the verdict of an external judge.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct VerdictWait {
    post: PostId,
    /// The revision of the post in the announcement.
    revision: i64,
    until: Time,
}

/// Returns whether the post waits for the verdict of an external judge.
pub(super) fn is_waiting(app: &App, post: &CirclePost) -> bool {
    *app.settings.judge == JudgeChoice::External && app.now() < end_of_wait(post)
}

fn end_of_wait(post: &CirclePost) -> Time {
    post.created_at.plus_seconds(WAIT_SECONDS)
}

/// Announces a post to webhooks as `circle-post.created`, and schedules the end of its wait. A repeated call has no
/// effect unless the post was edited.
pub(super) async fn announce(app: &App, post: &CirclePost) -> Result<()> {
    let wait = VerdictWait { post: post.id, revision: post.revision, until: end_of_wait(post) };
    retry_on_conflict(async || {
        let earlier: Option<VerdictWait> = app.table.get(&wait.key()).await?;
        if earlier.as_ref().is_some_and(|earlier| earlier.revision >= wait.revision) {
            return Ok(());
        }
        let announce = OutboundJob::announce(app, AnnouncedEvent::CirclePostCreated, post.id);
        let write = Write::put(&wait).is_still("revision", earlier.map(|earlier| earlier.revision));
        app.table.transact(vec![write, outbox_record_write(app).then(&announce)]).await
    })
    .await
}

/// Queues a job for the first page of expired waits, if any.
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<VerdictWait, _>(app, Due::Verdict, Chore::EndVerdictWaits).await
}

/// Sends the posts whose wait is over to the judge, page by page until time runs out.
pub async fn end_pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    due::pages(app, deadline, Due::Verdict, page, |wait| end(app, wait), Chore::EndVerdictWaits).await
}

/// Ends a wait, and sends the post to the judge. Ignores a conflict, because the wait has already ended or an edit has
/// replaced it.
async fn end(app: &App, wait: VerdictWait) -> Result<()> {
    let ended = Write::delete(wait.key()).equals("revision", wait.revision);
    let judge = outbox_record_write(app).then(&JudgeJob::Judge { post: wait.post });
    match app.table.transact(vec![ended.into(), judge]).await {
        Err(Error::WriteConflict) => Ok(()),
        done => done,
    }
}

/// `POST#id / WAIT`, gsi3 `DUE#VERDICT#shard / end and post`
impl Row for VerdictWait {
    fn key(&self) -> Key {
        Key::new(posts::partition(self.post), "WAIT")
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi3, Due::Verdict.index_key(self.post, self.until))]
    }
}
