//! What a row is, by its keys: the chart of KEYS.md says it.

use std::sync::LazyLock;

const CHART: &str = include_str!("../../../../shared/KEYS.md");

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| kinds(CHART));

/// A kind of row, and how its keys are written.
struct Kind {
    name: &'static str,
    partition: &'static str,
    sort: &'static str,
}

/// Returns what the chart calls a row with these keys. The kind that spells out most of them is meant.
pub(super) fn entity(partition: &str, sort: &str) -> &'static str {
    let fits = |it: &&Kind| is_of(partition, it.partition) && is_of(sort, it.sort);
    let spelled = |it: &&Kind| capitals(it.partition).len() + capitals(it.sort).len();
    // Of several, the last that is the greatest is taken: the chart has the plainest first.
    KINDS.iter().rev().filter(fits).max_by_key(spelled).map_or("not in the chart", |it| it.name)
}

/// Returns what partitions begin with, each once.
pub(super) fn partitions() -> Vec<&'static str> {
    let mut all: Vec<_> = KINDS.iter().map(|it| it.partition).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The tables of the chart whose first column is `row`.
fn kinds(chart: &'static str) -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut of_rows = false;
    for line in chart.lines() {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        match (cells.first(), cells.get(1)) {
            (Some(&"row"), _) => of_rows = true,
            (Some(name), Some(keys)) if of_rows && !name.starts_with("---") => {
                let name = name.split([':', ',', ';']).next().unwrap_or(name).trim();
                kinds.extend(pairs(keys).into_iter().map(|(partition, sort)| Kind { name, partition, sort }));
            }
            (_, None) => of_rows = false,
            _ => {}
        }
    }
    kinds
}

/// The keys of a cell, pair by pair: a stroke stands behind the one of a partition. A sort key that is not spelled out
/// is any.
fn pairs(cell: &'static str) -> Vec<(&'static str, &'static str)> {
    let parts: Vec<_> = cell.split('`').skip(1).collect();
    let (mut pairs, mut partition) = (Vec::new(), "");
    for part in parts.chunks(2) {
        match part.get(1).and_then(|after| after.trim().strip_prefix('/')) {
            Some("") => partition = part[0],
            Some(_) => pairs.push((part[0], "any")),
            None => pairs.push((partition, part[0])),
        }
    }
    pairs
}

fn is_of(stored: &str, kind: &str) -> bool {
    let spelled = capitals(kind);
    if spelled == kind { stored == kind } else { stored.starts_with(spelled) }
}

/// What of a key is the same in each of its kind.
fn capitals(kind: &str) -> &str {
    kind.split(|it: char| it.is_ascii_lowercase()).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_called_as_in_the_chart() {
        assert_eq!(entity("POST#1", "POST"), "post");
        assert_eq!(entity("USER#1", "PROFILE"), "user");
        assert_eq!(entity("USER#1", "SESSION#1"), "session");
        assert_eq!(entity("GROUP#1", "MSG#1"), "message");
        assert_eq!(entity("WORD#hello", "01ABC"), "a word of a post");
        assert_eq!(entity("NOBODY#1", "X"), "not in the chart");
        assert!(partitions().len() > 20);
    }
}
