//! Set-up and reads that tests of several areas share.

use futures::{StreamExt, stream};
use serde_json::Value;
use tests::{Client, Person, World};

/// Number of users that are created concurrently.
const CONCURRENCY: usize = 20;

/// Starts a world with these users.
pub(crate) async fn world_with<const N: usize>(names: [&str; N]) -> (World, [Person; N]) {
    let world = Box::pin(World::new()).await;
    let people = world.people(names).await;
    (world, people)
}

/// Creates users named `prefix` followed by each number, with at least two digits.
pub(crate) async fn crowd(world: &World, prefix: &str, numbers: std::ops::Range<usize>) -> Vec<Person> {
    let people = numbers.map(|number| async move { world.person(&format!("{prefix}{number:02}")).await });
    stream::iter(people).buffered(CONCURRENCY).collect().await
}

/// Returns the rows of all pages of a list. `path` is the first page, with a query.
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
