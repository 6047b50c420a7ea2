//! Jobs that consist of many pages.
//!
//! An invocation processes as many pages as its time allows, and sends a message for the remaining pages. Each message
//! contains the number of the job's earlier messages. A limit on this number prevents a job from running forever.

use serde::{Deserialize, Serialize};

use crate::{App, Deadline, Job, Result, outcomes};

/// The progress of a paged job, stored in each message of the job. The first message omits both fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paged<C> {
    /// The cursor after which the next page begins, or `None` for the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<C>,
    #[serde(default, skip_serializing_if = "is_first")]
    messages: u32,
}

/// Limits the number of messages of a paged job.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Name of the job in the log.
    pub job: &'static str,
    /// Maximum number of messages. For each message, at least one page is processed.
    pub messages_max: u32,
    /// Handling of the pages that remain after the last message.
    pub remainder: Remainder,
}

/// Handling of the pages that remain when a [`Bound`] is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// The next scheduled run of the job processes the remaining pages.
    NextRun,
    /// The message for the remaining pages goes to the dead-letter queue. The message's counter restarts at 0, so that
    /// an operator can redrive the message.
    DeadLetters,
}

/// The outcome of [`Bound::pages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All pages are done.
    Done,
    /// A new message was sent for the remaining pages.
    Continued,
    /// The bound was reached. [`Bound::remainder`] applies.
    Cut,
}

impl<C> Paged<C> {
    /// The progress in the first message of a job.
    pub const FIRST: Self = Self { after: None, messages: 0 };

    /// Returns the number of the job's earlier messages.
    pub fn messages(&self) -> u32 {
        self.messages
    }

    /// Returns the same progress with a different cursor.
    pub fn at<D>(&self, after: Option<D>) -> Paged<D> {
        Paged { after, messages: self.messages }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(messages: &u32) -> bool {
    *messages == 0
}

impl Bound {
    /// Processes pages of a job while the invocation has time. If pages remain, sends the job that `next` returns for
    /// them. If the bound is reached, logs an error and applies [`Bound::remainder`] instead.
    ///
    /// `page` processes the page after a cursor, and returns the cursor of the next page, or `None` after the last
    /// page.
    ///
    /// # Errors
    /// Fails if `page` or the queue fails. SQS then delivers the message again, and the job repeats all pages of this
    /// message.
    pub async fn pages<C: Clone, J: Job>(
        &self,
        app: &App,
        deadline: &Deadline,
        mut at: Paged<C>,
        mut page: impl AsyncFnMut(Option<C>) -> Result<Option<C>>,
        next: impl FnOnce(Paged<C>) -> J,
    ) -> Result<End> {
        while let Some(after) = page(at.after.clone()).await? {
            at.after = Some(after);
            if !deadline.allows_another_page() {
                return self.send(app, at, next).await;
            }
        }
        Ok(End::Done)
    }

    async fn send<C, J: Job>(
        &self,
        app: &App,
        at: Paged<C>,
        next: impl FnOnce(Paged<C>) -> J,
    ) -> Result<End> {
        let messages = at.messages.saturating_add(1);
        if messages < self.messages_max {
            app.queues.send(&next(Paged { messages, ..at })).await?;
            outcomes::note("continued");
            return Ok(End::Continued);
        }
        outcomes::note("cut off");
        let (job, messages) = (self.job, self.messages_max);
        match self.remainder {
            Remainder::NextRun => tracing::error!(job, messages, "job cut off: its next run continues"),
            Remainder::DeadLetters => {
                app.queues.send_to_dead_letters(&next(Paged { messages: 0, ..at })).await?;
                tracing::error!(job, messages, "job cut off: the rest is in the dead-letter queue");
            }
        }
        Ok(End::Cut)
    }
}
