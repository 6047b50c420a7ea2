//! Texts of 300 characters. All texts are different.

pub(crate) const TAGS: [&str; 6] = ["coffee", "running", "rust", "music", "hanoi", "books"];
pub(crate) const WORDS: [&str; 40] = [
    "morning", "river", "coffee", "market", "garden", "window", "winter", "summer", "letter", "music",
    "bridge", "street", "friend", "dinner", "train", "station", "harbour", "island", "mountain", "forest",
    "village", "kitchen", "picture", "story", "teacher", "school", "doctor", "hospital", "football",
    "concert", "festival", "holiday", "bicycle", "umbrella", "evening", "weather", "thunder", "rainbow",
    "candle", "basket",
];
const CHARACTERS: usize = 300;
/// Number of distinct words in a measured text. The text also contains its own number.
const DISTINCT_WORDS: usize = 19;

/// Returns `number` followed by repetitions of 19 words, 300 characters in total.
pub(crate) fn post(number: usize) -> String {
    of(number, DISTINCT_WORDS)
}

/// Returns `number` followed by repetitions of `distinct` words, 300 characters in total.
pub(crate) fn of(number: usize, distinct: usize) -> String {
    let mut text = format!("{number}:");
    for index in (0..distinct).cycle() {
        text.push(' ');
        text.push_str(WORDS[(number * distinct + index) % WORDS.len()]);
        if text.len() >= CHARACTERS {
            break;
        }
    }
    text.truncate(CHARACTERS);
    text
}
