//! A circle's name and description. Parsing them checks their length.

use people::users::display_name;
use platform::text::{is_text, optional_text};

const NAME_MAX_CHARS: usize = 50;
const DESCRIPTION_MAX_CHARS: usize = 500;

platform::text_types! {
    /// A circle's name.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Night readers")]
    CircleName: name;
    /// A new name for a circle, trimmed.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Night readers")]
    NewCircleName: display_name;
    /// A circle's description, trimmed.
    #[derive(Default)]
    #[schema(value_type = String, max_length = 500, example = "One book a month, and what it did to us")]
    CircleDescription: description;
}

impl From<NewCircleName> for CircleName {
    fn from(name: NewCircleName) -> Self {
        Self(name.0)
    }
}

fn name(text: String) -> Result<String, &'static str> {
    let text = text.trim();
    is_text(text, NAME_MAX_CHARS).then(|| text.to_owned()).ok_or("must have 1 to 50 characters")
}

fn description(text: String) -> Result<String, &'static str> {
    optional_text(text.trim(), DESCRIPTION_MAX_CHARS, "must have at most 500 characters")
}
