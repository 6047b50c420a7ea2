//! Extracts the metadata of a page from Open Graph tags, Twitter cards, or the page's title and description.

mod context;
mod head;
#[cfg(test)]
mod tests;

use platform::text::{is_text, is_web_url};
use url::Url;

use super::{markup::Markup, row::PageSummary};
use head::head;

const TITLE_MAX_CHARS: usize = 300;
const DESCRIPTION_MAX_CHARS: usize = 500;
const IMAGE_MAX_BYTES: usize = 2048;

/// The name under which [`head::Head`] stores the text of `<title>`.
const TITLE: &str = "title";
/// Metadata names for a page's title, in order of preference. The first name that has a text is used.
const TITLES: [&str; 3] = ["og:title", "twitter:title", TITLE];
const DESCRIPTIONS: [&str; 3] = ["og:description", "twitter:description", "description"];
const IMAGES: [&str; 5] =
    ["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"];

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
        copy: None,
    })
}

/// Returns the text on one line, without invisible characters, truncated to `max_chars`. Returns `None` if the result
/// is empty.
fn text(raw: &str, max_chars: usize) -> Option<String> {
    let visible: String = raw.chars().filter(|char| char.is_whitespace() || !is_hidden(*char)).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = line.chars().take(max_chars).collect();
    Some(text.trim().to_owned()).filter(|text| is_text(text, max_chars))
}

/// Returns whether a character is invisible, or changes the text direction. Returns false for joiners, which are kept.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{FEFF}')
        || matches!(char, '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
}

/// Returns the absolute URL of an image. Returns `None` if the URL is too long, or is neither http nor https. `raw` may
/// be relative to the page.
fn image(raw: &str, page: &Url) -> Option<String> {
    let url = page.join(raw).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(String::from(url)).filter(|url| url.len() <= IMAGE_MAX_BYTES)
}
