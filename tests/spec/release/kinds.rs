//! That a release has all that there can be: each kind of row and index that KEYS.md names, each queue.

use tests::World;

use super::LEFT;

const KEYS: &str = include_str!("../../../shared/KEYS.md");
const INDEXES: [&str; 3] = ["gsi1pk", "gsi2pk", "gsi3pk"];

/// A row of the chart's tables of rows: its key, and its places in indexes.
struct Kind {
    key: &'static str,
    indexes: Vec<&'static str>,
}

fn kinds() -> Vec<Kind> {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let mut head = Vec::new();
    let mut kinds = Vec::new();
    for line in KEYS.lines() {
        let row = cells(line);
        match (row[0], row.get(1)) {
            ("row", _) => head = row,
            (name, Some(key)) if !head.is_empty() && !name.starts_with("---") => {
                let places = head.iter().zip(&row).filter(|(it, _)| it.starts_with("gsi") || **it == "index");
                kinds.push(Kind { key, indexes: places.map(|(_, cell)| *cell).collect() });
            }
            (_, None) => head.clear(),
            _ => {}
        }
    }
    assert!(kinds.len() > 45, "the chart is read");
    kinds
}

/// What is written in a key of the chart, and what follows it in its cell.
fn keys(cell: &str) -> Vec<(&str, &str)> {
    let parts: Vec<_> = cell.split('`').skip(1).collect();
    parts.chunks(2).map(|it| (it[0], it.get(1).copied().unwrap_or_default())).collect()
}

/// Partition and sort keys of a cell, pair by pair: a key with a stroke behind it begins a partition. A sort
/// key that is not spelled out is any.
fn pairs(cell: &str) -> Vec<(&str, &str)> {
    let mut partition = "";
    let mut pairs = Vec::new();
    for (key, after) in keys(cell) {
        match after.trim().strip_prefix('/') {
            Some("") => partition = key,
            Some(_) => pairs.push((key, "any")),
            None => pairs.push((partition, key)),
        }
    }
    pairs
}

/// Whether a stored key is of this kind: as far as the chart writes it in capitals.
fn is_of(stored: &str, kind: &str) -> bool {
    let capitals = kind.split(|it: char| it.is_ascii_lowercase()).next().unwrap_or_default();
    if capitals == kind { stored == kind } else { stored.starts_with(capitals) }
}

fn items() -> Vec<(&'static str, &'static str)> {
    LEFT.column("pk").zip(LEFT.column("sk")).collect()
}

#[test]
fn a_release_has_every_row_that_the_chart_names() {
    let items = items();
    let kinds = kinds();
    let named = kinds.iter().flat_map(|kind| pairs(kind.key));
    let is_stored = |(pk, sk): &(&str, &str)| items.iter().any(|it| is_of(it.0, pk) && is_of(it.1, sk));
    assert_eq!(named.filter(|it| !is_stored(it)).collect::<Vec<_>>(), []);
}

#[test]
fn the_chart_names_every_row_that_a_release_has() {
    let kinds = kinds();
    let named: Vec<_> = kinds.iter().flat_map(|kind| pairs(kind.key)).collect();
    let is_named = |item: &(&str, &str)| named.iter().any(|it| is_of(item.0, it.0) && is_of(item.1, it.1));
    assert_eq!(items().into_iter().filter(|it| !is_named(it)).collect::<Vec<_>>(), []);
}

#[test]
fn a_release_has_every_index_that_the_chart_names() {
    let stored: Vec<_> = INDEXES.into_iter().flat_map(|it| LEFT.column(it)).collect();
    let kinds = kinds();
    let named = kinds.iter().flat_map(|kind| kind.indexes.iter().flat_map(|cell| keys(cell)));
    let is_stored = |place: &str| stored.iter().any(|it| is_of(it, place));
    assert_eq!(named.filter(|(it, _)| !is_stored(it)).collect::<Vec<_>>(), []);
}

#[tokio::test]
async fn a_release_leaves_something_in_every_queue() {
    let world = World::new().await;
    let left: Vec<_> = LEFT.queues().collect();
    let queues = world.stack.queues().into_iter().map(|it| it.name).filter(|it| it != "relay-dead-letters");
    assert_eq!(queues.filter(|it| !left.contains(&it.as_str())).collect::<Vec<_>>(), [""; 0]);
}
