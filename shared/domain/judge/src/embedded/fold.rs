//! Normalizes the spelling of a text. Converts letters to lower case, removes invisible letters, replaces disguised
//! letters, and shortens repeated letters.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Ends of host names that count as links without `https://`. Excludes ends that are common words, because people often
/// omit the space after a period.
const HOST_ENDS: [&str; 25] = [
    "com", "net", "org", "info", "vn", "io", "xyz", "club", "vip", "top", "shop", "site", "app", "biz", "ru",
    "online", "store", "pro", "fun", "tv", "cc", "live", "bet", "win", "link",
];
const LINK_PARTS: [&str; 6] = ["http://", "https://", "www.", "bit.ly/", "t.me/", "zalo.me/"];
/// Units of quantities such as `50k`, `10tr` and `15cm`.
const UNITS: [&str; 25] = [
    "k", "x", "tr", "trieu", "triệu", "ty", "tỷ", "tỉ", "d", "đ", "vnd", "usd", "usdt", "btc", "eth", "kg",
    "g", "cm", "m", "km", "h", "p", "gb", "mb", "s",
];
/// Signs that separate the parts of a chunk. A chunk is a text between spaces.
const PART_ENDS: [char; 7] = ['/', ',', '+', '=', ':', '-', '~'];
const TELEPHONE_DIGITS: std::ops::RangeInclusive<usize> = 9..=12;

/// Returns the normalized words of a text, with their diacritics. A number becomes `#`, a quantity such as `50k`
/// becomes `#k`. A telephone number becomes `tel`, and a link `url`.
pub fn words(text: &str) -> Vec<String> {
    let chunks: Vec<_> = text.split_whitespace().collect();
    let runs = chunks.chunk_by(|left, right| is_numeric(left) && is_numeric(right));
    runs.flat_map(words_of_run).collect()
}

/// Returns the normalized words of a text without diacritics, separated by spaces.
pub fn fold(text: &str) -> String {
    plain(&words(text).join(" "))
}

/// Removes diacritics.
pub fn plain(text: &str) -> String {
    text.nfd().filter(|char| !is_combining_mark(*char)).map(plain_letter).collect()
}

/// Shortens each run of the same letter to one letter: `coool` becomes `col`.
pub(super) fn squeezed(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// Returns the normalized words of a run. A run consists of consecutive numbers, or of one chunk that is not a number.
fn words_of_run(run: &[&str]) -> Vec<String> {
    let digits: String = run.concat().chars().filter(char::is_ascii_digit).collect();
    let is_telephone = run.iter().all(|chunk| is_numeric(chunk))
        && TELEPHONE_DIGITS.contains(&digits.len())
        && (digits.starts_with('0') || digits.starts_with("84") || run.concat().starts_with('+'));
    match run {
        _ if is_telephone => vec!["tel".to_owned()],
        [chunk] if is_link(chunk) => vec!["url".to_owned()],
        _ => run.iter().flat_map(|chunk| chunk.split(PART_ENDS)).flat_map(words_of).collect(),
    }
}

/// Returns whether a chunk has only digits and the signs that separate digits.
fn is_numeric(chunk: &str) -> bool {
    let is_part = |char: char| char.is_ascii_digit() || "+-.()".contains(char);
    chunk.chars().all(is_part) && chunk.contains(|char: char| char.is_ascii_digit())
}

fn is_link(chunk: &str) -> bool {
    let chunk = chunk.to_lowercase();
    LINK_PARTS.iter().any(|part| chunk.contains(part)) || is_host(&chunk)
}

/// Returns whether a chunk begins with a host name such as `shop88.vn`.
fn is_host(chunk: &str) -> bool {
    let chunk = chunk.trim_matches(|char: char| !char.is_ascii_alphanumeric());
    let host = chunk.split('/').next().unwrap_or_default();
    let is_name = |name: &str| {
        name.len() > 1 && name.chars().all(|char| char.is_ascii_alphanumeric() || "-.".contains(char))
    };
    host.rsplit_once('.').is_some_and(|(name, end)| is_name(name) && HOST_ENDS.contains(&end))
}

/// Returns the normalized words of a part of a chunk. Keeps a star inside a word, because the star replaces a letter.
fn words_of(part: &str) -> Vec<String> {
    let lower: Vec<char> = part.nfkc().flat_map(char::to_lowercase).map(latin_letter).collect();
    let lower: Vec<char> = lower.into_iter().filter(|letter| !is_invisible(*letter)).collect();
    let letters = lower.iter().filter(|letter| letter.is_alphabetic()).count();
    let lower: String = if letters > 1 { undisguised(&lower) } else { lower.iter().collect() };
    let words = lower.nfc().collect::<String>();
    let words = words.split(|char: char| !char.is_alphanumeric() && char != '*');
    words.map(|word| word.trim_matches('*')).filter(|word| !word.is_empty()).map(normalized).collect()
}

/// Returns a number as `#`, a quantity with its unit, and other words with shortened runs of letters.
fn normalized(word: &str) -> String {
    let unit = word.trim_matches(char::is_numeric);
    match word.starts_with(char::is_numeric) {
        true if unit.is_empty() => "#".to_owned(),
        true if UNITS.contains(&unit) => format!("#{unit}"),
        false if unit == "x" => "x#".to_owned(),
        _ => shorten(word),
    }
}

fn latin_letter(letter: char) -> char {
    match letter {
        'ı' | 'і' => 'i',
        'ß' => 's',
        'а' => 'a',
        'е' => 'e',
        'о' => 'o',
        'с' => 'c',
        'р' => 'p',
        'у' => 'y',
        'х' => 'x',
        'к' => 'k',
        other => other,
    }
}

/// Replaces `đ`, the only Vietnamese letter that Unicode does not decompose.
fn plain_letter(letter: char) -> char {
    if letter == 'đ' { 'd' } else { letter }
}

/// Replaces digits and signs that are used as letters: `k1ll`, `$cam`, `b!tch`. Keeps quantities such as `10tr`, and
/// digits at the end of a word such as `iphone14`.
fn undisguised(letters: &[char]) -> String {
    let text: String = letters.iter().collect();
    let unit = text.trim_matches(|char: char| !char.is_alphabetic());
    if text.starts_with(char::is_numeric) && UNITS.contains(&unit) {
        return text;
    }
    let end = text.trim_end_matches(|char: char| !char.is_alphanumeric());
    let name = end.trim_end_matches(char::is_numeric);
    let is_numbered = end.len() - name.len() > 1 && !end.ends_with("55");
    let (disguised, rest) = text.split_at(if is_numbered { name.len() } else { text.len() });
    let disguised = disguised.replace("11", "ll");
    let letters: Vec<char> = disguised.chars().collect();
    let next_to_letter = |at: usize| letters.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric());
    let undisguised = letters.iter().enumerate().map(|(at, letter)| match letter {
        '!' | '|' if at > 0 && next_to_letter(at) => 'i',
        letter => letter_of(*letter),
    });
    undisguised.collect::<String>() + rest
}

fn letter_of(sign: char) -> char {
    match sign {
        '0' => 'o',
        '1' => 'i',
        '3' | '€' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '9' => 'g',
        other => other,
    }
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Shortens each run of at least three equal letters to one letter: `soooo` becomes `so`. A word that is a single run
/// keeps two letters.
fn shorten(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let runs: Vec<_> = letters.chunk_by(|left, right| left == right).collect();
    let kept_letters = if runs.len() == 1 { 2 } else { 1 };
    let kept = runs.iter().flat_map(|run| if run.len() > 2 { &run[..kept_letters] } else { run });
    kept.collect()
}
