//! Extracts the metadata of a page from Open Graph tags, Twitter cards, or the page's title and description.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use html5gum::{HtmlString, StartTag, Token, Tokenizer, naive_next_state};
use platform::text::{is_text, is_web_url};
use regex::{Captures, Regex};
use url::Url;

use super::{markup::Markup, row::PageSummary};

const TITLE_MAX_CHARS: usize = 300;
const DESCRIPTION_MAX_CHARS: usize = 500;
const IMAGE_MAX_BYTES: usize = 2048;

/// The name under which [`Head`] stores the text of `<title>`.
const TITLE: &str = "title";
/// Metadata names for a page's title, in order of preference. The first name that has a text is used.
const TITLES: [&str; 3] = ["og:title", "twitter:title", TITLE];
const DESCRIPTIONS: [&str; 3] = ["og:description", "twitter:description", "description"];
const IMAGES: [&str; 5] =
    ["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"];
const IMAGE_SIZES: [&str; 2] = ["og:image:width", "og:image:height"];
/// Maximum number of images that are compared.
const IMAGES_MAX: usize = 20;
/// Smaller images are logos or tracking pixels. Facebook has the same minimum:
/// <https://developers.facebook.com/docs/sharing/webmasters/images>.
const IMAGE_MIN_PIXELS: u32 = 200;
/// Elements of other languages. Their own titles are not the title of the page.
const FOREIGN: [&[u8]; 2] = [b"svg", b"math"];

/// Matches a CDATA section of XHTML, whose content is plain text.
static CDATA: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)<!\[CDATA\[(.*?)\]\]>").ok());

/// The metadata in the head of a page.
#[derive(Default)]
struct Head {
    /// The first text of each name.
    texts: HashMap<&'static str, String>,
    images: Vec<Image>,
    /// The address to which relative addresses refer.
    base: Option<String>,
}

/// An image that a page names, in the order of the page.
struct Image {
    address: String,
    /// Whether the image is from a Twitter tag. Such an image is used if there is no other.
    is_twitter: bool,
    /// Whether the declared width or height is too small.
    is_small: bool,
}

/// The elements around the next token.
struct Context {
    markup: Markup,
    foreign: usize,
    templates: usize,
    is_title: bool,
}

/// Returns the metadata of a page, or `None` if the page has no title.
pub(super) fn summary(page: &str, markup: Markup, url: &Url) -> Option<PageSummary> {
    let head = head(page, markup);
    let first = |names: &[&str], max| names.iter().find_map(|name| text(head.texts.get(name)?, max));
    let base = head.base.as_ref().and_then(|base| url.join(base).ok());
    let base = base.filter(|base| is_web_url(base.as_str())).unwrap_or_else(|| url.clone());
    let (fallbacks, images): (Vec<_>, Vec<_>) =
        head.images.iter().filter(|image| !image.is_small).partition(|image| image.is_twitter);
    Some(PageSummary {
        title: first(&TITLES, TITLE_MAX_CHARS)?,
        description: first(&DESCRIPTIONS, DESCRIPTION_MAX_CHARS),
        image: images.iter().chain(&fallbacks).find_map(|named| image(&named.address, &base)),
    })
}

/// Returns the metadata in the head of a page. Ignores the body, which may contain texts by other people.
fn head(page: &str, markup: Markup) -> Head {
    let page = if markup == Markup::Xhtml { without_cdata(page) } else { page.into() };
    let (mut head, mut context, mut tokens) = (Head::default(), Context::new(markup), Tokenizer::new(&*page));
    while let Some(Ok(token)) = tokens.next() {
        match token {
            Token::StartTag(tag) if tag.name.as_slice() == b"body" => break,
            Token::EndTag(tag) if tag.name.as_slice() == b"head" => break,
            Token::StartTag(tag) => {
                context.enter(&tag);
                if context.follows_html_rules() {
                    naive_next_state(&tag.name).into_iter().for_each(|state| tokens.set_state(state));
                }
                if context.is_in_document() {
                    head.add_element(&tag);
                }
            }
            Token::EndTag(tag) => context.leave(&tag.name),
            Token::String(text) if context.is_title => head.add(TITLE, &text),
            _ => {}
        }
    }
    head
}

/// Converts CDATA sections to plain text.
fn without_cdata(page: &str) -> Cow<'_, str> {
    let plain = |section: &Captures<'_>| section[1].replace('&', "&amp;").replace('<', "&lt;");
    CDATA.as_ref().map_or(page.into(), |cdata| cdata.replace_all(page, plain))
}

