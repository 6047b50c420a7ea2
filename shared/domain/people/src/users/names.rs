//! The text fields of a profile. Parsing a field validates it.

use std::{str::FromStr, sync::LazyLock};

use base::UserId;
use email_address::{EmailAddress, Options};
use platform::text::{has_hidden_chars, is_text, is_web_url, optional_text};
use regex::Regex;

platform::text_types! {
    /// A display name.
    #[schema(as = DisplayName, value_type = String, min_length = 1, max_length = 50, example = "Ann Nguyen")]
    Name: name;
    /// A new display name, trimmed and without invisible characters.
    #[schema(as = NewDisplayName, value_type = String, min_length = 1, max_length = 50, example = "Ann Nguyen")]
    NewName: display_name;
    /// A username, in the upper and lower case that its owner chose.
    #[derive(Hash)]
    #[schema(value_type = String, pattern = "^[A-Za-z0-9_.]{3,30}$", example = "ann")]
    Username: username;
    /// A new username. It must not be a valid ID, because URL paths accept both usernames and IDs.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9_.]{3,30}$", example = "ann")]
    NewUsername: new_username;
    /// A username to check for availability. The username may be taken or reserved.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9_.]{3,30}$", example = "ann")]
    RequestedUsername: username_pattern;
    /// An email address, in lower case.
    #[schema(as = EmailAddress, value_type = String, format = "email", example = "ann@example.com")]
    Email: email;
    /// A user's description of themselves.
    #[schema(value_type = String, max_length = 300)]
    Bio: bio;
    /// The URL of a picture.
    #[schema(value_type = String, format = "uri", max_length = 2048, example = "https://example.com/ann.png")]
    AvatarUrl: avatar;
}

/// Usernames that collide with routes or would impersonate the service.
const RESERVED: [&str; 6] = ["me", "admin", "news-feed", "received", "sent", "system"];
const NAME_MAX_CHARS: usize = 50;
const BIO_MAX_CHARS: usize = 300;
const EMAIL_MAX_BYTES: usize = 254;
const URL_MAX_BYTES: usize = 2048;

static USERNAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^[A-Za-z0-9_.]{3,30}$").ok());

impl Username {
    /// Returns the lower-case form. No two users have the same lower-case form.
    pub fn lower(&self) -> String {
        self.0.to_lowercase()
    }

    /// Returns the placeholder for the username of a deleted user.
    pub(super) fn deleted() -> Self {
        Self("deleted".to_owned())
    }
}

impl Name {
    /// Returns the placeholder for the name of a deleted user.
    pub(super) fn deleted() -> Self {
        Self("Deleted user".to_owned())
    }
}

impl RequestedUsername {
    /// Returns the lower-case form. No two users have the same lower-case form.
    pub fn lower(&self) -> String {
        self.0.to_lowercase()
    }

    /// Returns the username, or `None` if it is reserved or is a valid ID.
    pub fn allowed(self) -> Option<Username> {
        NewUsername::try_from(self.0).ok().map(Username::from)
    }
}

impl From<NewUsername> for Username {
    fn from(chosen: NewUsername) -> Self {
        Self(chosen.0)
    }
}

impl From<NewName> for Name {
    fn from(chosen: NewName) -> Self {
        Self(chosen.0)
    }
}

impl FromStr for Username {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::try_from(text.to_owned())
    }
}

fn name(text: String) -> Result<String, &'static str> {
    let text = text.trim();
    is_text(text, NAME_MAX_CHARS).then(|| text.to_owned()).ok_or("must have 1 to 50 characters")
}

/// Checks and trims the display name of a user, a group or a circle.
///
/// # Errors
/// Fails if the name does not have 1 to 50 characters, or begins with a combining mark. Also fails if the name contains
/// hidden characters or unusual spaces.
pub fn display_name(text: String) -> Result<String, &'static str> {
    let name = name(text)?;
    (!has_hidden_chars(&name))
        .then_some(name)
        .ok_or("must not begin with a combining mark, or contain control, direction or invisible characters, or unusual spaces")
}

fn username_pattern(text: String) -> Result<String, &'static str> {
    let fits = USERNAME.as_ref().is_some_and(|pattern| pattern.is_match(&text));
    fits.then_some(text).ok_or("must have 3 to 30 letters, digits, dots or underscores")
}

fn username(text: String) -> Result<String, &'static str> {
    let text = username_pattern(text)?;
    let reserved = RESERVED.iter().any(|name| name.eq_ignore_ascii_case(&text));
    (!reserved).then_some(text).ok_or("is reserved")
}

fn new_username(text: String) -> Result<String, &'static str> {
    let text = username(text)?;
    match text.parse::<UserId>() {
        Ok(_) => Err("must not be an id"),
        Err(_) => Ok(text),
    }
}

fn email(text: String) -> Result<String, &'static str> {
    let text = text.trim().to_lowercase();
    // If addresses could contain display text or quotes, one mailbox would have many spellings. SES delivers only to
    // unquoted ASCII addresses.
    let plain = Options::default().without_display_text().without_domain_literal().with_required_tld();
    let is_plain = text.is_ascii() && !text.starts_with('"');
    let valid = is_plain && EmailAddress::parse_with_options(&text, plain).is_ok();
    (valid && text.len() <= EMAIL_MAX_BYTES).then_some(text).ok_or("must be an email address")
}

fn bio(text: String) -> Result<String, &'static str> {
    optional_text(&text, BIO_MAX_CHARS, "must have at most 300 characters")
}

fn avatar(text: String) -> Result<String, &'static str> {
    let text = text.trim().to_owned();
    (is_web_url(&text) && text.len() <= URL_MAX_BYTES)
        .then_some(text)
        .ok_or("must be an http or https URL of at most 2048 bytes, without spaces and without a user")
}
