//! Moves the clock forward, and runs the work that falls due.

use std::{sync::Arc, time::Duration};

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};

use crate::{
    clock::Clock,
    delivery::{Deliveries, Delivery},
    schedules::Schedules,
    sqs::Queues,
    store::Store,
};

const HOUR_SECONDS: i64 = 3600;
/// Length of the last part of a clock move, in which no run of a schedule is skipped.
const EXACT: SignedDuration = SignedDuration::from_hours(1);

/// Moves the stack's clock, and deletes expired rows.
#[derive(Clone)]
pub(crate) struct Advance {
    pub(crate) clock: Clock,
    pub(crate) schedules: Arc<Schedules>,
    pub(crate) queues: Queues,
    pub(crate) deliveries: Deliveries,
    pub(crate) delivery: Delivery,
    pub(crate) store: Store,
}

impl Advance {
    /// Moves the clock forward in steps. Each step ends when a schedule or message falls due. Before the last hour of
    /// the move, frequent schedules are skipped, because a day has more than 3,000 of their runs.
    pub(crate) async fn by(&self, by: Duration) -> Result<()> {
        self.deliver_pending().await?;
        let start = self.clock.now();
        let end = start.saturating_add(by)?;
        while let Some(due) = self.next_due().filter(|due| *due <= end) {
            self.clock.move_to(due)?;
            self.schedules.fire_due().await;
            self.queues.promote();
            self.deliver_pending().await?;
            self.schedules.skip_until(self.resume(due)?.min(end.saturating_sub(EXACT)?));
        }
        self.clock.move_to(end)?;
        // Deletes expired rows only once an hour, because this reads every row.
        if hour(start) != hour(end) {
            self.sweep().await;
        }
        Ok(())
    }

    pub(crate) async fn sweep(&self) {
        let (store, now) = (self.store.clone(), self.clock.now());
        match tokio::task::spawn_blocking(move || store.sweep(now)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "failed to delete expired rows"),
            Err(error) => tracing::error!(%error, "failed to finish the deletion of expired rows"),
        }
    }

    /// Delivers pending messages, unless delivery is manual.
    pub(crate) async fn deliver_pending(&self) -> Result<()> {
        if self.delivery != Delivery::Manual {
            self.deliveries.drain().await?;
        }
        Ok(())
    }

    /// Returns the time after which skipped schedules run again. With automatic delivery, they run once per hour. With
    /// manual delivery, [`Schedules::drop_duplicates`] would drop these runs.
    fn resume(&self, now: Timestamp) -> Result<Timestamp> {
        match self.delivery {
            Delivery::Automatic | Delivery::WithWrites => {
                Ok(Timestamp::from_second((hour(now) + 1) * HOUR_SECONDS)?)
            }
            Delivery::Manual => Ok(Timestamp::MAX),
        }
    }

    fn next_due(&self) -> Option<Timestamp> {
        [self.schedules.next_due(), self.queues.next_visible()].into_iter().flatten().min()
    }
}

fn hour(at: Timestamp) -> i64 {
    at.as_second().div_euclid(HOUR_SECONDS)
}
