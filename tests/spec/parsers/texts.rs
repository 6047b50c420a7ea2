//! Texts that somebody might send: any, and good ones with a few changes.

use proptest::{prelude::*, sample::Index};

/// What may happen to a text.
#[derive(Clone, Debug)]
enum Change {
    Insert(Index, String),
    Remove(Index, Index),
    Repeat(Index, Index),
}

/// Any text, or one of these with changes.
pub(super) fn text(good: &[&str]) -> impl Strategy<Value = String> {
    let good = good.iter().map(|text| (*text).to_owned()).collect();
    prop_oneof![1 => ".{0,60}", 4 => changed(good)]
}

/// One of these with changes.
pub(super) fn changed(good: Vec<String>) -> impl Strategy<Value = String> {
    let change = prop_oneof![
        (any::<Index>(), r#"[0-9A-Za-z{}",:#%\[\] .\-\PC]{1,3}"#).prop_map(|(at, it)| Change::Insert(at, it)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, length)| Change::Remove(at, length)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, length)| Change::Repeat(at, length)),
    ];
    let changes = prop::collection::vec(change, 0..4);
    (prop::sample::select(good), changes).prop_map(|(good, changes)| changes.iter().fold(good, apply))
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
