//! Finds the kind of a row by its key.

use crate::keys::KEYS;

/// Returns the name of the row kind that matches the key. If several kinds match, returns the kind with the most
/// literal characters.
pub(super) fn entity(partition: &str, sort: &str) -> &'static str {
    let kinds = KEYS.row_kinds().flat_map(|(name, kind)| kind.keys().map(move |key| (name, key)));
    let matching = kinds.filter(|(_, key)| key.fits(partition, sort));
    matching.max_by_key(|(_, key)| key.literal_chars()).map_or("not in keys.toml", |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_row_comes_from_keys_toml() {
        assert_eq!(entity("POST#1", "POST"), "post");
        assert_eq!(entity("USER#1", "PROFILE"), "user");
        assert_eq!(entity("USER#1", "SESSION#1"), "session");
        assert_eq!(entity("GROUP#1", "MSG#1"), "message");
        assert_eq!(entity("WORD#hello", "01ABC"), "word of a post");
        assert_eq!(entity("UNKNOWN#1", "X"), "not in keys.toml");
    }
}
