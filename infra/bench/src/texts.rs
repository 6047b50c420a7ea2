//! What people write: posts of 300 characters and twenty different words, no two alike.

const WORDS: [&str; 40] = [
    "morning", "river", "coffee", "market", "garden", "window", "winter", "summer", "letter", "music",
    "bridge", "street", "friend", "dinner", "train", "station", "harbour", "island", "mountain", "forest",
    "village", "kitchen", "picture", "story", "teacher", "school", "doctor", "hospital", "football",
    "concert", "festival", "holiday", "bicycle", "umbrella", "evening", "weather", "thunder", "rainbow",
    "candle", "basket",
];
const CHARACTERS: usize = 300;
/// Different words of a text, beside its number.
const DIFFERENT: usize = 19;

/// Returns a text of 300 characters.
pub(crate) fn post(number: usize) -> String {
    let mut text = format!("{number}:");
    for place in (0..DIFFERENT).cycle() {
        text.push(' ');
        text.push_str(WORDS[(number + place) % WORDS.len()]);
        if text.len() >= CHARACTERS {
            break;
        }
    }
    text.truncate(CHARACTERS);
    text
}
