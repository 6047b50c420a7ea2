//! Limits how long an invocation of a worker continues a job that consists of pages.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// Decides whether an invocation has time for one more page. Clones share the deadline.
#[derive(Clone, Debug)]
pub struct Deadline(Arc<Limit>);

#[derive(Debug)]
enum Limit {
    Time(Instant),
    MorePages(AtomicUsize),
}

impl Deadline {
    /// Returns the deadline of an invocation that ends in `time_left`.
    ///
    /// Pages may begin in the first half of that time. The second half is for the last page, and for the first page of
    /// each remaining message in the batch.
    pub fn within(time_left: Duration) -> Self {
        Self(Arc::new(Limit::Time(Instant::now() + time_left / 2)))
    }

    /// Returns a deadline that allows `pages` pages per invocation. The first page of each later message in the batch
    /// is also allowed.
    pub fn after_pages(pages: usize) -> Self {
        Self(Arc::new(Limit::MorePages(AtomicUsize::new(pages.saturating_sub(1)))))
    }

    /// Returns whether the invocation may begin one more page.
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
