//! The CloudFormation template of the service, and variants of it for faster tests.

use std::sync::LazyLock;

/// The unchanged template.
pub(crate) const WHOLE: &str = include_str!("../../template.yaml");

/// The template without the schedules that run every minute.
pub(crate) static WITHOUT_MINUTE_TICKS: LazyLock<String> = LazyLock::new(|| without(WHOLE, "DueEveryMinute"));

/// The template without the schedules that run every minute and without notification ticks.
pub(crate) static WITHOUT_TICKS: LazyLock<String> =
    LazyLock::new(|| without(&WITHOUT_MINUTE_TICKS, "NotificationTick"));

/// Returns `template` without a resource.
fn without(template: &str, resource: &str) -> String {
    let start = format!("  {resource}:");
    let mut inside = false;
    let kept = template.lines().filter(|line| {
        let begins = line.starts_with("  ") && !line.starts_with("   ");
        inside = *line == start || (inside && !begins);
        !inside
    });
    kept.collect::<Vec<_>>().join("\n")
}
