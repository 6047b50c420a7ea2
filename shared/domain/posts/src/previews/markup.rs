//! Tokens of HTML and XHTML pages.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};

const HEAD_END: &[u8] = b"</head";
const CHECK_BYTES: usize = 16 * 1024;

/// The markup language of a page. Only in XHTML can elements be self-closing, and can scripts and titles contain tags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    Html,
    Xhtml,
}

impl Markup {
    /// Returns the markup language of a content type, or `None` for other kinds of files.
    pub(super) fn of(content_type: &str) -> Option<Self> {
        let kind = content_type.split(';').next().unwrap_or_default().trim();
        match kind {
            _ if kind.eq_ignore_ascii_case("text/html") => Some(Self::Html),
            _ if kind.eq_ignore_ascii_case("application/xhtml+xml") => Some(Self::Xhtml),
            _ => None,
        }
    }
}

/// Returns the tokens of an HTML page. Scripts, styles and titles contain no tags.
pub(super) fn html_tokens(page: &[u8]) -> impl Iterator<Item = Token> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(page, emitter).map(|Ok(token)| token)
}

pub(super) fn attribute<'a>(tag: &'a StartTag<()>, name: &str) -> Option<&'a HtmlString> {
    tag.attributes.get(name.as_bytes()).map(|found| &found.value)
}

/// Returns whether the whole head of a page has arrived. `new` is the offset of the newest bytes. Large pages are
/// checked only every 16 KiB, because each check reads the whole page.
pub(super) fn has_whole_head(page: &[u8], new: usize) -> bool {
    let checked = new / CHECK_BYTES * CHECK_BYTES;
    let is_due = page.len() < CHECK_BYTES || page.len() >= checked + CHECK_BYTES;
    let newest = &page[checked.saturating_sub(HEAD_END.len())..];
    let may_end = || newest.windows(HEAD_END.len()).any(|part| part.eq_ignore_ascii_case(HEAD_END));
    // `</head` may also occur in a script or a comment.
    let ends_head = |token| matches!(token, Token::EndTag(tag) if tag.name.as_slice() == b"head");
    is_due && may_end() && html_tokens(page).any(ends_head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_at_its_end_tag() {
        for page in
            ["<head></head>", "<HEAD>x</HEAD >", "<script>'</head>'</script></head><body>", "</head a='>'>"]
        {
            assert!(has_whole_head(page.as_bytes(), 0), "{page}");
            assert!(has_whole_head(page.as_bytes(), page.len() - 1), "{page}");
        }
        for page in [
            "<head>",
            "<script>'</head>'</script>",
            "<!-- </head> -->",
            "<title></head>",
            "</header>",
            "</he",
        ] {
            assert!(!has_whole_head(page.as_bytes(), 0), "{page}");
        }
    }
}
