//! What people write: posts of 300 characters, no two alike.

pub(crate) const TAGS: [&str; 6] = ["coffee", "running", "rust", "music", "hanoi", "books"];
pub(crate) const WORDS: [&str; 40] = [
    "morning", "river", "coffee", "market", "garden", "window", "winter", "summer", "letter", "music",
    "bridge", "street", "friend", "dinner", "train", "station", "harbour", "island", "mountain", "forest",
    "village", "kitchen", "picture", "story", "teacher", "school", "doctor", "hospital", "football",
    "concert", "festival", "holiday", "bicycle", "umbrella", "evening", "weather", "thunder", "rainbow",
    "candle", "basket",
];
const CHARACTERS: usize = 300;
/// Different words of a text that is written while it is measured, beside its number.
const DIFFERENT: usize = 19;

/// Returns a text of 300 characters and twenty different words.
pub(crate) fn post(number: usize) -> String {
    of(number, DIFFERENT)
}

/// Returns a text of 300 characters and so many different words, beside its number.
pub(crate) fn of(number: usize, different: usize) -> String {
    let mut text = format!("{number}:");
    for place in (0..different).cycle() {
        text.push(' ');
        text.push_str(WORDS[(number * different + place) % WORDS.len()]);
        if text.len() >= CHARACTERS {
            break;
        }
    }
    text.truncate(CHARACTERS);
    text
}
