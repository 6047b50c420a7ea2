//! Tracks the elements that enclose a token of a page.

use html5gum::StartTag;

use super::{super::markup::Markup, TITLE};

/// Elements of other markup languages. A `<title>` in such an element is not the title of the page.
const FOREIGN: [&[u8]; 2] = [b"svg", b"math"];

/// What the parser must know about the elements that enclose the next token.
pub(super) struct Context {
    markup: Markup,
    foreign: usize,
    templates: usize,
    pub(super) is_title: bool,
}

impl Context {
    pub(super) fn new(markup: Markup) -> Self {
        Self { markup, foreign: 0, templates: 0, is_title: false }
    }

    pub(super) fn enter(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        let is_empty = tag.self_closing && !self.follows_html_rules();
        self.foreign += usize::from(FOREIGN.contains(&name) && !tag.self_closing);
        self.templates += usize::from(name == b"template" && !is_empty);
        self.is_title = name == TITLE.as_bytes() && self.is_in_document() && !is_empty;
    }

    pub(super) fn leave(&mut self, name: &[u8]) {
        self.foreign = self.foreign.saturating_sub(FOREIGN.contains(&name).into());
        self.templates = self.templates.saturating_sub((name == b"template").into());
        self.is_title = false;
    }

    /// Returns whether the rules of HTML apply: scripts and titles contain no tags, and elements are not self-closing.
    pub(super) fn follows_html_rules(&self) -> bool {
        self.markup == Markup::Html && self.foreign == 0
    }

    /// Returns whether the next element belongs to the page itself, not to a template or a foreign element.
    pub(super) fn is_in_document(&self) -> bool {
        self.foreign == 0 && self.templates == 0
    }
}
