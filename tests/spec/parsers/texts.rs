//! Generators of random texts, and of mutations of valid texts.

use proptest::{prelude::*, sample::Index};

/// A mutation of a text at a position.
#[derive(Clone, Debug)]
enum Change {
    Insert(String),
    Remove(Index),
    Repeat(Index),
}

/// Generates random texts and mutations of `valid`.
pub(super) fn text(valid: &[&str]) -> impl Strategy<Value = String> {
    let valid = valid.iter().map(|text| (*text).to_owned()).collect();
    prop_oneof![1 => ".{0,60}", 4 => changed(valid)]
}

/// Generates mutations of `valid`.
pub(super) fn changed(valid: Vec<String>) -> impl Strategy<Value = String> {
    let change = prop_oneof![
        r#"[0-9A-Za-z{}",:#%\[\] .\-\PC]{1,3}"#.prop_map(Change::Insert),
        any::<Index>().prop_map(Change::Remove),
        any::<Index>().prop_map(Change::Repeat),
    ];
    let changes = prop::collection::vec((any::<Index>(), change), 0..4);
    (prop::sample::select(valid), changes).prop_map(|(valid, changes)| changes.iter().fold(valid, apply))
}

fn apply(text: String, (at, change): &(Index, Change)) -> String {
    let chars: Vec<char> = text.chars().collect();
    let start = at.index(chars.len() + 1);
    let end = |length: &Index| (start + 1 + length.index(8)).min(chars.len());
    let (before, more, after) = match change {
        Change::Insert(more) => (start, more.as_str(), start),
        Change::Remove(length) => (start, "", end(length)),
        Change::Repeat(length) => (end(length), "", start),
    };
    let all = |part: &[char]| part.iter().collect::<String>();
    all(&chars[..before]) + more + &all(&chars[after..])
}
