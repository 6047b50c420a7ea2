//! Reads the metadata in the head of a page.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use html5gum::{HtmlString, StartTag, Token, Tokenizer, naive_next_state};
use platform::text::is_text;
use regex::{Captures, Regex};

use super::{
    super::{
        IMAGE_MIN_PIXELS,
        markup::{Markup, attribute},
    },
    DESCRIPTIONS, IMAGES, TITLE, TITLES,
    context::Context,
};

const IMAGE_SIZES: [&str; 2] = ["og:image:width", "og:image:height"];
/// Maximum number of images that are read from a page.
const IMAGES_MAX: usize = 20;

/// Matches a CDATA section of XHTML, whose content is plain text.
static CDATA: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)<!\[CDATA\[(.*?)\]\]>").ok());

#[derive(Default)]
pub(super) struct Head {
    /// The first text for each metadata name.
    pub(super) texts: HashMap<&'static str, String>,
    pub(super) images: Vec<Image>,
    /// The base URL of relative URLs, from `<base href>`.
    pub(super) base: Option<String>,
}

/// An image URL in the metadata of a page.
pub(super) struct Image {
    pub(super) address: String,
    /// Whether the image is from a Twitter tag. Such an image is used only if there is no other image.
    pub(super) is_twitter: bool,
    /// Whether the declared width or height is too small.
    pub(super) is_small: bool,
}

/// Returns the metadata in the head of a page. Ignores the body, because visitors of the page may have written parts of
/// the body.
pub(super) fn head(page: &str, markup: Markup) -> Head {
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

fn without_cdata(page: &str) -> Cow<'_, str> {
    let plain = |section: &Captures<'_>| section[1].replace('&', "&amp;").replace('<', "&lt;");
    CDATA.as_ref().map_or(page.into(), |cdata| cdata.replace_all(page, plain))
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
        let Some(content) = attribute(tag, "content") else { return };
        for named in ["property", "name"].into_iter().filter_map(|name| attribute(tag, name)) {
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

    /// Returns the last image that is not from a Twitter tag. Metadata such as `og:image:width` refers to this image.
    fn last_image(&mut self) -> Option<&mut Image> {
        self.images.iter_mut().rev().find(|image| !image.is_twitter)
    }

    /// Sets the width or height of the last image, in pixels.
    fn set_image_size(&mut self, pixels: &HtmlString) {
        let pixels = std::str::from_utf8(pixels).ok().and_then(|pixels| pixels.trim().parse().ok());
        let is_small = pixels.is_some_and(|pixels: u32| pixels < IMAGE_MIN_PIXELS);
        self.last_image().into_iter().for_each(|image| image.is_small |= is_small);
    }

    fn set_base(&mut self, tag: &StartTag<()>) {
        let base = attribute(tag, "href").map(|href| String::from_utf8_lossy(href).trim().to_owned());
        self.base = self.base.take().or(base);
    }
}
