//! Rows of earlier releases, and the lists that have come since.

use anyhow::Result;
use domain::operations::relist;
use indicatif::{ProgressBar, ProgressStyle};
use platform::App;

/// Lists friends, blocks, mutes, quotes, reposts and likers of releases that had no lists of them.
pub(crate) async fn relist(app: &App) -> Result<()> {
    let style = ProgressStyle::with_template("{spinner} {pos} rows, {per_sec}")?;
    let bar = ProgressBar::no_length().with_style(style);
    let (mut from, mut listed) = (None, 0);
    loop {
        let (rows, more, next) = relist::relist(app, from).await?;
        bar.inc(rows as u64);
        listed += more;
        match next {
            Some(_) => from = next,
            None => break,
        }
    }
    bar.finish_and_clear();
    println!("{listed} rows are in their lists now");
    Ok(())
}
