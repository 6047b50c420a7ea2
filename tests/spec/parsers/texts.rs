//! Generators of random texts, and of mutations of valid texts.

use proptest::{prelude::*, sample::Index};

/// A mutation of a text.
#[derive(Clone, Debug)]
enum Change {
    Insert(Index, String),
    Remove(Index, Index),
    Repeat(Index, Index),
}

/// Generates random texts and mutations of `valid`.
pub(super) fn text(valid: &[&str]) -> impl Strategy<Value = String> {
    let valid = valid.iter().map(|text| (*text).to_owned()).collect();
    prop_oneof![1 => ".{0,60}", 4 => changed(valid)]
}

/// Generates mutations of `valid`.
pub(super) fn changed(valid: Vec<String>) -> impl Strategy<Value = String> {
    let change = prop_oneof![
        (any::<Index>(), r#"[0-9A-Za-z{}",:#%\[\] .\-\PC]{1,3}"#)
            .prop_map(|(at, text)| Change::Insert(at, text)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, length)| Change::Remove(at, length)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, length)| Change::Repeat(at, length)),
    ];
    let changes = prop::collection::vec(change, 0..4);
    (prop::sample::select(valid), changes).prop_map(|(valid, changes)| changes.iter().fold(valid, apply))
}

fn apply(text: String, change: &Change) -> String {
    let chars: Vec<char> = text.chars().collect();
    let span = |at: &Index, length: &Index| {
        let start = at.index(chars.len() + 1);
        (start, (start + 1 + length.index(8)).min(chars.len()).max(start))
    };
    let all = |part: &[char]| part.iter().collect::<String>();
    match change {
        Change::Insert(at, more) => {
            let (start, _) = span(at, at);
            all(&chars[..start]) + more + &all(&chars[start..])
        }
        Change::Remove(at, length) => {
            let (start, end) = span(at, length);
            all(&chars[..start]) + &all(&chars[end..])
        }
        Change::Repeat(at, length) => {
            let (start, end) = span(at, length);
            all(&chars[..end]) + &all(&chars[start..])
        }
    }
}
