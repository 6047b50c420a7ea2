//! Properties of characters.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup, Script},
};

/// Pattern of an emoji: a flag, a keycap, or pictographs that are joined, each with at most one modifier. Only the
/// flags of regions, such as Scotland, contain tag characters.
pub(super) const EMOJI: &str = r"(?x)
    \p{RI}\p{RI}
    | [0-9\#*]\u{FE0F}?\u{20E3}
    | \u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}
    | \p{ExtPict}[\p{EMod}\u{FE0E}\u{FE0F}]?(?:\u{200D}\p{ExtPict}[\p{EMod}\u{FE0E}\u{FE0F}]?){0,9}";

pub(super) fn script(char: char) -> Script {
    CodePointMapData::<Script>::new().get(char)
}

pub(super) fn is_mark(char: char) -> bool {
    GeneralCategoryGroup::Mark.contains(category(char))
}

pub(super) fn is_symbol(char: char) -> bool {
    GeneralCategoryGroup::Symbol.contains(category(char))
}

/// Returns whether a character joins letters without a space between them, and has no width itself.
pub(super) fn is_joiner(char: char) -> bool {
    matches!(char, '\u{200C}' | '\u{200D}')
}

/// Returns whether a character is default-ignorable. A renderer that does not support such a character shows nothing.
pub(super) fn is_ignorable(char: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(char)
}

/// Returns whether a letter with its marks can be a word. It is a Han or Hangul letter, or has a vowel sign.
pub fn is_syllable(letter: &str) -> bool {
    letter.chars().any(|char| matches!(script(char), Script::Han | Script::Hangul) || is_mark(char))
}

/// Returns whether a letter belongs to a script without spaces between words.
pub fn is_unspaced(char: char) -> bool {
    matches!(char, 'ー' | '〆')
        || matches!(
            script(char),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Bopomofo
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
                | Script::TaiLe
                | Script::NewTaiLue
                | Script::TaiTham
                | Script::TaiViet
                | Script::Javanese
                | Script::Balinese
        )
}

fn category(char: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(char)
}
