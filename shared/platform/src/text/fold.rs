//! Comparable forms of texts.

use icu_properties::props::Script;
use unicode_normalization::UnicodeNormalization;

use super::scripts::{is_ignorable, is_mark, is_other_number, is_pictograph, script};

/// The character that joins pictographs to one emoji.
const JOINER: char = '\u{200D}';
/// The emoji that becomes the flag of a region, such as Scotland, with the tag characters after it.
const TAGGED_FLAG: char = '\u{1F3F4}';
/// The line that makes Arabic words longer.
const TATWEEL: char = 'ـ';

/// Converts a text to a form in which spellings of a word are equal: `Łódź` becomes `lodz`, and `Straße` `strasse`.
///
/// Ignores case, width, accents of Latin and Greek letters, and stress marks of Cyrillic letters. Also ignores the
/// optional vowel points of Arabic and Hebrew. Keeps marks that form a different letter, such as vowel signs and
/// dakuten.
pub fn fold(text: &str) -> String {
    let (mut folded, mut base) = (String::with_capacity(text.len()), None);
    for char in without_ignorable(text.nfkd()).filter(|char| *char != TATWEEL) {
        if !is_mark(char) {
            base = Some(char);
            char.to_lowercase().for_each(|letter| push_plain(&mut folded, letter));
        } else if !is_accent(char, base) {
            folded.push(char);
        }
    }
    folded.nfc().collect()
}

/// Converts a text to a form that is equal for texts that look the same. In contrast to [`fold`], keeps accents,
/// superscripts and subscripts.
pub fn same_looking(text: &str) -> String {
    let letters = without_ignorable(text.chars().flat_map(plain_width)).filter(|char| *char != '\u{2800}');
    let letters: String = letters.flat_map(char::to_lowercase).nfc().collect();
    let letters = letters.replace('ς', "σ").replace('ß', "ss");
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the usual spelling of a character that Unicode contains several times, such as `ｶ` and `ﬁ`.
fn plain_width(char: char) -> Vec<char> {
    match char {
        '\u{2070}'..='\u{209F}' => vec![char],
        _ if is_other_number(char) => vec![char],
        _ => [char].into_iter().nfkd().collect(),
    }
}

/// Removes invisible characters. Keeps the invisible characters that determine an emoji: joiners between pictographs,
/// and the tags of flags.
fn without_ignorable(chars: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let (mut before, mut joiner) = (None, None);
    chars
        .flat_map(move |char| match char {
            '\u{E0020}'..='\u{E007F}' => [None, Some(char).filter(|_| before == Some(TAGGED_FLAG))],
            _ if is_ignorable(char) => {
                joiner = joiner.or(Some(char).filter(|char| *char == JOINER));
                [None, None]
            }
            _ => {
                let pair = before.replace(char).is_some_and(takes_joiner) && is_pictograph(char);
                [joiner.take().filter(|_| pair), Some(char)]
            }
        })
        .flatten()
}

/// Returns whether a character can be joined to the pictograph after it: a pictograph, or a skin tone.
fn takes_joiner(char: char) -> bool {
    is_pictograph(char) || matches!(char, '\u{1F3FB}'..='\u{1F3FF}')
}

/// Appends the plain spelling of a lower-case letter. Unicode does not decompose these letters.
fn push_plain(folded: &mut String, letter: char) {
    match letter {
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ß' => folded.push_str("ss"),
        'þ' => folded.push_str("th"),
        'đ' | 'ð' => folded.push('d'),
        'ħ' => folded.push('h'),
        'ı' => folded.push('i'),
        'ł' => folded.push('l'),
        'ø' => folded.push('o'),
        'ŧ' => folded.push('t'),
        'ς' => folded.push('σ'),
        _ => folded.push(letter),
    }
}

/// Returns whether `mark` is only an accent on `base`, which many writers omit.
fn is_accent(mark: char, base: Option<char>) -> bool {
    let is_generic =
        matches!(mark, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}');
    match base.map(script) {
        Some(Script::Latin | Script::Greek) => is_generic,
        Some(Script::Cyrillic) => {
            matches!(mark, '\u{300}' | '\u{301}') || (mark == '\u{308}' && matches!(base, Some('е' | 'Е')))
        }
        Some(Script::Arabic) => matches!(mark, '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{652}' | '\u{670}'),
        Some(Script::Hebrew) => matches!(mark, '\u{591}'..='\u{5C7}'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_word_are_equal() {
        for (one, other) in [
            ("Đà Lạt", "da lat"),
            ("İstanbul", "istanbul"),
            ("ΟΔΟΣ", "οδός"),
            ("ёлка", "елка"),
            ("서울", "\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}"),
            ("كِتَاب", "كتاب"),
            ("ضـً", "ض"),
            ("می\u{200C}خواهم", "میخواهم"),
            ("🏳️\u{200D}🌈", "🏳\u{200D}🌈"),
            ("🙂\u{200D}", "🙂"),
        ] {
            assert_eq!(fold(one), fold(other), "{one}");
        }
    }

    #[test]
    fn different_words_stay_different() {
        let pairs = [
            ("か", "が"),
            ("мой", "мои"),
            ("ड", "ड़"),
            ("กา", "กี"),
            ("أ", "ا"),
            ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
            ("👩\u{200D}👧", "👩👧"),
        ];
        for (one, other) in pairs {
            assert_ne!(fold(one), fold(other), "{one}");
        }
    }

    #[test]
    fn only_texts_that_look_the_same_are_equal() {
        for (one, other) in [("Ｔｅａ", "tea"), ("ｶﾞ", "ガ"), ("ﬁn", "FIN"), ("❤️", "❤"), ("Å", "Å")]
        {
            assert_eq!(same_looking(one), same_looking(other), "{one}");
        }
        for (one, other) in
            [("10²", "102"), ("H₂O", "H2O"), ("①", "1"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿"), ("👩\u{200D}💻", "👩💻")]
        {
            assert_ne!(same_looking(one), same_looking(other), "{one}");
        }
    }
}
