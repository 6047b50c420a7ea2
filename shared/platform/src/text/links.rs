//! Links in texts.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};
use url::Url;

/// Characters that end a link, because they end a sentence or a part of it.
const ENDS: [char; 25] = [
    '。', '、', '，', '！', '？', '；', '：', '｡', '､', '،', '؛', '؟', '۔', '।', '॥', '።', '፣', '។', '။',
    '၊', '։', '།', '“', '„', '«',
];
/// Characters that are removed from the end of a link, in addition to the characters that the link finder removes.
const SENTENCE_ENDS: [char; 10] = ['”', '’', '»', '›', '…', '.', ',', '!', '?', '‘'];
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
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let found: Vec<_> = finder.links(text).map(|link| link.start()..link.end()).collect();
    let trimmed = found.into_iter().map(|range| {
        let link = until_end(&text[range.clone()]).trim_end_matches(SENTENCE_ENDS);
        range.start..range.start + link.len()
    });
    trimmed.filter(|range| is_web_url(&text[range.clone()]))
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
        } else if ENDS.contains(&char) || char.is_whitespace() {
            return &link[..at];
        }
    }
    open.first().map_or(link, |(at, _)| &link[..*at])
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
            ] {
                let text = format!("{before}{link}{after}");
                assert_eq!(links(&text).collect::<Vec<_>>(), [link], "{text}");
            }
        }
        let none = "nothing example.com www.example.com ann@example.com ftp://example.com javascript:alert(1) https://";
        assert_eq!(links(none).count(), 0);
    }
}
