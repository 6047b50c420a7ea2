//! Links in texts.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};
use url::Url;

use super::{
    hosts::host_length,
    scripts::{is_ignorable, is_joiner, is_terminal, is_variation_selector},
};

/// Text between the scheme and the host of a link.
const SEPARATOR: &str = "://";

/// Opening quotation marks, which end a link.
const OPENING_QUOTES: [char; 6] = ['“', '„', '‚', '‟', '«', '‹'];
/// Characters that are removed from the end of a link, in addition to the characters that the link finder removes.
const SENTENCE_ENDS: [char; 22] = [
    '”', '’', '»', '›', '…', '.', ',', '!', '?', '‘', '_', '~', '*', '・', '〜', '～', '•', '→', '—', '–',
    '\u{200C}', '\u{200D}',
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
    let mut end = 0;
    text.match_indices(SEPARATOR).filter_map(move |(separator, _)| {
        let start = end + scheme_start(text.get(end..separator)?)?;
        let host = separator + SEPARATOR.len();
        let length = length(&text[..start], &text[host..])?;
        let link = until_end(&text[start..host + length]).trim_end_matches(SENTENCE_ENDS);
        end = start + link.len();
        is_web_url(link).then_some(start..end)
    })
}

/// Returns the start of the scheme at the end of a text, or `None` if the text does not end with a scheme of links.
fn scheme_start(text: &str) -> Option<usize> {
    ["https", "http"].into_iter().find_map(|scheme| {
        let start = text.len().checked_sub(scheme.len())?;
        let is_scheme = text.get(start..)?.eq_ignore_ascii_case(scheme);
        let is_part = text[..start].ends_with(|char: char| char.is_ascii_alphanumeric());
        (is_scheme && !is_part).then_some(start)
    })
}

/// Returns the length of a link after its scheme. `before` is the text before the link, and `rest` begins with its host.
fn length(before: &str, rest: &str) -> Option<usize> {
    let word = rest.split(char::is_whitespace).next()?;
    let host = host_length(word)?;
    Some(host + path_length(before, &word[host..]))
}

/// Returns the length of the path, query and fragment at the start of a text. The link finder does not know many
/// international domains, so it gets a link with a different host.
fn path_length(before: &str, text: &str) -> usize {
    if !text.starts_with(['/', '?', '#']) {
        return 0;
    }
    let quote: String =
        before.chars().next_back().filter(|char| matches!(char, '"' | '\'')).into_iter().collect();
    // The link finder ends a link before a fragment without a path.
    let slash = if text.starts_with('#') { "/" } else { "" };
    let host = format!("{quote}https://example.com{slash}");
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let link = format!("{host}{text}");
    finder.links(&link).next().map_or(0, |link| link.end().saturating_sub(host.len()))
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

/// Returns whether a text is an http or https URL, without whitespace and without a user or password.
pub fn is_web_url(text: &str) -> bool {
    // The URL parser ignores whitespace around a URL, and some whitespace in it.
    let is_clean = !text.contains(|char: char| char.is_whitespace() || char.is_control());
    let is_allowed = |url: Url| {
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_web && url.username().is_empty() && url.password().is_none()
    };
    is_clean && Url::parse(text).is_ok_and(is_allowed)
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
            "https://example.com#part",
            "https://пример.рф/путь",
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
                ("", "•"),
                ("→", "→"),
                ("", "—"),
                ("'", "'s"),
                ("", " https"),
            ] {
                let text = format!("{before}{link}{after}");
                assert_eq!(links(&text).collect::<Vec<_>>(), [link], "{text}");
            }
        }
        let none = "nothing example.com www.example.com ann@example.com ftp://example.com javascript:alert(1) https:// xhttps://example.com https://ann:secret@example.com https://-.com";
        assert_eq!(links(none).count(), 0, "{:?}", links(none).collect::<Vec<_>>());
    }

    #[test]
    fn links_without_spaces_between_them_are_separate() {
        for text in ["https://a.example,https://b.example", "看https://a.example和https://b.example/吧"] {
            let hosts: Vec<_> = links(text).map(|link| link[8..17].to_owned()).collect();
            assert_eq!(hosts, ["a.example", "b.example"], "{text}");
        }
        let pages = "https://a.example/x。https://b.example/y“https://c.example”";
        assert_eq!(links(pages).count(), 3);
        let nested = "https://archive.example/https://a.example/";
        assert_eq!(links(nested).collect::<Vec<_>>(), [nested]);
    }
}
