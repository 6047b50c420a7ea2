//! Gives worthless texts the lowest grade without asking the judge.

use std::sync::LazyLock;

use judge::{Category, Flag, Grade, Score};
use posts::Content;
use regex::Regex;

const CONTENT_MIN_CHARS: usize = 10;
const LINKS_MAX: usize = 2;

static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)https?://|(?:^|[^/\w.])www\.").ok());

/// Returns the lowest grade if the text has no words, fewer than 10 characters, or at least 3 links. Otherwise returns
/// `None`.
pub(super) fn grade(content: &Content) -> Option<Grade> {
    let text = content.as_str().trim();
    let lowest = |reason, flags| Some(Grade::new(Score::ZERO, Category::Noise, reason, flags));
    match () {
        () if !text.chars().any(is_word_char) => lowest("The text has no words.", Vec::new()),
        () if text.chars().count() < CONTENT_MIN_CHARS => lowest("The text is too short.", Vec::new()),
        () if links(text) > LINKS_MAX => lowest("The text has too many links.", vec![Flag::Spam]),
        () => None,
    }
}

fn links(text: &str) -> usize {
    LINK.as_ref().map_or(0, |link| link.find_iter(text).count())
}

/// Returns whether `char` is a letter or digit. Excludes letters in Unicode's symbol blocks, such as 🅰.
fn is_word_char(char: char) -> bool {
    char.is_alphanumeric() && !matches!(char, '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_wordless_and_link_heavy_texts_get_the_lowest_grade() {
        for (text, is_lowest) in [
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
            assert_eq!(grade(&content).is_some(), is_lowest, "{text}");
        }
    }
}
