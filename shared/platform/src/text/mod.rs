//! Rules for texts in all scripts: comparison, words, hashtags, links, and invisible characters.

mod fold;
mod hashtags;
mod hosts;
mod links;
mod phrases;
mod scripts;
mod tokens;
mod visible;

pub use fold::{fold, same_looking};
pub use hashtags::{hashtags, is_hashtag};
pub use links::{is_web_url, links};
pub use phrases::{FoldedText, Phrase};
pub use scripts::{is_syllable, is_unspaced};
pub use tokens::{Token, tokens};
pub use visible::{has_hidden_chars, is_text, optional_text};
