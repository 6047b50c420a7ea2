//! How long an invocation of a worker goes on with further pages of its work.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// Tells a job whether its invocation has time for another page. A clone is the same deadline.
#[derive(Clone, Debug)]
pub struct Deadline(Arc<Limit>);

#[derive(Debug)]
enum Limit {
    Time(Instant),
    MorePages(AtomicUsize),
}

impl Deadline {
    /// Returns the deadline of an invocation that ends in `time_left`. Half of it is for pages that begin; the
    /// other half is for the page that has begun, and for a first page of each other message of the batch.
    pub fn within(time_left: Duration) -> Self {
        Self(Arc::new(Limit::Time(Instant::now() + time_left / 2)))
    }

    /// Returns a deadline that counts pages: an invocation does so many at most, besides a first page of each
    /// message.
    pub fn after_pages(pages: usize) -> Self {
        Self(Arc::new(Limit::MorePages(AtomicUsize::new(pages.saturating_sub(1)))))
    }

    /// Returns whether the invocation may begin another page.
    pub fn allows_another_page(&self) -> bool {
        match &*self.0 {
            Limit::Time(end) => Instant::now() < *end,
            Limit::MorePages(more) => {
                let one_less = |more: usize| more.checked_sub(1);
                more.try_update(Ordering::AcqRel, Ordering::Acquire, one_less).is_ok()
            }
        }
    }
}
