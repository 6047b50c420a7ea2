//! The table that is printed.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};

use crate::{load::Measured, memory::Memory};

const P99_TARGET_MILLIS: f64 = 30.0;
const MEMORY_TARGET_MB: f64 = 150.0;

/// What was measured beside what was promised.
pub(crate) fn table(measured: &[Measured], memory: &Memory) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED);
    table.set_header(["measured", "value", "p50", "p99", "promised", ""]);
    for it in measured {
        let (p50, p99) = (it.percentile(50), it.percentile(99));
        let promised =
            it.target.map_or(String::new(), |target| format!("{target}/s, p99 < {P99_TARGET_MILLIS} ms"));
        let kept = it.target.map(|target| it.per_second >= target && p99 < P99_TARGET_MILLIS);
        table.add_row([
            it.request.to_owned(),
            format!("{:.0}/s", it.per_second),
            format!("{p50:.2} ms"),
            format!("{p99:.2} ms"),
            promised,
            mark(kept),
        ]);
    }
    let kept = mark(Some(memory.with_posts < MEMORY_TARGET_MB));
    let promised = format!("< {MEMORY_TARGET_MB} MB");
    for (what, resident_mb, promised, kept) in [
        (format!("memory with {} posts", memory.posts), memory.with_posts, promised, kept),
        ("memory in the end".to_owned(), memory.in_the_end, String::new(), String::new()),
    ] {
        let value = format!("{resident_mb:.0} MB");
        table.add_row([what, value, String::new(), String::new(), promised, kept]);
    }
    table
}

fn mark(kept: Option<bool>) -> String {
    match kept {
        Some(true) => "kept",
        Some(false) => "missed",
        None => "",
    }
    .to_owned()
}
