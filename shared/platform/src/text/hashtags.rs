//! Hashtags in texts.
//!
//! They follow UAX #31's default hashtag identifiers (UAX31-D2), with `·`, `・`, ZWNJ and ZWJ between other characters.

use std::sync::LazyLock;

use regex::Regex;

use super::links::link_ranges;

/// Characters that are part of a hashtag only between other characters.
const MEDIAL: &str = r"[\u{B7}\u{387}\u{30FB}\u{FF65}\u{200C}\u{200D}]";

static HASHTAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let tag = tag();
    Regex::new(&format!(r"(?:^|[^\p{{XID_Continue}}#＃﹟&/)])[#＃﹟]({tag})")).ok()
});
static WHOLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("^{}$", tag())).ok());
static LETTER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[\p{XID_Start}--\p{Default_Ignorable_Code_Point}]").ok());

fn tag() -> String {
    let continues = format!(r"[\p{{XID_Continue}}--[{MEDIAL}\p{{Default_Ignorable_Code_Point}}]]");
    format!("{continues}+(?:{MEDIAL}+{continues}+)*")
}

/// Returns the hashtags of a text without `#`. Ignores the fragments of links.
pub fn hashtags(text: &str) -> impl Iterator<Item = &str> {
    let links: Vec<_> = link_ranges(text).collect();
    let found =
        HASHTAG.iter().flat_map(|pattern| pattern.captures_iter(text)).filter_map(|found| found.get(1));
    let outside = found.filter(move |tag| !links.iter().any(|link| link.contains(&tag.start())));
    outside.map(|tag| tag.as_str()).filter(|tag| has_letter(tag))
}

/// Returns whether a text is a hashtag without `#`.
pub fn is_hashtag(text: &str) -> bool {
    WHOLE.as_ref().is_some_and(|whole| whole.is_match(text)) && has_letter(text)
}

fn has_letter(text: &str) -> bool {
    LETTER.as_ref().is_some_and(|letter| letter.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hashtag_has_a_letter_and_is_outside_of_links() {
        for (text, tag) in [
            ("a #Cà_Phê and #tea", Some("Cà_Phê")),
            ("#one", Some("one")),
            ("＃東京 ・", Some("東京")),
            ("#️⃣ #1 #2024 #v2", Some("v2")),
            ("#col·lecció·", Some("col·lecció")),
            ("(#スター・ウォーズ)", Some("スター・ウォーズ")),
            ("see https://example.com/#part or a#b or &#x", None),
            ("#love\u{FE0F}", Some("love")),
            ("en.wikipedia.org/wiki/Rust_(language)#History", None),
        ] {
            assert_eq!(hashtags(text).next(), tag, "{text}");
        }
        for tag in
            [".", "..", "a/b", "a?b", "1", "_", "·a", "a·", "a b", "", "\u{3164}", "\u{1160}", "a\u{115F}b"]
        {
            assert!(!is_hashtag(tag), "{tag}");
        }
    }
}
