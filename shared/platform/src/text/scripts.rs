//! Properties of characters.

use std::{borrow::Cow, ops::Range, sync::LazyLock};

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        CanonicalCombiningClass, DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory,
        GeneralCategoryGroup, Script, TerminalPunctuation,
    },
};
use regex::Regex;

static EMOJIS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(EMOJI).ok());

/// Pattern of an emoji: a flag, a keycap, or pictographs that are joined, each with at most one modifier. Only the
/// flags of regions, such as Scotland, contain tag characters.
const EMOJI: &str = r"(?x)
    \p{RI}\p{RI}
    | [0-9\#*]\u{FE0F}?\u{20E3}
    | \u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}
    | \p{ExtPict}[\p{EMod}\u{FE0E}\u{FE0F}]?(?:\u{200D}\p{ExtPict}[\p{EMod}\u{FE0E}\u{FE0F}]?){0,9}";

/// Returns the ranges of the emojis of a text. Leaves out letters without a variation selector, such as `ℹ` and `Ⓜ`.
pub(super) fn emojis(text: &str) -> impl Iterator<Item = Range<usize>> {
    let found = EMOJIS.iter().flat_map(move |emojis| emojis.find_iter(text));
    found.filter(|emoji| !emoji.as_str().chars().all(char::is_alphanumeric)).map(|emoji| emoji.range())
}

/// Replaces each emoji of a text with `by`.
pub(super) fn replace_emojis<'a>(text: &'a str, by: &str) -> Cow<'a, str> {
    EMOJIS.as_ref().map_or(text.into(), |emojis| emojis.replace_all(text, by))
}

pub(super) fn script(char: char) -> Script {
    CodePointMapData::<Script>::new().get(char)
}

pub(super) fn is_mark(char: char) -> bool {
    GeneralCategoryGroup::Mark.contains(category(char))
}

/// Returns whether a mark removes the vowel of the letter before it, in scripts of India.
pub(super) fn is_virama(char: char) -> bool {
    CodePointMapData::<CanonicalCombiningClass>::new().get(char) == CanonicalCombiningClass::Virama
}

pub(super) fn is_symbol(char: char) -> bool {
    GeneralCategoryGroup::Symbol.contains(category(char))
}

/// Returns whether a character is a number that is not a digit, such as `½` or `²`.
pub(super) fn is_other_number(char: char) -> bool {
    category(char) == GeneralCategory::OtherNumber
}

/// Returns whether a character ends a sentence or a part of it, such as `。` or `،`.
pub(super) fn is_terminal(char: char) -> bool {
    CodePointSetData::new::<TerminalPunctuation>().contains(char)
}

/// Returns whether a character is a pictograph. Most emojis consist of pictographs.
pub(super) fn is_pictograph(char: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(char)
}

/// Returns whether a character selects a variant of the character before it.
pub(super) fn is_variation_selector(char: char) -> bool {
    matches!(char, '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
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

/// Returns whether a letter belongs to a script without spaces between words. Digits are separate words in all scripts.
pub fn is_unspaced(char: char) -> bool {
    let is_letter = category(char) != GeneralCategory::DecimalNumber;
    matches!(char, 'ー' | '〆')
        || is_letter
            && matches!(
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
                    | Script::Ahom
                    | Script::Tangut
                    | Script::Nushu
                    | Script::KhitanSmallScript
            )
}

fn category(char: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(char)
}
