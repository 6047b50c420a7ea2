//! The setting `ADMIN_SECOND_FACTOR`.

use std::str::FromStr;

/// Whether administrators must sign in with a second factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdminSecondFactor {
    /// Administrator routes require a session that was opened with a second factor.
    Required,
    /// Administrator routes accept any session of an administrator.
    #[default]
    Off,
}

impl FromStr for AdminSecondFactor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "required" => Ok(Self::Required),
            "off" => Ok(Self::Off),
            _ => Err("must be `required` or `off`"),
        }
    }
}
