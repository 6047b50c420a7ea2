//! Schedules: a kill neither loses a time nor begins a rate anew.

use std::path::Path;

use local::{Delivery, Options, Stack, Start};

use super::DataDirectory;
use crate::stack::WITH_TICKS;

const TICKS_A_FIRING: usize = 3;

#[tokio::test]
async fn a_rate_goes_on_after_a_kill() {
    let place = DataDirectory::new("rate");
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T00:00:00Z").await, 1);
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T00:01:59Z").await, 1);
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T00:02:00Z").await, 2);
}

#[tokio::test]
async fn what_fell_due_while_nothing_ran_comes_once() {
    let place = DataDirectory::new("missed");
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T00:00:00Z").await, 1);
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T01:01:00Z").await, 2);
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T01:01:59Z").await, 2);
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T01:02:00Z").await, 3);
}

#[tokio::test]
async fn a_time_of_day_that_passed_while_nothing_ran_is_not_lost() {
    let place = DataDirectory::new("daily");
    let daily = WITH_TICKS.replace("rate(2 minutes)", "cron(0 7 * * ? *)");
    assert_eq!(fired(&place.0, &daily, "2026-01-01T06:00:00Z").await, 0);
    assert_eq!(fired(&place.0, &daily, "2026-01-01T09:00:00Z").await, 1);
    assert_eq!(fired(&place.0, &daily, "2026-01-02T06:59:59Z").await, 1);
}

#[tokio::test]
async fn a_schedule_with_another_expression_begins_anew() {
    let place = DataDirectory::new("changed");
    assert_eq!(fired(&place.0, WITH_TICKS, "2026-01-01T00:00:00Z").await, 1);
    let other = WITH_TICKS.replace("rate(2 minutes)", "rate(1 hour)");
    assert_eq!(fired(&place.0, &other, "2026-01-01T00:00:01Z").await, 2);
}

/// How often the schedule has fired, once a stack was there at this time and was killed.
async fn fired(directory: &Path, template: &str, at: &str) -> usize {
    let stack = Stack::start(Options {
        data: Some(directory.to_owned()),
        template: Some(template.to_owned()),
        delivery: Delivery::Manual,
        clock: Start::At(at.parse().unwrap()),
        ..Options::default()
    });
    let stack = stack.await.unwrap();
    stack.advance(std::time::Duration::ZERO).await.unwrap();
    let queue = stack.queues().remove(0);
    (queue.visible + queue.delayed) / TICKS_A_FIRING
}
