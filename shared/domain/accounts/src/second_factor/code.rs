//! The codes of a second factor.

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// The recovery codes of an account.
const RECOVERY_CODES: usize = 10;
/// 80 random bits: what is kept of a code is a plain hash, and nobody tries so many.
const RECOVERY_CHARS: usize = 16;
const GROUP_CHARS: usize = 4;
/// Crockford's letters and digits, which are hard to mistake for one another.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const TOTP_DIGITS: usize = 6;

/// A code as somebody types it in: of the authenticator, or a recovery code.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(value_type = String, example = "492039")]
#[serde(try_from = "String")]
pub struct Code(pub(super) Kind);

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Totp(TotpCode),
    /// In its one spelling.
    Recovery(SecretString),
}

/// Six digits of an authenticator.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(value_type = String, pattern = "^[0-9]{6}$", example = "492039")]
#[serde(try_from = "String")]
pub struct TotpCode(SecretString);

impl TryFrom<String> for TotpCode {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let text = unspaced(&text);
        let fits = text.len() == TOTP_DIGITS && text.bytes().all(|it| it.is_ascii_digit());
        fits.then(|| Self(text.into())).ok_or("must be the six digits of the authenticator")
    }
}

impl TryFrom<String> for Code {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let recovery = unspaced(&text).to_ascii_lowercase();
        if recovery.len() == RECOVERY_CHARS && recovery.bytes().all(|it| ALPHABET.contains(&it)) {
            return Ok(Self(Kind::Recovery(recovery.into())));
        }
        let totp = TotpCode::try_from(text).map(|it| Self(Kind::Totp(it)));
        totp.map_err(|_| "must be the six digits of the authenticator, or a recovery code")
    }
}

impl TotpCode {
    pub(super) fn digits(&self) -> &str {
        self.0.expose_secret()
    }
}

/// The recovery codes, as they are shown once.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Ten codes; each signs in once.
    #[schema(example = json!(["8v2k-1m0q-x7ra-fw3d"]))]
    pub recovery_codes: Vec<String>,
}

impl RecoveryCodes {
    /// Returns ten codes of these random bytes.
    pub(super) fn of(random: [[u8; 32]; RECOVERY_CODES]) -> Self {
        Self { recovery_codes: random.map(code_of).into() }
    }

    /// Returns the hashes, which are safe to keep.
    pub(super) fn hashes(&self) -> Vec<String> {
        self.recovery_codes.iter().map(|it| hash(&unspaced(it))).collect()
    }
}

/// Returns the hash of a recovery code in its one spelling.
pub(super) fn hash(code: &str) -> String {
    hex::encode(Sha256::digest(code))
}

fn code_of(random: [u8; 32]) -> String {
    let letters = random.into_iter().take(RECOVERY_CHARS);
    let letters: Vec<_> = letters.map(|it| char::from(ALPHABET[usize::from(it) % ALPHABET.len()])).collect();
    letters.chunks(GROUP_CHARS).map(String::from_iter).collect::<Vec<_>>().join("-")
}

/// Codes are shown in groups, and typed in with what stands between these.
fn unspaced(text: &str) -> String {
    text.chars().filter(|it| !matches!(it, ' ' | '-')).take(RECOVERY_CHARS + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_is_read_however_it_is_typed() {
        let codes = RecoveryCodes::of([[7; 32]; RECOVERY_CODES]);
        let (shown, kept) = (&codes.recovery_codes[0], &codes.hashes()[0]);
        assert_eq!(shown.len(), 19, "{shown}");
        for typed in [shown.clone(), shown.to_uppercase(), shown.replace('-', ""), shown.replace('-', " ")] {
            let Ok(Code(Kind::Recovery(code))) = Code::try_from(typed.clone()) else { panic!("{typed}") };
            assert_eq!(hash(code.expose_secret()), *kept);
        }
    }

    #[test]
    fn six_digits_are_a_code_and_nothing_else_is() {
        assert!(
            matches!(Code::try_from("012 345".to_owned()), Ok(Code(Kind::Totp(it))) if it.digits() == "012345")
        );
        for text in ["", "12345", "1234567", "+12345", "١٢٣٤٥٦", "0123456789abcdefg"] {
            assert!(Code::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
