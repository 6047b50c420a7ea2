//! Values of groups and messages. Parsing a value validates it.

use people::{AvatarUrl, UserRef, users::display_name};
use platform::{Error, text::is_text};
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};
use utoipa::ToSchema;

const CONTENT_MAX_CHARS: usize = 1000;
const PREVIEW_MAX_CHARS: usize = 80;
/// Maximum number of users in a request, including unknown users.
const USERS_MAX: usize = 200;

/// The type of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum GroupType {
    /// A group of two users. The same two users have at most one private group.
    Private,
    /// A group of three or more users.
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
    /// The URL of a picture.
    Image,
    /// The URL of a file.
    File,
}

impl MessageType {
    /// Fails with [`Error::Invalid`] if the content of a picture or file message is not a URL.
    pub(super) fn check_content(self, content: &MessageContent) -> Result<(), Error> {
        let is_url = || AvatarUrl::try_from(content.0.clone()).is_ok();
        match self {
            Self::Image if !is_url() => Err(Error::invalid("content", "must be the URL of the picture")),
            Self::File if !is_url() => Err(Error::invalid("content", "must be the URL of the file")),
            Self::Text | Self::Image | Self::File => Ok(()),
        }
    }
}

platform::deserialize_in_any_case!(GroupType, MessageType);

platform::text_types! {
    /// The name of a crowd, trimmed.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Sunday runners")]
    GroupName: display_name;
    /// A single Unicode emoji.
    #[schema(value_type = String, example = "👍")]
    Emoji: emoji;
    /// A message's text, trimmed. Its length is counted in Unicode scalar values.
    #[schema(value_type = String, min_length = 1, max_length = 1000, example = "See you at eight")]
    MessageContent: message_content;
}

/// Checks an emoji, and normalizes it so that emojis that look the same are equal.
fn emoji(text: String) -> Result<String, &'static str> {
    emojis::get(&text).map(|emoji| emoji.as_str().to_owned()).ok_or("must be a single emoji")
}

fn message_content(text: String) -> Result<String, &'static str> {
    let text = text.trim();
    is_text(text, CONTENT_MAX_CHARS).then(|| text.to_owned()).ok_or("must have 1 to 1000 characters")
}

impl MessageContent {
    /// Returns the placeholder content of a message that was deleted, or whose sender deleted their account.
    pub(super) fn deleted() -> Self {
        Self("This message was deleted.".to_owned())
    }

    /// Returns the first 80 characters.
    pub fn preview(&self) -> String {
        self.0.chars().take(PREVIEW_MAX_CHARS).collect()
    }
}

/// Users in a request, by username or ID. Invalid usernames are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "Vec<String>")]
#[schema(value_type = Vec<String>, max_items = 200, example = json!(["bob"]))]
pub struct UserRefs(Vec<UserRef>);

impl TryFrom<Vec<String>> for UserRefs {
    type Error = &'static str;

    fn try_from(names: Vec<String>) -> Result<Self, Self::Error> {
        if names.len() > USERS_MAX {
            return Err("must have at most 200 users");
        }
        Ok(Self(names.into_iter().filter_map(|name| name.parse().ok()).collect()))
    }
}

impl UserRefs {
    /// Returns the users.
    pub fn all(&self) -> &[UserRef] {
        &self.0
    }
}
