//! Work that takes many pages: an invocation does as many as it has time for, and sends the message for the
//! rest. Each message counts those before it, so that no job goes on for ever.

use serde::{Deserialize, Serialize};

use crate::{App, deadline::Deadline, error::Result, queues::Job};

/// The number of messages that a job sent itself before this one. A message without it is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rounds(u32);

/// How many messages a job may take, and what becomes of the rest.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The name of the job in the log.
    pub job: &'static str,
    /// The most messages. Each does one page at least.
    pub rounds_max: u32,
    /// What becomes of the pages that are left after the last message.
    pub rest: Rest,
}

/// What becomes of the pages that a bound cuts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
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

impl Rounds {
    /// Returns whether no message went before.
    pub fn is_first(&self) -> bool {
        self.0 == 0
    }

    /// Returns the number of messages before this one.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the count for the next message; none when that would be more than `most` messages.
    pub fn next(self, most: u32) -> Option<Self> {
        self.0.checked_add(1).filter(|it| *it < most).map(Self)
    }
}

impl Bound {
    /// Does a page after the other while the invocation has time. When pages are left, sends the message that
    /// `next` makes of where they begin; past the bound logs an error and leaves them to [`Bound::rest`].
    ///
    /// `page` does the page at its argument, and returns where the next begins. Costs the pages, and at most 1
    /// send.
    ///
    /// # Errors
    /// Those of a page: the message comes again and begins at its first page. Those of sending.
    pub async fn pages<At: Clone, J: Job>(
        &self,
        app: &App,
        deadline: &Deadline,
        (mut at, rounds): (At, Rounds),
        mut page: impl AsyncFnMut(At) -> Result<Option<At>>,
        next: impl FnOnce(At, Rounds) -> J,
    ) -> Result<End> {
        while let Some(following) = page(at).await? {
            if !deadline.allows_another_page() {
                return self.send(app, rounds, |rounds| next(following, rounds)).await;
            }
            at = following;
        }
        Ok(End::Done)
    }

    async fn send<J: Job>(&self, app: &App, rounds: Rounds, next: impl FnOnce(Rounds) -> J) -> Result<End> {
        if let Some(rounds) = rounds.next(self.rounds_max) {
            app.queues.send(&next(rounds)).await?;
            return Ok(End::Continued);
        }
        let (job, rounds) = (self.job, self.rounds_max);
        match self.rest {
            Rest::NextRun => tracing::error!(job, rounds, "job cut off: its next run does the rest"),
            Rest::DeadLetters => {
                app.queues.send_to_dead_letters(&next(Rounds::default())).await?;
                tracing::error!(job, rounds, "job cut off: the dead letters have the rest");
            }
        }
        Ok(End::Cut)
    }
}
