//! Durability of schedules: after a kill, missed firings happen late, and intervals continue.

use std::path::Path;

use local::{Options, Stack, Start};

use super::DataDirectory;
use crate::stack::{WITH_TICKS, manual};

const TICKS_A_FIRING: usize = 3;

#[tokio::test]
async fn a_rate_schedule_keeps_its_interval_after_a_restart() {
    let directory = DataDirectory::new("rate");
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T00:00:00Z").await, 1);
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T00:01:59Z").await, 1);
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T00:02:00Z").await, 2);
}

#[tokio::test]
async fn a_rate_schedule_fires_once_for_several_missed_firings() {
    let directory = DataDirectory::new("missed");
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T00:00:00Z").await, 1);
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T01:01:00Z").await, 2);
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T01:01:59Z").await, 2);
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T01:02:00Z").await, 3);
}

#[tokio::test]
async fn a_missed_daily_schedule_fires_after_the_restart() {
    let directory = DataDirectory::new("daily");
    let daily = WITH_TICKS.replace("rate(2 minutes)", "cron(0 7 * * ? *)");
    assert_eq!(fired(&directory.0, &daily, "2026-01-01T06:00:00Z").await, 0);
    assert_eq!(fired(&directory.0, &daily, "2026-01-01T09:00:00Z").await, 1);
    assert_eq!(fired(&directory.0, &daily, "2026-01-02T06:59:59Z").await, 1);
}

#[tokio::test]
async fn a_schedule_with_a_new_expression_fires_at_once() {
    let directory = DataDirectory::new("changed");
    assert_eq!(fired(&directory.0, WITH_TICKS, "2026-01-01T00:00:00Z").await, 1);
    let other = WITH_TICKS.replace("rate(2 minutes)", "rate(1 hour)");
    assert_eq!(fired(&directory.0, &other, "2026-01-01T00:00:01Z").await, 2);
}

/// Starts a stack at the time `at`, and drops it. Returns how often its schedule has fired, in all runs.
async fn fired(directory: &Path, template: &str, at: &str) -> usize {
    let clock = Start::At(at.parse().unwrap());
    let options = Options { data: Some(directory.to_owned()), clock, ..manual(template) };
    let stack = Stack::start(options).await.unwrap();
    stack.advance(std::time::Duration::ZERO).await.unwrap();
    let queue = stack.queues().remove(0);
    (queue.visible + queue.delayed) / TICKS_A_FIRING
}
