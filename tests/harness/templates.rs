//! The template, and what of it a world can do without to go faster.

use std::sync::LazyLock;

/// All of it.
pub(crate) const WHOLE: &str = include_str!("../../template.yaml");

static OF_HOURS: LazyLock<String> = LazyLock::new(|| without(WHOLE, "DueEveryMinute"));
static OF_DAYS: LazyLock<String> = LazyLock::new(|| without(&OF_HOURS, "NotificationTick"));

/// Without what looks for drafts and polls each minute.
pub(crate) fn of_hours() -> String {
    OF_HOURS.clone()
}

/// The same without the ticks of notifications.
pub(crate) fn of_days() -> String {
    OF_DAYS.clone()
}

/// The template without a resource.
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
