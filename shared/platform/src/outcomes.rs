//! Records the outcomes of jobs in the log line of their batch. The tests use the outcomes to find branches without a
//! test.

use std::{cell::RefCell, collections::BTreeSet};

use crate::Result;

tokio::task_local! {
    static OUTCOMES: RefCell<BTreeSet<String>>;
}

/// Runs `work`, and returns the result of `work` and the outcomes that `work` noted.
pub async fn collect<T>(work: impl Future<Output = T>) -> (T, BTreeSet<String>) {
    let work = async { (work.await, OUTCOMES.with(RefCell::take)) };
    OUTCOMES.scope(RefCell::default(), work).await
}

/// Notes an outcome of the current work. Does nothing outside of [`collect`].
///
/// Name an outcome if a job does less or more than usual: `the post is gone`, `the circle died`. For each kind of job,
/// `make test` lists the outcomes that no test causes.
pub fn note(outcome: impl Into<String>) {
    let _ = OUTCOMES.try_with(|outcomes| outcomes.borrow_mut().insert(outcome.into()));
}

/// Notes the outcome of a job that ends here. Always returns `Ok`, as the result of the job.
pub fn end(outcome: &'static str) -> Result<()> {
    note(outcome);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_belong_to_the_innermost_work() {
        let work = async {
            note("outer");
            let ((), inner) = collect(async { note("inner") }).await;
            note("outer");
            inner
        };
        let (inner, outer) = futures::executor::block_on(collect(work));
        assert_eq!((inner, outer), (["inner".to_owned()].into(), ["outer".to_owned()].into()));
        note("nowhere");
    }
}
