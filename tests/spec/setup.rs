//! Helpers that tests of several areas share.

use futures::{StreamExt, stream};
use serde_json::Value;
use tests::{Answer, Client, Person, Settings, World};

/// Settings for users who send more requests than the write limit allows.
pub(crate) const MANY_WRITES: Settings<'_> = &[("WRITE_LIMIT_PER_5_MIN", "100000")];

/// Maximum number of users that are created concurrently.
const CONCURRENCY: usize = 20;

/// Creates users named `prefix` followed by each number, with at least two digits.
pub(crate) async fn crowd(world: &World, prefix: &str, numbers: std::ops::Range<usize>) -> Vec<Person> {
    let people = numbers.map(|number| async move { world.person(&format!("{prefix}{number:02}")).await });
    stream::iter(people).buffered(CONCURRENCY).collect().await
}

/// Returns the statuses of two responses in ascending order.
pub(crate) fn sorted_statuses(one: &Answer, other: &Answer) -> [u16; 2] {
    [one.status.min(other.status), one.status.max(other.status)]
}

/// Returns the rows of all pages of a list. `path` is the path of the first page, and must have a query string.
pub(crate) async fn rows_of_all_pages(reader: &Client, path: &str) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = reader.get(&format!("{path}{cursor}")).await.ok();
        rows.extend_from_slice(page.rows());
        let Some(after) = page.after() else { return rows };
        cursor = format!("&after={after}");
    }
}

/// Returns one field of each row of [`rows_of_all_pages`].
pub(crate) async fn column_of_all_pages(reader: &Client, path: &str, field: &str) -> Vec<Value> {
    rows_of_all_pages(reader, path).await.iter().map(|row| row[field].clone()).collect()
}

/// Reads all pages of a list, and returns the IDs of the rows. Runs `meanwhile` after each page. Panics if a page
/// before the last has fewer than `take` rows.
pub(crate) async fn ids_of_full_pages(
    reader: &Client,
    path: &str,
    take: usize,
    meanwhile: impl AsyncFn(),
) -> Vec<Value> {
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let mark = if path.contains('?') { '&' } else { '?' };
        let page = reader.get(&format!("{path}{mark}take={take}{cursor}")).await.ok();
        ids.extend(page.column("publicId"));
        meanwhile().await;
        let Some(after) = page.after() else { return ids };
        assert_eq!(page.rows().len(), take, "{path}{cursor}");
        cursor = format!("&after={after}");
    }
}
