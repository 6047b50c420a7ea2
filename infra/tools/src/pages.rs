//! Reads all pages of the table, and shows the progress.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use platform::table::Next;

/// Calls `read_page` with the cursor of each page. `read_page` returns a count and the next cursor. Shows and returns
/// the sum of the counts. `unit` is the plural name of the counted items.
pub(crate) async fn read_all(
    unit: &str,
    mut read_page: impl AsyncFnMut(Option<Next>) -> platform::Result<(usize, Option<Next>)>,
) -> Result<u64> {
    let style = ProgressStyle::with_template(&format!("{{spinner}} {{pos}} {unit}, {{per_sec}}"))?;
    let bar = ProgressBar::no_length().with_style(style);
    let mut from = None;
    loop {
        let (count, next) = read_page(from).await?;
        bar.inc(count as u64);
        match next {
            Some(_) => from = next,
            None => break,
        }
    }
    bar.finish_and_clear();
    Ok(bar.position())
}
