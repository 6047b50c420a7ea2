//! Reads what a page says of itself: Open Graph, what is meant for Twitter, or its title and description.

use std::collections::HashMap;

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};
use url::Url;

use super::row::PageSummary;

const TITLE_MAX_CHARS: usize = 300;
const DESCRIPTION_MAX_CHARS: usize = 500;
const IMAGE_MAX_BYTES: usize = 2048;

/// The name under which the text of `<title>` is kept.
const TITLE: &str = "title";
/// Where the title, the description and the picture stand: the first that says something is taken.
const TITLES: [&str; 3] = ["og:title", "twitter:title", TITLE];
const DESCRIPTIONS: [&str; 3] = ["og:description", "twitter:description", "description"];
const IMAGES: [&str; 4] = ["og:image:secure_url", "og:image", "og:image:url", "twitter:image"];

/// What the head of a page says, by name: the first of each.
type Head = HashMap<&'static str, String>;

/// Returns what a page says of itself; none for a page without a title. What is not UTF-8 is left out.
pub(super) fn summary(html: &[u8], url: &Url) -> Option<PageSummary> {
    let head = head(html);
    let first = |names: &[&str], max| names.iter().find_map(|name| text(head.get(name)?, max));
    let image = |name: &&str| image(head.get(name)?, url);
    Some(PageSummary {
        title: first(&TITLES, TITLE_MAX_CHARS)?,
        description: first(&DESCRIPTIONS, DESCRIPTION_MAX_CHARS),
        image: IMAGES.iter().find_map(image),
    })
}

/// Reads a page up to its body, which may be of strangers.
fn head(html: &[u8]) -> Head {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let (mut head, mut is_title) = (Head::new(), false);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) if tag.name.as_slice() == b"body" => break,
            Token::StartTag(tag) if tag.name.as_slice() == b"meta" => add_meta(&mut head, &tag),
            Token::StartTag(tag) => is_title = tag.name.as_slice() == TITLE.as_bytes(),
            Token::String(text) if is_title => add(&mut head, TITLE, &text),
            Token::EndTag(tag) if tag.name.as_slice() == b"head" => break,
            Token::EndTag(_) => is_title = false,
            _ => {}
        }
    }
    head
}

fn add_meta(head: &mut Head, tag: &StartTag<()>) {
    let attribute = |name: &str| tag.attributes.get(name.as_bytes()).map(|it| &it.value);
    let Some(content) = attribute("content") else { return };
    for named in ["property", "name"].into_iter().filter_map(attribute) {
        let mut known = TITLES[..2].iter().chain(&DESCRIPTIONS).chain(&IMAGES);
        if let Some(name) = known.find(|known| named.trim_ascii().eq_ignore_ascii_case(known.as_bytes())) {
            add(head, name, content);
        }
    }
}

fn add(head: &mut Head, name: &'static str, text: &HtmlString) {
    let text = std::str::from_utf8(text).map(str::trim).unwrap_or_default();
    if !text.is_empty() {
        head.entry(name).or_insert_with(|| text.to_owned());
    }
}

/// Returns a text on one line, without what is not seen, cut at its limit; none when nothing is left.
fn text(raw: &str, max_chars: usize) -> Option<String> {
    let words: Vec<_> = raw.split_whitespace().collect();
    let seen = words
        .join(" ")
        .chars()
        .filter(|character| !character.is_control() && !turns(*character))
        .take(max_chars)
        .collect();
    Some(seen).map(|text: String| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Whether a character turns the direction of those behind it, which would reach beyond the text.
fn turns(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the whole address of a picture, which may be given as seen from the page.
fn image(raw: &str, page: &Url) -> Option<String> {
    let url = page.join(raw).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(String::from(url)).filter(|url| url.len() <= IMAGE_MAX_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Option<PageSummary> {
        summary(html.as_bytes(), &"https://example.com/a/b".parse().unwrap())
    }

    #[test]
    fn a_page_says_what_it_is_in_this_order() {
        let plain =
            "<title>\n Plain &amp; <b>simple</b> </title><META NAME=Description CONTENT='about &lt;it&gt;'>";
        let found = read(plain).unwrap();
        assert_eq!(found.title, "Plain & <b>simple</b>");
        assert_eq!(found.description.as_deref(), Some("about <it>"));
        assert_eq!(found.image, None);
        let tweet = "<meta name=twitter:title content=T><meta name=twitter:image content=/t.png>";
        let found = read(&format!("<head>{plain}{tweet}</head>")).unwrap();
        assert_eq!((found.title.as_str(), found.image.as_deref()), ("T", Some("https://example.com/t.png")));
        let graph = "<meta property=og:title content=G><meta property=og:title content=second>";
        assert_eq!(read(&format!("{plain}{tweet}{graph}")).unwrap().title, "G");
        let empty = "<meta property=og:title content=' '>";
        assert_eq!(read(&format!("{empty}{tweet}")).unwrap().title, "T");
    }

    #[test]
    fn what_is_no_statement_of_the_page_is_not_read() {
        assert_eq!(read("<p>hello"), None);
        assert_eq!(read("<body><title>of a stranger</title>"), None);
        assert_eq!(read("<script>'<title>x</title>'</script>"), None);
        assert_eq!(read("<!-- <title>x</title> -->"), None);
        assert_eq!(summary(b"<title>caf\xe9</title>", &"https://example.com".parse().unwrap()), None);
        assert_eq!(read("<title>x</title><svg><desc>y</desc>").unwrap().title, "x");
    }

    #[test]
    fn what_is_read_is_bounded_and_safe_to_show() {
        let long = "ä".repeat(9_000);
        let meta = format!("<meta name=description content={long}><meta property=og:image content=/{long}>");
        let found = read(&format!("<title>{long}</title>{meta}")).unwrap();
        let chars = |text: &str| text.chars().count();
        assert_eq!((chars(&found.title), found.description.as_deref().map(chars)), (300, Some(500)));
        assert_eq!(found.image, None);
        assert_eq!(read("<title>a\u{202e}b\u{7}&#x1b;\u{2066} \t\n c</title>").unwrap().title, "ab c");
        for evil in ["javascript:alert(1)", "data:image/png,x", "file:///etc/passwd", "https://"] {
            let html = format!("<title>x</title><meta property=og:image content='{evil}'>");
            assert_eq!(read(&html).unwrap().image, None, "{evil}");
        }
    }
}