impl Context {
    fn new(markup: Markup) -> Self {
        Self { markup, foreign: 0, templates: 0, is_title: false }
    }

    fn enter(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        let is_empty = tag.self_closing && !self.follows_html_rules();
        self.foreign += usize::from(FOREIGN.contains(&name) && !tag.self_closing);
        self.templates += usize::from(name == b"template" && !is_empty);
        self.is_title = name == TITLE.as_bytes() && self.is_in_document() && !is_empty;
    }

    fn leave(&mut self, name: &[u8]) {
        self.foreign = self.foreign.saturating_sub(FOREIGN.contains(&name).into());
        self.templates = self.templates.saturating_sub((name == b"template").into());
        self.is_title = false;
    }

    /// Returns whether scripts and titles contain no tags, and elements are not self-closing.
    fn follows_html_rules(&self) -> bool {
        self.markup == Markup::Html && self.foreign == 0
    }

    /// Returns whether an element belongs to the page itself.
    fn is_in_document(&self) -> bool {
        self.foreign == 0 && self.templates == 0
    }
}

impl Head {
    fn add_element(&mut self, tag: &StartTag<()>) {
        match tag.name.as_slice() {
            b"meta" => self.add_meta(tag),
            b"base" => self.set_base(tag),
            _ => {}
        }
    }

    fn add_meta(&mut self, tag: &StartTag<()>) {
        let attribute = |name: &str| tag.attributes.get(name.as_bytes()).map(|found| &found.value);
        let Some(content) = attribute("content") else { return };
        for named in ["property", "name"].into_iter().filter_map(attribute) {
            let is = |known: &&&str| named.trim_ascii().eq_ignore_ascii_case(known.as_bytes());
            if IMAGE_SIZES.iter().any(|known| is(&known)) {
                self.set_image_size(content);
            } else if let Some(name) = TITLES[..2].iter().chain(&DESCRIPTIONS).chain(&IMAGES).find(is) {
                self.add(name, content);
            }
        }
    }

    fn add(&mut self, name: &'static str, text: &HtmlString) {
        let text = String::from_utf8_lossy(text).trim().to_owned();
        if !is_text(&text, usize::MAX) {
            return;
        }
        let has_room = self.images.len() < IMAGES_MAX;
        match (name, self.last_image()) {
            ("og:image:url", Some(_)) => {}
            ("og:image:secure_url", Some(image)) if text.starts_with("https:") => {
                image.address.clone_from(&text);
            }
            ("og:image:secure_url", Some(_)) => {}
            _ if IMAGES.contains(&name) && has_room => {
                let is_twitter = name.starts_with("twitter:");
                self.images.push(Image { address: text.clone(), is_twitter, is_small: false });
            }
            _ => {}
        }
        self.texts.entry(name).or_insert(text);
    }

    /// Returns the last image that is not from a Twitter tag. Names such as `og:image:width` refer to it.
    fn last_image(&mut self) -> Option<&mut Image> {
        self.images.iter_mut().rev().find(|image| !image.is_twitter)
    }

    /// Sets the width or height of the last image.
    fn set_image_size(&mut self, pixels: &HtmlString) {
        let pixels = std::str::from_utf8(pixels).ok().and_then(|pixels| pixels.trim().parse().ok());
        let is_small = pixels.is_some_and(|pixels: u32| pixels < IMAGE_MIN_PIXELS);
        self.last_image().into_iter().for_each(|image| image.is_small |= is_small);
    }

    fn set_base(&mut self, tag: &StartTag<()>) {
        let base = tag
            .attributes
            .get(b"href".as_slice())
            .map(|href| String::from_utf8_lossy(&href.value).trim().to_owned());
        self.base = self.base.take().or(base);
    }
}

/// Returns the text on one line, without invisible characters, truncated to `max_chars`. Returns `None` if the result
/// is empty.
fn text(raw: &str, max_chars: usize) -> Option<String> {
    let visible: String = raw.chars().filter(|char| char.is_whitespace() || !is_hidden(*char)).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = line.chars().take(max_chars).collect();
    Some(text.trim().to_owned()).filter(|text| is_text(text, max_chars))
}

