//! The reasons for reports, bans and locks.

use platform::text::is_text;

const REASON_MAX_CHARS: usize = 1000;

platform::text_types! {
    /// A reason of 1 to 1,000 characters, trimmed.
    #[schema(value_type = String, min_length = 1, max_length = 1000, example = "It is spam.")]
    ReasonText: reason;
}

impl ReasonText {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn reason(text: String) -> Result<String, &'static str> {
    let text = text.trim();
    is_text(text, REASON_MAX_CHARS).then(|| text.to_owned()).ok_or("must have 1 to 1000 characters")
}
