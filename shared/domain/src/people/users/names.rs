//! The text fields of a profile. Each is checked when it is parsed, so the domain holds valid ones only.

use std::{str::FromStr, sync::LazyLock};

use email_address::{EmailAddress, Options};
use regex::Regex;

platform::text_types! {
    /// A display name, trimmed.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Ann Nguyen")]
    Name: name;
    /// A username, in its owner's spelling.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9_.]{3,30}$", example = "ann")]
    Username: username;
    /// A username that a client asks about: it may be taken or reserved.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9_.]{3,30}$", example = "ann")]
    RequestedUsername: shaped;
    /// An e-mail address, in lower case.
    #[schema(value_type = String, format = "email", example = "ann@example.com")]
    Email: email;
    /// A user's description of themselves.
    #[schema(value_type = String, max_length = 300)]
    Bio: bio;
    /// The address of a picture.
    #[schema(value_type = String, format = "uri", example = "https://example.com/ann.png")]
    AvatarUrl: avatar;
}

/// Names that are routes or that would impersonate the service.
const RESERVED: [&str; 6] = ["me", "admin", "news-feed", "received", "sent", "system"];
const NAME_MAX_CHARS: usize = 50;
const BIO_MAX_CHARS: usize = 300;
const EMAIL_MAX_BYTES: usize = 254;
const URL_MAX_BYTES: usize = 2048;

static USERNAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^[A-Za-z0-9_.]{3,30}$").ok());

impl Username {
    /// Returns the lower-case form, which is unique.
    pub fn lower(&self) -> String {
        self.0.to_lowercase()
    }
}

impl RequestedUsername {
    /// Returns the lower-case form, which is unique.
    pub fn lower(&self) -> String {
        self.0.to_lowercase()
    }

    /// Returns the username, or none when it is reserved.
    pub fn allowed(self) -> Option<Username> {
        Username::try_from(self.0).ok()
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
    let fits = (1..=NAME_MAX_CHARS).contains(&text.chars().count());
    fits.then(|| text.to_owned()).ok_or("must have 1 to 50 characters")
}

fn shaped(text: String) -> Result<String, &'static str> {
    let fits = USERNAME.as_ref().is_some_and(|it| it.is_match(&text));
    fits.then_some(text).ok_or("must have 3 to 30 letters, digits, dots or underscores")
}

fn username(text: String) -> Result<String, &'static str> {
    let text = shaped(text)?;
    let reserved = RESERVED.iter().any(|it| it.eq_ignore_ascii_case(&text));
    (!reserved).then_some(text).ok_or("is reserved")
}

fn email(text: String) -> Result<String, &'static str> {
    let text = text.trim().to_lowercase();
    // Display text would give one mailbox many spellings, and SES delivers to ASCII names only.
    let plain = Options::default().without_display_text().without_domain_literal().with_required_tld();
    let valid = text.is_ascii() && EmailAddress::parse_with_options(&text, plain).is_ok();
    (valid && text.len() <= EMAIL_MAX_BYTES).then_some(text).ok_or("must be an e-mail address")
}

fn bio(text: String) -> Result<String, &'static str> {
    let fits = text.chars().count() <= BIO_MAX_CHARS;
    fits.then_some(text).ok_or("must have at most 300 characters")
}

fn avatar(text: String) -> Result<String, &'static str> {
    let web = url::Url::parse(&text).is_ok_and(|it| matches!(it.scheme(), "http" | "https"));
    (web && text.len() <= URL_MAX_BYTES).then_some(text).ok_or("must be an http or https address")
}
