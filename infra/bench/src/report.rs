//! The table that is printed.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};

use crate::load::Measured;

/// What was measured, a line for each kind of request.
pub(crate) fn table(measured: &[Measured]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED);
    table.set_header(["request", "a second", "p50 ms", "p99 ms", "CPU ms", "and what follows", "together"]);
    for it in measured {
        let (request, follows) = (it.each(it.requests_processor), it.each(it.follows_processor));
        table.add_row([
            it.request.to_owned(),
            format!("{:.0}", it.per_second()),
            format!("{:.2}", it.percentile(50)),
            format!("{:.2}", it.percentile(99)),
            format!("{request:.2}"),
            format!("{follows:.2}"),
            format!("{:.2}", request + follows),
        ]);
    }
    table
}
