//! Dispatches the jobs of the timeline worker.

use base::TimelineJob;
use platform::{App, Deadline, Result};

use super::{back_fill::back_fill, fan_out::fan_out, mark_follows::mark_follows};

/// Runs a job of the timeline worker. A failed job is delivered again.
pub async fn work(app: &App, deadline: &Deadline, job: TimelineJob) -> Result<()> {
    match job {
        TimelineJob::FanOut { post, author, page } => fan_out(app, deadline, (post, author), page).await,
        TimelineJob::BackFill { reader, author } => back_fill(app, reader, author).await,
        TimelineJob::MarkFollows { author, page } => mark_follows(app, deadline, author, page).await,
    }
}
