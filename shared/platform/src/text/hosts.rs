//! Hosts of links in texts.

use std::net::Ipv4Addr;

use icu_properties::props::Script;

use super::scripts::{is_ignorable, is_joiner, is_mark, is_other_number, script};

/// Prefix of the ASCII form of an international label.
const ASCII_FORM: &str = "xn--";
/// Minimum length of a top-level domain.
const TOP_LEVEL_MIN_CHARS: usize = 2;

/// Returns the length of the host at the start of a text, including the port. Returns `None` if there is no host, or if
/// a user or password is before it. The text may continue without a space after the host.
pub(super) fn host_length(text: &str) -> Option<usize> {
    let run = text.find(|char| !is_host_char(char)).map_or(text, |end| &text[..end]);
    let run = run.split("..").next().unwrap_or(run);
    let host = until_other_script(run).trim_end_matches(|char: char| !can_end(char));
    let (name, rest) = (is_name(host), &text[host.len()..]);
    (name && !has_user(text)).then(|| host.len() + port_length(rest))
}

/// Returns whether a user, and possibly a password, is before the host.
fn has_user(text: &str) -> bool {
    let user = text.find(|char: char| !char.is_ascii_alphanumeric() && !"-._~%+:".contains(char));
    user.is_some_and(|end| text[end..].starts_with('@'))
}

/// Returns the length of the port at the start of a text, with its colon. Returns 0 if there is no port.
fn port_length(text: &str) -> usize {
    let Some(port) = text.strip_prefix(':') else { return 0 };
    let digits = port.find(|char: char| !char.is_ascii_digit()).map_or(port, |end| &port[..end]);
    digits.parse::<u16>().map_or(0, |_| 1 + digits.len())
}

/// Returns whether a character can be in a host. `·` is a part of Catalan words.
fn is_host_char(char: char) -> bool {
    can_end(char) || is_joiner(char) || matches!(char, '-' | '.' | '_' | '·')
}

fn can_end(char: char) -> bool {
    let is_letter = char.is_alphanumeric() && !is_other_number(char);
    (is_letter || is_mark(char)) && !is_ignorable(char)
}

/// Returns the part of a host before a text in another script. A top-level domain has letters of one script. Other
/// labels can mix scripts, but if two or more Latin letters begin a label after the first, they are the top-level
/// domain.
fn until_other_script(host: &str) -> &str {
    let first = usize::from(host.starts_with("www."));
    let mut start = 0;
    for (index, label) in host.split('.').enumerate() {
        let end = start + label.len();
        let is_last = end == host.len();
        let border = border(label).filter(|at| is_last || index > first && is_top_level(&label[..*at]));
        if let Some(at) = border.or(hyphen(label).filter(|_| is_last && index > 0)) {
            return &host[..start + at];
        }
        start = end + 1;
    }
    host
}

fn is_top_level(label: &str) -> bool {
    label.len() >= TOP_LEVEL_MIN_CHARS && label.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns the position of the first sign in a label. A top-level domain has no sign, except in its ASCII form.
fn hyphen(label: &str) -> Option<usize> {
    let is_ascii_form =
        label.get(..ASCII_FORM.len()).is_some_and(|start| start.eq_ignore_ascii_case(ASCII_FORM));
    label.find(['-', '_', '·']).filter(|_| !is_ascii_form)
}

/// Returns the position of the first letter in a different script than the first letter.
fn border(label: &str) -> Option<usize> {
    let mut scripts = label.char_indices().filter_map(|(at, char)| Some((at, group(char)?)));
    let (_, first) = scripts.next()?;
    scripts.find(|(_, script)| *script != first).map(|(at, _)| at)
}

/// Returns the script of a letter. The scripts of Chinese, Japanese and Korean count as one, because words mix them.
/// Returns `None` for digits, marks and signs.
fn group(char: char) -> Option<Script> {
    match script(char) {
        Script::Common | Script::Inherited => None,
        Script::Hiragana | Script::Katakana | Script::Bopomofo | Script::Hangul => Some(Script::Han),
        script => Some(script),
    }
}

/// Returns whether a text is a host. Each label of a host starts and ends with a letter or digit.
fn is_name(host: &str) -> bool {
    let is_label = |label: &str| label.starts_with(can_end) && label.ends_with(can_end);
    host.split('.').all(is_label) && has_top_level(host)
}

/// Returns whether a host has a valid top-level domain, or is an IPv4 address or a name without dots.
fn has_top_level(host: &str) -> bool {
    match host.rsplit_once('.') {
        None => host.contains(char::is_alphabetic),
        Some((_, last)) => {
            let letters = last.chars().take(TOP_LEVEL_MIN_CHARS).filter(|char| char.is_alphabetic());
            letters.count() == TOP_LEVEL_MIN_CHARS || host.parse::<Ipv4Addr>().is_ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_ends_before_text_without_a_space() {
        for host in [
            "example.com",
            "EXAMPLE.co.uk",
            "a-b.example.com:8080",
            "my_site.example.com",
            "127.0.0.1:3000",
            "localhost",
            "münchen.de",
            "例え.jp",
            "tシャツ.jp",
            "www.tシャツ.jp",
            "www.abcシャツ.jp",
            "paral·lel.cat",
            "xn--r8jz45g.xn--zckzah",
            "пример.рф",
            "موقع.السعودية",
            "उदाहरण.भारत",
        ] {
            for after in [
                "", "•", "→x", "’s", "'s", "—x", "…", "/", "?a", "#a", ",x", ";x", "!x", "(x)", "=x", "+x",
                "~x", "&x", "*", "_", "-", ".", "...x", ":", ":x", ":99999", "½", "²", "❤️", "\u{200B}",
                "\u{FE0F}",
            ] {
                let text = format!("{host}{after}");
                assert_eq!(host_length(&text).map(|end| &text[..end]), Some(host), "{text}");
            }
        }
    }

    #[test]
    fn a_host_ends_before_letters_of_another_script() {
        for (text, host) in [
            ("example.com에서", "example.com"),
            ("example.comを見て", "example.com"),
            ("example.com입니다.감사합니다", "example.com"),
            ("example.com或者example.org", "example.com"),
            ("example.comค่ะ", "example.com"),
            ("example.comهنا", "example.com"),
            ("example.com-x", "example.com"),
            ("example.com_x", "example.com"),
            ("例え.jpを見て", "例え.jp"),
            ("пример.рф에서", "пример.рф"),
            ("localhost에서", "localhost"),
            ("example.com:80에서", "example.com:80"),
        ] {
            assert_eq!(host_length(text).map(|end| &text[..end]), Some(host), "{text}");
        }
    }

    #[test]
    fn a_text_without_a_valid_host_has_none() {
        for text in
            ["", "/", ".", "-", "v1.1", "1.2.3", "12345", "•", "ann:secret@example.com", "example.com@bob"]
        {
            assert_eq!(host_length(text), None, "{text}");
        }
    }
}
