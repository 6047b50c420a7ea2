//! The jobs of the timeline worker.

use platform::{App, error::Result};

use super::{back_fill::back_fill, fan_out::fan_out, mark_follows::mark_follows};
use crate::jobs::TimelineJob;

/// Does one job. After a failure the message comes again.
pub async fn work(app: &App, job: TimelineJob) -> Result<()> {
    match job {
        TimelineJob::FanOut { post, after } => fan_out(app, post, after).await,
        TimelineJob::BackFill { reader, author } => back_fill(app, reader, author).await,
        TimelineJob::MarkFollows { author, after } => mark_follows(app, author, after).await,
    }
}
