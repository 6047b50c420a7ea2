//! Invisible characters.

use icu_properties::props::Script;

use super::scripts::{
    is_ignorable, is_joiner, is_mark, is_variation_selector, is_virama, replace_emojis, script,
};

/// Returns whether a text has a visible character, and at most `chars_max` Unicode scalar values.
pub fn is_text(text: &str, chars_max: usize) -> bool {
    !text.chars().all(is_blank) && text.chars().count() <= chars_max
}

/// Returns a text that may be empty.
///
/// # Errors
/// Fails with `too_long` if the text has more than `chars_max` Unicode scalar values. Also fails if the text is not
/// empty and has no visible character.
pub fn optional_text(text: &str, chars_max: usize, too_long: &'static str) -> Result<String, &'static str> {
    match text.chars().count() {
        chars if chars > chars_max => Err(too_long),
        chars if chars > 0 && !is_text(text, chars_max) => Err("must have a visible character"),
        _ => Ok(text.to_owned()),
    }
}

/// Returns whether a name has invisible characters, or spaces other than U+0020. Also returns true if the name begins
/// with a combining mark, which would change the character before the name.
///
/// Emojis may contain joiners and variation selectors. Letters of scripts such as Arabic and Devanagari may have joiners
/// between them. A joiner may follow a letter without its vowel, and a variation selector a letter that has variants.
pub fn has_hidden_chars(name: &str) -> bool {
    let name = replace_emojis(name, "x");
    let (mut letter, mut before) = (None, None);
    let mut chars = name.chars().peekable();
    while let Some(char) = chars.next() {
        let is_allowed = match char {
            ' ' => true,
            _ if is_joiner(char) => {
                let joins_after = chars.peek().is_some_and(|after| joins(*after));
                let ends_half_letter = char == '\u{200D}' && before.is_some_and(is_virama);
                (joins_after || ends_half_letter)
                    && letter.is_some_and(joins)
                    && !before.is_some_and(is_joiner)
            }
            _ if is_variation_selector(char) => before.is_some_and(has_variants),
            _ if is_mark(char) => letter.is_some() && !is_blank(char),
            _ => !is_blank(char),
        };
        if !is_allowed {
            return true;
        }
        before = Some(char);
        letter = if is_mark(char) || is_joiner(char) { letter } else { before };
    }
    false
}

fn is_blank(char: char) -> bool {
    let is_filler = matches!(char, '\u{2800}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1D159}');
    char.is_whitespace() || char.is_control() || is_ignorable(char) || is_filler
}

fn has_variants(letter: char) -> bool {
    matches!(script(letter), Script::Han | Script::Mongolian | Script::Myanmar | Script::PhagsPa)
}

/// Returns whether a letter belongs to a script whose letters change their shape next to a joiner.
fn joins(letter: char) -> bool {
    const JOINING: [Script; 22] = [
        Script::Adlam,
        Script::Arabic,
        Script::Balinese,
        Script::Bengali,
        Script::Devanagari,
        Script::Gujarati,
        Script::Gurmukhi,
        Script::HanifiRohingya,
        Script::Javanese,
        Script::Kannada,
        Script::Khmer,
        Script::Malayalam,
        Script::Mandaic,
        Script::Mongolian,
        Script::Myanmar,
        Script::Nko,
        Script::Oriya,
        Script::PhagsPa,
        Script::Sinhala,
        Script::Syriac,
        Script::Tamil,
        Script::Telugu,
    ];
    JOINING.contains(&script(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_visible_characters() {
        for blank in ["", " ", "\0"] {
            assert!(!is_text(blank, 9), "{blank:?}");
        }
        for text in ["a", "。", "🙂", "\u{200B}a", "\u{6DD}", "\u{301}"] {
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
            "👩‍👩‍👧‍👦",
            "1️⃣",
            "ᠮᠣᠩᠭᠣᠯ\u{180B}",
            "مَ\u{200D}ن",
            "മിഥുന്\u{200D}",
            "ত্\u{200D} সেন",
            "🕵🏽\u{200D}♂️ Bo",
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
        let tags = "🙂\u{E0061}\u{E0062}\u{E007F}";
        for name in [
            "علی\u{200C}",
            "\u{200D}क",
            "🙂\u{200D}",
            "ന്\u{200C}",
            "ന\u{200D}",
            "\u{E0067}",
            tags,
            "🙂\u{FE0F}\u{FE0F}",
            "ع\u{200C}\u{200C}ع",
        ] {
            assert!(has_hidden_chars(name), "{name:?}");
        }
    }
}
