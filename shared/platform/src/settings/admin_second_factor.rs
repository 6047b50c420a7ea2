//! The setting `ADMIN_SECOND_FACTOR`.

use std::str::FromStr;

/// Whether administrating takes a sign-in with a second factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdminSecondFactor {
    /// The routes of administrators answer only to such a sign-in.
    Required,
    /// Any sign-in does.
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
