//! Extracts the metadata of a page from Open Graph tags, Twitter cards, or the page's title and description.

use std::collections::HashMap;

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};
use url::Url;

use super::row::PageSummary;

const TITLE_MAX_CHARS: usize = 300;
const DESCRIPTION_MAX_CHARS: usize = 500;
const IMAGE_MAX_BYTES: usize = 2048;

/// The name under which [`Head`] stores the text of `<title>`.
const TITLE: &str = "title";
/// Metadata names for a page's title, in order of preference. The first name that has a text is used.
const TITLES: [&str; 3] = ["og:title", "twitter:title", TITLE];
const DESCRIPTIONS: [&str; 3] = ["og:description", "twitter:description", "description"];
const IMAGES: [&str; 4] = ["og:image:secure_url", "og:image", "og:image:url", "twitter:image"];

/// The metadata in the head of a page, by name. Only the first value of each name is kept.
type Head = HashMap<&'static str, String>;

/// Returns the metadata of a page, or `None` if the page has no title. Ignores text that is not UTF-8.
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

/// Returns the metadata in the head of a page. Ignores the body, which may contain texts by other people.
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

/// Returns the text on one line, without invisible characters, truncated to `max_chars`. Returns `None` if the result
/// is empty.
fn text(raw: &str, max_chars: usize) -> Option<String> {
    let words: Vec<_> = raw.split_whitespace().collect();
    let visible = words
        .join(" ")
        .chars()
        .filter(|character| !character.is_control() && !changes_direction(*character))
        .take(max_chars)
        .collect();
    Some(visible).map(|text: String| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Returns whether a character changes the text direction. Such a character would also affect the surrounding text.
fn changes_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the absolute URL of an image, or `None` if the URL is not http or https or is too long. `raw` may be
/// relative to the page.
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
    fn metadata_is_chosen_by_preference() {
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
    fn only_the_head_of_a_page_is_read() {
        assert_eq!(read("<p>hello"), None);
        assert_eq!(read("<body><title>of a stranger</title>"), None);
        assert_eq!(read("<script>'<title>x</title>'</script>"), None);
        assert_eq!(read("<!-- <title>x</title> -->"), None);
        assert_eq!(summary(b"<title>caf\xe9</title>", &"https://example.com".parse().unwrap()), None);
        assert_eq!(read("<title>x</title><svg><desc>y</desc>").unwrap().title, "x");
    }

    #[test]
    fn metadata_is_bounded_and_safe_to_display() {
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
