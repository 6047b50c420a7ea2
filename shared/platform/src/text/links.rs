//! Links in texts.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};
use url::Url;

use super::scripts::{is_ignorable, is_joiner, is_terminal, is_variation_selector};

/// Opening quotation marks, which end a link.
const OPENING_QUOTES: [char; 6] = ['“', '„', '‚', '‟', '«', '‹'];
/// Characters that are removed from the end of a link, in addition to the characters that the link finder removes.
const SENTENCE_ENDS: [char; 18] = [
    '”', '’', '»', '›', '…', '.', ',', '!', '?', '‘', '_', '~', '*', '・', '〜', '～', '\u{200C}', '\u{200D}',
];
/// Brackets. A link ends before a closing bracket that it did not open.
const BRACKETS: [(char, char); 11] = [
    ('〔', '〕'),
    ('〖', '〗'),
    ('｛', '｝'),
    ('｢', '｣'),
    ('（', '）'),
    ('「', '」'),
    ('『', '』'),
    ('【', '】'),
    ('《', '》'),
    ('〈', '〉'),
    ('［', '］'),
];

/// Returns the http and https URLs in a text, without the punctuation of the text around them.
pub fn links(text: &str) -> impl Iterator<Item = &str> {
    link_ranges(text).map(|range| &text[range])
}

/// Returns the byte ranges of the [`links`] in a text.
pub(super) fn link_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let words = text.split_inclusive(char::is_whitespace).map(move |word| {
        start += word.len();
        (start - word.len(), word)
    });
    words.flat_map(|(start, word)| {
        links_of_word(word).map(move |range| start + range.start..start + range.end)
    })
}

/// Returns the ranges of the links in a word. Removes signs at the end of the word first, because the link finder
/// ignores a link if a sign such as `~` follows its host.
fn links_of_word(word: &str) -> impl Iterator<Item = Range<usize>> {
    let word = word.trim_end().trim_end_matches(SENTENCE_ENDS);
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let found: Vec<_> = finder.links(word).map(|link| link.start()..link.end()).collect();
    let trimmed = found.into_iter().map(|range| {
        let link = until_end(&word[range.clone()]).trim_end_matches(SENTENCE_ENDS);
        range.start..range.start + link.len()
    });
    trimmed.filter(|range| is_web_url(&word[range.clone()]))
}

fn until_end(link: &str) -> &str {
    let mut open = Vec::new();
    for (at, char) in link.char_indices() {
        if let Some((_, close)) = BRACKETS.iter().find(|(opening, _)| *opening == char) {
            open.push((at, *close));
        } else if BRACKETS.iter().any(|(_, close)| *close == char) {
            match open.pop() {
                Some((_, close)) if close == char => {}
                _ => return &link[..at],
            }
        } else if ends_link(char) {
            return &link[..at];
        }
    }
    open.first().map_or(link, |(at, _)| &link[..*at])
}

/// Returns whether a character ends a link. Joiners and variation selectors are part of words and emojis in a link.
fn ends_link(char: char) -> bool {
    let is_hidden = is_ignorable(char) && !is_joiner(char) && !is_variation_selector(char);
    let is_sign = !char.is_ascii() && is_terminal(char);
    is_hidden || is_sign || char.is_whitespace() || OPENING_QUOTES.contains(&char)
}

/// Returns whether a text is an http or https URL.
pub fn is_web_url(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_excludes_the_punctuation_around_it() {
        for link in [
            "https://example.com",
            "http://example.com/a?b=c&d#e",
            "HTTPS://example.com/",
            "https://de.wikipedia.org/wiki/Link_(Zelda)",
            "https://ja.wikipedia.org/wiki/東京（曖昧）",
            "https://例え.jp/ä",
            "https://fa.wikipedia.org/wiki/می\u{200C}خواهم",
            "https://example.com/❤️/_a~b*c",
        ] {
            for (before, after) in [
                ("", ""),
                ("see (", "), or"),
                ("“", "”!"),
                ("「", "」と"),
                ("（", "）"),
                ("看", "。好"),
                ("", "\u{3000}と"),
                ("", "\u{A0}:"),
                ("", "\u{2003}x"),
                ("｢", "｣｡"),
                ("", "။ က"),
                ("انظر ", "، ثم"),
                ("", "\u{200B}next"),
                ("", "\u{200E}"),
                ("\u{2066}", "\u{2069}"),
                ("", "\u{FEFF}"),
                ("", "\u{AD}"),
                ("", "\u{200D}"),
                ("", "፧"),
                ("", "៕"),
                ("‚", "‘"),
                ("", "_"),
                ("~~", "~~"),
                ("*", "*,"),
                ("", "・"),
            ] {
                let text = format!("{before}{link}{after}");
                assert_eq!(links(&text).collect::<Vec<_>>(), [link], "{text}");
            }
        }
        let none = "nothing example.com www.example.com ann@example.com ftp://example.com javascript:alert(1) https://";
        assert_eq!(links(none).count(), 0);
    }
}
