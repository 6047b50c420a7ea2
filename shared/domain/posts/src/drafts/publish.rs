//! Publishes scheduled drafts when they are due.

use base::{Chore, Due, DuePage, due};
use notifications::{NotificationEvent, NotificationType, TargetType};
use people::{Status, users};
use platform::{App, Deadline, Error, Result, Row, Write, outcomes, retry_on_conflict};
use ulid::Ulid;

use super::row::{SavedDraft, count_write};
use crate::writing::{
    mentioned,
    publish::{NO_AUTHOR, publish_writes},
};

/// Sends a job for each shard that has due drafts. The job calls [`publish_pages`].
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<SavedDraft, _>(app, Due::Draft, Chore::PublishDrafts).await
}

/// Publishes the due drafts of a shard, page by page until the deadline. Repeating has no effect.
pub async fn publish_pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    due::pages(app, deadline, Due::Draft, page, |draft| publish(app, draft), Chore::PublishDrafts).await
}

/// Publishes a draft if it is still due.
///
/// The transaction that creates the post also deletes the draft, so retries create only one post. If publishing fails
/// permanently, the draft stays and stores the reason, and the author is notified.
async fn publish(app: &App, listed: SavedDraft) -> Result<()> {
    retry_on_conflict(async || {
        let Some(draft) = app.table.get::<SavedDraft>(&listed.key()).await? else {
            return outcomes::end("the draft is gone");
        };
        if draft.publish_at.is_none_or(|at| at > app.now()) {
            return outcomes::end("the draft is not due");
        }
        match try_publish(app, &draft).await {
            Err(error @ (Error::Invalid(_) | Error::NotFound(_) | Error::Forbidden(_))) => {
                outcomes::note("the draft was refused");
                app.table.transact(problem_writes(app, draft, &error)).await
            }
            done => done,
        }
    })
    .await
}

async fn try_publish(app: &App, draft: &SavedDraft) -> Result<()> {
    users::find(app, draft.author).await?.ok_or(NO_AUTHOR)?.check_active()?;
    let (writes, _) = publish_writes(app, draft.author, draft.target, draft.draft.clone()).await?;
    let active = Write::check(users::key(draft.author)).equals("status", Status::Active);
    let own = [draft.delete_write(), count_write(draft.author, -1, -1), active.into()];
    // The post must reserve the files before the draft releases the files.
    let all = writes.into_iter().chain(own).chain(draft.release_write(app, None));
    let all = all.chain(mentioned::draft_writes(Some(draft), None));
    app.table.transact(all.collect()).await
}

fn problem_writes(app: &App, draft: SavedDraft, error: &Error) -> Vec<Write> {
    let (now, problem) = (app.now(), Some(error.to_string()));
    let changes = draft.changes + 1;
    let after = SavedDraft { publish_at: None, problem, updated_at: now, changes, ..draft.clone() };
    let kinds = (NotificationType::Moderation, TargetType::Draft);
    let event = (app.ids.next(now), now);
    let event = NotificationEvent::without_actor(draft.author, kinds, Ulid::from(draft.id), event);
    let writes = [draft.replace_write(&after), count_write(draft.author, 0, -1)];
    writes.into_iter().chain(event.writes(app)).collect()
}
