//! Decodes pages from the encodings of the web.

use std::{borrow::Cow, sync::LazyLock};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use regex::bytes::Regex;

/// Matches the encoding in `<meta charset>`, `<meta http-equiv>` or an XML declaration.
static DECLARED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?i-u)(?:<meta\s[^>]*?charset|<\?xml\s[^>]*?encoding)\s*=\s*["']?\s*([a-z0-9_:-]+)"#).ok()
});

/// Decodes a page. A byte order mark takes precedence over the content type's `charset`, which takes precedence over the
/// page's own declaration. A page that declares nothing is UTF-8 or windows-1252.
pub(super) fn decode<'a>(html: &'a [u8], content_type: &str) -> Cow<'a, str> {
    let encoding = in_content_type(content_type).or_else(|| declared(html)).unwrap_or_else(|| likely(html));
    // Also looks for a byte order mark. Replaces malformed and truncated sequences.
    encoding.decode(html).0
}

fn in_content_type(content_type: &str) -> Option<&'static Encoding> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let charset = parameters
        .map(|(name, value)| (name.trim(), value.trim()))
        .find(|(name, _)| name.eq_ignore_ascii_case("charset"));
    Encoding::for_label(charset?.1.trim_matches(['"', '\'']).as_bytes())
}

fn declared(html: &[u8]) -> Option<&'static Encoding> {
    let label = DECLARED.as_ref()?.captures(html)?.get(1)?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // The declaration was readable as ASCII, so the page is not in UTF-16.
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

fn likely(html: &[u8]) -> &'static Encoding {
    match std::str::from_utf8(html) {
        Err(error) if error.error_len().is_some() => WINDOWS_1252,
        _ => UTF_8,
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
    }
}
