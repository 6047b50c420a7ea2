//! What a circle is called. Each is checked when it is read, so none is ever wrong inside.

const NAME_MAX_CHARS: usize = 50;
const DESCRIPTION_MAX_CHARS: usize = 500;

platform::text_types! {
    /// A circle's name, trimmed.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Night readers")]
    CircleName: name;
    /// What a circle is about, trimmed.
    #[derive(Default)]
    #[schema(value_type = String, max_length = 500, example = "One book a month, and what it did to us")]
    CircleDescription: description;
}

fn name(text: String) -> Result<String, &'static str> {
    let text = text.trim();
    let fits = (1..=NAME_MAX_CHARS).contains(&text.chars().count());
    fits.then(|| text.to_owned()).ok_or("must have 1 to 50 characters")
}

fn description(text: String) -> Result<String, &'static str> {
    let text = text.trim();
    let fits = text.chars().count() <= DESCRIPTION_MAX_CHARS;
    fits.then(|| text.to_owned()).ok_or("must have at most 500 characters")
}
