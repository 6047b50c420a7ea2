//! Work that takes many pages: an invocation does as many as it has time for, and sends the message for the
//! rest. Each message counts those before it, so that no job goes on for ever.

use serde::{Deserialize, Serialize};

use crate::{App, deadline::Deadline, error::Result, queues::Job};

/// The part of a paged job's message that says where it goes on. The first message of a job has none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paged<C> {
    /// The cursor at which the last page ended; `None` for the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<C>,
    #[serde(default, skip_serializing_if = "is_first")]
    messages: u32,
}

/// How many messages a job may take, and what becomes of the rest.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The name of the job in the log.
    pub job: &'static str,
    /// The most messages. Each does one page at least.
    pub messages_max: u32,
    /// What becomes of the pages that are left after the last message.
    pub remainder: Remainder,
}

/// What becomes of the pages that a bound cuts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// The next run of the schedule that began the job finds them.
    NextRun,
    /// Their message goes to the dead letters, and counts from the beginning when it comes back from there.
    DeadLetters,
}

/// Where the pages of a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No page is left.
    Done,
    /// The next message does the rest.
    Continued,
    /// The bound cut the rest off.
    Cut,
}

impl<C> Paged<C> {
    /// The first message of a job.
    pub const FIRST: Self = Self { after: None, messages: 0 };

    /// Returns the number of messages that the job sent itself before this one.
    pub fn messages(&self) -> u32 {
        self.messages
    }

    /// Returns the same message at another cursor.
    pub fn at<D>(&self, after: Option<D>) -> Paged<D> {
        Paged { after, messages: self.messages }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(messages: &u32) -> bool {
    *messages == 0
}

impl Bound {
    /// Does a page after the other while the invocation has time. When pages are left, sends the message that
    /// `next` makes of where they begin; past the bound logs an error and leaves them to [`Bound::remainder`].
    ///
    /// `page` does the page behind its argument, and returns the cursor of the next; `None` after the last.
    ///
    /// # Errors
    /// Those of a page: the message comes again and begins at its first page. Those of sending.
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
            return Ok(End::Continued);
        }
        let (job, messages) = (self.job, self.messages_max);
        match self.remainder {
            Remainder::NextRun => tracing::error!(job, messages, "job cut off: its next run does the rest"),
            Remainder::DeadLetters => {
                app.queues.send_to_dead_letters(&next(Paged { messages: 0, ..at })).await?;
                tracing::error!(job, messages, "job cut off: the dead letters have the rest");
            }
        }
        Ok(End::Cut)
    }
}
