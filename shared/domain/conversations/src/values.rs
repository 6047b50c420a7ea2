//! The values of groups and messages. Each is checked when it is parsed.

use people::users::{Username, display_name};
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};
use utoipa::ToSchema;

const CONTENT_MAX_CHARS: usize = 1000;
const PREVIEW_MAX_CHARS: usize = 80;
/// The most usernames that a request may name. Unknown ones are left out.
const NAMED_MAX: usize = 200;

/// The type of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum GroupType {
    /// Two people; there is one such group for them.
    Private,
    /// Three or more.
    Crowd,
}

/// The kind of a message's content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum MessageType {
    /// Text.
    #[default]
    Text,
    /// The address of a picture.
    Image,
    /// The address of a file.
    File,
}

platform::deserialize_in_any_case!(GroupType, MessageType);

platform::text_types! {
    /// The name of a crowd, trimmed.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Sunday runners")]
    GroupName: display_name;
    /// An emoji of Unicode's list, one of them.
    #[schema(value_type = String, example = "👍")]
    Emoji: emoji;
}

/// Checks an emoji, and spells it as Unicode recommends: so those that look the same are the same.
fn emoji(text: String) -> Result<String, &'static str> {
    emojis::get(&text).map(|it| it.as_str().to_owned()).ok_or("must be one emoji")
}

/// A message's text, trimmed. Characters are Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 1000, example = "See you at eight")]
pub struct MessageContent(String);

impl TryFrom<String> for MessageContent {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        let fits = (1..=CONTENT_MAX_CHARS).contains(&text.chars().count());
        fits.then(|| Self(text.to_owned())).ok_or("must have 1 to 1000 characters")
    }
}

impl MessageContent {
    /// Returns what stands where a message was that was deleted, or whose sender left.
    pub(super) fn gone() -> Self {
        Self("This message is gone.".to_owned())
    }

    /// Returns the beginning, for a list of groups.
    pub fn preview(&self) -> String {
        self.0.chars().take(PREVIEW_MAX_CHARS).collect()
    }
}

/// Usernames as a client names them. A text that cannot be a username is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "Vec<String>")]
#[schema(value_type = Vec<String>, max_items = 200, example = json!(["bob"]))]
pub struct Usernames(Vec<Username>);

impl TryFrom<Vec<String>> for Usernames {
    type Error = &'static str;

    fn try_from(names: Vec<String>) -> Result<Self, Self::Error> {
        if names.len() > NAMED_MAX {
            return Err("must have at most 200 usernames");
        }
        Ok(Self(names.into_iter().filter_map(|it| Username::try_from(it).ok()).collect()))
    }
}

impl Usernames {
    /// Returns the usernames.
    pub fn names(&self) -> &[Username] {
        &self.0
    }
}
