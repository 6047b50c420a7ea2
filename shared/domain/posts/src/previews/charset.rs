//! Decodes the text of web pages from their character encodings.

use std::{borrow::Cow, sync::LazyLock};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use html5gum::Token;
use regex::bytes::Regex;

use super::markup::{attribute, html_tokens};

/// Matches the encoding in a content type header or a `<meta>` element.
static CHARSET: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i-u)charset\s*=\s*["']?\s*([a-z0-9_:.-]+)"#).ok());
/// Matches the encoding in an XML declaration.
static XML: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i-u)^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([a-z0-9_:.-]+)"#).ok());

/// Decodes a page. The encoding comes from a byte order mark, the content type's `charset`, or the page's own
/// declaration, in this order. A page without these is UTF-8 or windows-1252.
pub(super) fn decode<'a>(page: &'a [u8], content_type: &str) -> Cow<'a, str> {
    let encoding =
        named(&CHARSET, content_type.as_bytes()).or_else(|| declared(page)).unwrap_or_else(|| likely(page));
    // `decode` also detects a byte order mark, and replaces malformed and truncated sequences.
    encoding.decode(page).0
}

/// Returns the encoding that a pattern finds in a text.
fn named(pattern: &LazyLock<Option<Regex>>, text: &[u8]) -> Option<&'static Encoding> {
    let label = pattern.as_ref()?.captures(text)?.get(1)?;
    Encoding::for_label_no_replacement(label.as_bytes())
}

fn declared(page: &[u8]) -> Option<&'static Encoding> {
    let encoding = named(&XML, page).or_else(|| in_meta(page))?;
    // The declaration was found by reading the page as ASCII, so the page cannot be UTF-16.
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

/// Returns the encoding in `<meta charset>` or `<meta http-equiv>`.
fn in_meta(page: &[u8]) -> Option<&'static Encoding> {
    let tags = html_tokens(page).filter_map(|token| match token {
        Token::StartTag(tag) => Some(tag),
        _ => None,
    });
    let head = tags.take_while(|tag| tag.name.as_slice() != b"body");
    head.filter(|tag| tag.name.as_slice() == b"meta").find_map(|tag| {
        let attribute = |name| attribute(&tag, name).map(|value| value.as_slice());
        let is_type = |kind: &[u8]| kind.trim_ascii().eq_ignore_ascii_case(b"content-type");
        match attribute("charset") {
            Some(label) => Encoding::for_label_no_replacement(label),
            None if attribute("http-equiv").is_some_and(is_type) => named(&CHARSET, attribute("content")?),
            None => None,
        }
    })
}

/// Returns windows-1252 if the page has more invalid UTF-8 bytes than valid non-ASCII characters. Otherwise returns
/// UTF-8. A sequence that is truncated at the end of the page is not invalid.
fn likely(page: &[u8]) -> &'static Encoding {
    let (mut valid_chars, mut invalid_bytes) = (0, 0);
    for part in page.utf8_chunks() {
        valid_chars += part.valid().chars().filter(|char| !char.is_ascii()).count();
        invalid_bytes += part.invalid().len();
    }
    if invalid_bytes > valid_chars
        && std::str::from_utf8(page).is_err_and(|error| error.error_len().is_some())
    {
        WINDOWS_1252
    } else {
        UTF_8
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, ISO_8859_2, SHIFT_JIS, WINDOWS_1251};

    use super::*;

    #[test]
    fn pages_are_decoded_from_their_declared_encoding() {
        for (encoding, text) in [
            (EUC_JP, "日本語のページ"),
            (SHIFT_JIS, "日本語のページ"),
            (EUC_KR, "한국어 페이지"),
            (GBK, "中文网页"),
            (BIG5, "中文網頁"),
            (WINDOWS_1251, "Страница"),
            (ISO_8859_2, "Łódź"),
            (UTF_8, "Trang tiếng Việt"),
        ] {
            let name = encoding.name();
            let bytes = |html: &str| encoding.encode(html).0.into_owned();
            let title = format!("<title>{text}</title>");
            for (html, content_type) in [
                (title.clone(), format!("text/html; Charset=\"{name}\"")),
                (format!("<meta charset='{name}'>{title}"), "text/html".to_owned()),
                (
                    format!("<META HTTP-EQUIV=content-type content='text/html; charset={name}'>{title}"),
                    "text/html".to_owned(),
                ),
                (
                    format!("<?xml version='1.0' encoding='{name}'?>{title}"),
                    "application/xhtml+xml".to_owned(),
                ),
            ] {
                assert!(decode(&bytes(&html), &content_type).contains(text), "{name}: {html}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_takes_precedence() {
        let utf16 = |bytes: fn(u16) -> [u8; 2]| {
            "\u{feff}<title>日本</title>".encode_utf16().flat_map(bytes).collect::<Vec<_>>()
        };
        for page in [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes), "\u{feff}<title>日本</title>".into()]
        {
            assert_eq!(decode(&page, "text/html; charset=windows-1252"), "<title>日本</title>");
        }
    }

    #[test]
    fn undeclared_and_damaged_pages_are_readable() {
        assert_eq!(decode(b"caf\xe9!", "text/html"), "café!");
        assert_eq!(decode("café…".as_bytes().split_last().unwrap().1, "text/html"), "café\u{fffd}");
        assert_eq!(decode("café".as_bytes(), "text/html; charset=nonsense"), "café");
        assert_eq!(decode("<meta charset=utf-16>é".as_bytes(), ""), "<meta charset=utf-16>é");
        assert!(decode(b"Vi\xe1\xbb\x87t \xc3\xa9 \xff", "text/html").starts_with("Việt é"));
    }

    #[test]
    fn only_valid_declarations_in_the_head_are_used() {
        for other in [
            "<!-- <meta charset=koi8-r> -->",
            "<script>'<meta charset=koi8-r>'</script>",
            "<meta name=description content='about charset=koi8-r'>",
            "<meta http-equiv=refresh content='0; charset=koi8-r'>",
            "<meta charset=unknown>",
            "<body><meta charset=koi8-r>",
        ] {
            let page = format!("{other}<meta charset=windows-1251>é");
            let expected = if other.starts_with("<body") { "é" } else { "Г©" };
            assert!(decode(page.as_bytes(), "text/html").ends_with(expected), "{other}");
        }
        assert_eq!(decode(b"\xd9", "text/html, charset=koi8-r"), "ы");
    }
}
