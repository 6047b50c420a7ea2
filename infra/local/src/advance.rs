//! Moving the clock, with all that falls due on the way.

use std::{sync::Arc, time::Duration};

use anyhow::Result;
use jiff::Timestamp;

use crate::{
    clock::Clock,
    delivery::{Deliveries, Delivery},
    schedules::Schedules,
    sqs::Queues,
    store::Store,
};

/// What moving the clock sets off.
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
    /// Moves the clock, and stops at each schedule and message that falls due.
    pub(crate) async fn by(&self, by: Duration) -> Result<()> {
        self.catch_up().await?;
        let begin = self.clock.now();
        let end = begin.saturating_add(by)?;
        while let Some(due) = self.next_due().filter(|due| *due <= end) {
            self.clock.move_to(due)?;
            self.schedules.fire_due().await;
            self.queues.promote();
            self.catch_up().await?;
        }
        self.clock.move_to(end)?;
        // It looks at every row.
        if hour(begin) != hour(end) {
            self.sweep().await;
        }
        Ok(())
    }

    /// Deletes expired rows, as DynamoDB does in its own time.
    pub(crate) async fn sweep(&self) {
        let (store, now) = (self.store.clone(), self.clock.now());
        match tokio::task::spawn_blocking(move || store.sweep(now)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "expired rows were not deleted"),
            Err(error) => tracing::error!(%error, "the sweep stopped"),
        }
    }

    /// Delivers what would come by itself if time ran.
    async fn catch_up(&self) -> Result<()> {
        if self.delivery == Delivery::Automatic {
            self.deliveries.drain().await?;
        }
        Ok(())
    }

    fn next_due(&self) -> Option<Timestamp> {
        [self.schedules.next_due(), self.queues.next_visible()].into_iter().flatten().min()
    }
}

fn hour(at: Timestamp) -> i64 {
    at.as_second().div_euclid(3600)
}
