//! Characters that show nothing.

use std::sync::LazyLock;

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, Script},
};
use regex::Regex;

use super::scripts::{EMOJI, is_ignorable, is_joiner, script};

static EMOJIS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(EMOJI).ok());

/// Returns whether a text shows something and has at most `chars_max` Unicode scalar values.
pub fn is_text(text: &str, chars_max: usize) -> bool {
    !text.chars().all(is_blank) && text.chars().count() <= chars_max
}

/// Works as [`is_text`] does, but also accepts the empty text.
pub fn is_optional_text(text: &str, chars_max: usize) -> bool {
    text.is_empty() || is_text(text, chars_max)
}

/// Returns whether a name has characters that show nothing, or spaces that look like others.
///
/// Emojis may contain joiners and variation selectors. Letters of scripts such as Arabic and Devanagari may have joiners
/// between them, and Han letters may be followed by a variation selector.
pub fn has_hidden_chars(name: &str) -> bool {
    let Some(name) = EMOJIS.as_ref().map(|emojis| emojis.replace_all(name, "x")) else { return true };
    let mut before = None;
    let mut chars = name.chars().peekable();
    while let Some(char) = chars.next() {
        let is_allowed = match char {
            ' ' => true,
            '\u{200C}' | '\u{200D}' => {
                before.is_some_and(joins) && chars.peek().is_some_and(|after| joins(*after))
            }
            '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => {
                before.is_some_and(|letter| script(letter) == Script::Han)
            }
            _ => !is_blank(char),
        };
        if !is_allowed {
            return true;
        }
        before = Some(char).filter(|char| !is_joiner(*char));
    }
    false
}

/// Returns whether a character shows nothing.
fn is_blank(char: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(char);
    char.is_whitespace()
        || is_ignorable(char)
        || matches!(category, GeneralCategory::Control | GeneralCategory::Format)
        || char == '\u{2800}'
}

/// Returns whether a letter or mark belongs to a script whose letters change their shape between joiners.
fn joins(char: char) -> bool {
    matches!(
        script(char),
        Script::Arabic
            | Script::Syriac
            | Script::Mongolian
            | Script::Nko
            | Script::Devanagari
            | Script::Bengali
            | Script::Gurmukhi
            | Script::Gujarati
            | Script::Oriya
            | Script::Tamil
            | Script::Telugu
            | Script::Kannada
            | Script::Malayalam
            | Script::Sinhala
            | Script::Khmer
            | Script::Myanmar
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_shows_something() {
        for blank in [
            "",
            " ",
            "\u{200B}",
            "\u{2800}",
            "\u{3164}",
            "\u{202E}",
            "\0",
            "\u{FFA0}\u{115F}",
            "\u{AD}\u{FE0F}",
            "\u{E0041}",
        ] {
            assert!(!is_text(blank, 9), "{blank:?}");
        }
        for text in ["a", "。", "🙂", "\u{200B}a"] {
            assert!(is_text(text, 9), "{text:?}");
        }
    }

    #[test]
    fn a_name_has_no_hidden_characters() {
        for name in [
            "Ann Nguyễn",
            "Đặng Thị Ánh",
            "李小龍",
            "مريم",
            "Zoë ❤️",
            "अनन्या",
            "O'Neil-Ørsted 2",
            "علی\u{200C}رضا",
            "ක්\u{200D}රිෂ්",
            "👩‍👩‍👧‍👦",
            "Ann 👩🏽‍💻",
            "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Iain",
            "🇻🇳 Việt",
            "葛\u{E0100}城",
            "1️⃣",
        ] {
            assert!(!has_hidden_chars(name), "{name}");
        }
        for code in [
            0x00, 0x07, 0x0A, 0x7F, 0x85, 0xA0, 0xAD, 0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x202E, 0x2003,
            0x2028, 0x2060, 0x2066, 0x2800, 0x3000, 0x3164, 0xFE0F, 0xFEFF, 0xE0041,
        ] {
            let name = format!("An{}n", char::from_u32(code).unwrap());
            assert!(has_hidden_chars(&name), "{code:X}");
        }
        for name in ["علی\u{200C}", "\u{200D}क", "🙂\u{200D}", "\u{E0067}"] {
            assert!(has_hidden_chars(name), "{name:?}");
        }
    }
}