/// Returns whether a character shows nothing, or changes the direction of the text around it. Joiners are kept.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{FEFF}')
        || matches!(char, '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
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
        summary(html, Markup::Html, &"https://example.com/a/b".parse().unwrap())
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
        assert_eq!(read("<title>x</title><svg><desc>y</desc>").unwrap().title, "x");
    }

    #[test]
    fn the_best_image_of_a_page_is_chosen() {
        let og = |content: &str| format!("<meta property=og:image content='{content}'>");
        let twitter = "<meta name=twitter:image content=/t.png>";
        let small = "<meta property=og:image:width content=64>";
        for (head, image) in [
            (og("c.png"), Some("https://example.com/a/c.png")),
            (og("//cdn.example.com/c.png?a=1&amp;b=2"), Some("https://cdn.example.com/c.png?a=1&b=2")),
            (twitter.to_owned() + &og("/c.png"), Some("https://example.com/c.png")),
            (og("data:image/png;base64,AAAA") + twitter, Some("https://example.com/t.png")),
            (og("/tiny.png") + small + &og("/c.png"), Some("https://example.com/c.png")),
            (og("/tiny.png") + small, None),
            (og("/tiny.png") + "<meta property=og:image:url content=/tiny.png>" + small, None),
            (
                og("/c.png") + twitter + "<meta property=og:image:width content=900>",
                Some("https://example.com/c.png"),
            ),
            (og("/tiny.png") + twitter + small, Some("https://example.com/t.png")),
            (
                og("http://example.com/c")
                    + "<meta property=og:image:secure_url content=https://example.com/s>",
                Some("https://example.com/s"),
            ),
            (
                "<base href='https://cdn.example.com/x/'>".to_owned() + &og("c.png"),
                Some("https://cdn.example.com/x/c.png"),
            ),
            (
                "<base href='/b/'><base href='/c/'>".to_owned() + &og("c.png"),
                Some("https://example.com/b/c.png"),
            ),
            ("<base href='data:text/html,x'>".to_owned() + &og("c.png"), Some("https://example.com/a/c.png")),
            ("<base href='javascript:0'>".to_owned() + &og("c.png"), Some("https://example.com/a/c.png")),
        ] {
            assert_eq!(read(&format!("<title>x</title>{head}")).unwrap().image.as_deref(), image, "{head}");
        }
    }

    #[test]
    fn the_title_is_that_of_the_document() {
        for (html, title) in [
            ("<svg><title>icon</title></svg><title>page</title>", "page"),
            ("<template><title>later</title></template><title>page</title>", "page"),
            ("<title>page</title><title>second</title>", "page"),
            ("<TITLE>page</TITLE>", "page"),
            ("<meta content='T' name='twitter:title'><title>page</title>", "T"),
            (
                "<html xmlns='http://www.w3.org/1999/xhtml'><head><meta property='og:title' content='G'/></head>",
                "G",
            ),
            ("<title>&#128512; &eacute; &amp;lt;</title>", "😀 é &lt;"),
            ("<svg><title/></svg><title>page</title>", "page"),
            ("<svg><style><title>icon</title></style></svg><title>page</title>", "page"),
            (
                "<template><script>'</template>'</script><title>later</title></template><title>page</title>",
                "page",
            ),
            ("<script>'</head>'</script><title>page</title>", "page"),
        ] {
            assert_eq!(read(html).unwrap().title, title, "{html}");
        }
        assert_eq!(read("<title>\u{200b}\u{2800}</title>"), None);
        let blank =
            "<meta property=og:title content='\u{200b}'><meta property=og:title content=G><title>x</title>";
        assert_eq!(read(blank).unwrap().title, "G");
        assert_eq!(read("<title>a\u{200b}b \u{feff} c</title>").unwrap().title, "ab c");
    }

    #[test]
    fn xhtml_has_self_closing_elements_and_plain_texts() {
        for (head, title) in [
            ("<script src='/a.js'/><title>page</title>", "page"),
            ("<title/><meta property='og:title' content='G'/>", "G"),
            ("<title><![CDATA[a < b &amp; c]]></title>", "a < b &amp; c"),
            ("<script><![CDATA[ '<title>x</title>' ]]></script><title>page</title>", "page"),
            ("<style/><svg:svg/><title>a &lt; b</title>", "a < b"),
        ] {
            let found = summary(head, Markup::Xhtml, &"https://example.com/".parse().unwrap());
            assert_eq!(found.unwrap().title, title, "{head}");
        }
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
