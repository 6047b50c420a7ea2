//! Checks that grade a worthless text without asking the judge.

use std::sync::LazyLock;

use judge::{Category, Flag, Grade, Score};
use posts::Content;
use regex::Regex;

const CONTENT_MIN_CHARS: usize = 10;
const LINKS_MAX: usize = 2;

static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)https?://|(?:^|[^/\w.])www\.").ok());

/// Returns the lowest grade for a text that is too short, has no words, or has 3 links or more; none for any
/// other.
pub(super) fn grade(content: &Content) -> Option<Grade> {
    let text = content.as_str().trim();
    let nothing = |reason, flags| Some(Grade::new(Score::NOTHING, Category::Noise, reason, flags));
    match () {
        () if !text.chars().any(is_of_a_word) => nothing("it has no words", Vec::new()),
        () if text.chars().count() < CONTENT_MIN_CHARS => nothing("it is too short", Vec::new()),
        () if links(text) > LINKS_MAX => nothing("it is full of links", vec![Flag::Spam]),
        () => None,
    }
}

fn links(text: &str) -> usize {
    LINK.as_ref().map_or(0, |it| it.find_iter(text).count())
}

/// Whether it is a letter or digit; the letters in Unicode's blocks of symbols are not.
fn is_of_a_word(letter: char) -> bool {
    letter.is_alphanumeric() && !matches!(letter, '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_emoji_and_links_are_worth_nothing() {
        for (text, nothing) in [
            ("123456789", true),
            ("  123456789  ", true),
            ("1234567890", false),
            ("chín chữ!!", false),
            ("😀😀😀😀😀😀😀😀😀😀😀😀", true),
            ("👩‍👩‍👧‍👦 🇻🇳 ❤️ !!! ... 🅰️🅰️🅰️", true),
            ("good 😀😀😀😀😀", false),
            ("see https://a.example and http://b.example", false),
            ("see https://a.example http://b.example www.c.example", true),
            ("see https://www.a.example and https://www.b.example", false),
            ("https://a.example,https://b.example,HTTPS://c.example", true),
        ] {
            let content = Content::try_from(text.to_owned()).unwrap();
            assert_eq!(grade(&content).is_some(), nothing, "{text}");
        }
    }
}
