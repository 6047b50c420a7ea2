//! Codes of a second factor.

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// Number of recovery codes per account.
const RECOVERY_CODES: usize = 10;
/// Length of a recovery code. Its 80 random bits prevent guessing the code from its unsalted hash.
const RECOVERY_CHARS: usize = 16;
const GROUP_CHARS: usize = 4;
/// Crockford's Base32 alphabet, whose characters are hard to confuse.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const TOTP_DIGITS: usize = 6;

/// A code that a user entered: a code from the authenticator, or a recovery code.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = SecondFactorCode, value_type = String, example = "492039")]
#[serde(try_from = "String")]
pub struct Code(pub(super) Kind);

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Totp(TotpCode),
    /// A recovery code in lower case, without separators.
    Recovery(SecretString),
}

/// A code of six digits from an authenticator.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(value_type = String, pattern = "^[0-9]{6}$", example = "492039")]
#[serde(try_from = "String")]
pub struct TotpCode(SecretString);

impl TryFrom<String> for TotpCode {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let text = unspaced(&text);
        let fits = text.len() == TOTP_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| Self(text.into())).ok_or("must be a 6-digit code")
    }
}

impl TryFrom<String> for Code {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let recovery = unspaced(&text).to_ascii_lowercase();
        if recovery.len() == RECOVERY_CHARS && recovery.bytes().all(|byte| ALPHABET.contains(&byte)) {
            return Ok(Self(Kind::Recovery(recovery.into())));
        }
        let totp = TotpCode::try_from(text).map(|code| Self(Kind::Totp(code)));
        totp.map_err(|_| "must be a 6-digit code or a recovery code")
    }
}

impl TotpCode {
    pub(super) fn digits(&self) -> &str {
        self.0.expose_secret()
    }
}

/// New recovery codes. The codes are shown only once.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Ten codes. Each code is valid once.
    #[schema(example = json!(["8v2k-1m0q-x7ra-fw3d"]))]
    pub recovery_codes: Vec<String>,
}

impl RecoveryCodes {
    /// Returns ten codes generated from random bytes.
    pub(super) fn of(random: [[u8; 32]; RECOVERY_CODES]) -> Self {
        Self { recovery_codes: random.map(code_of).into() }
    }

    /// Returns the hashes of the codes, which are safe to store.
    pub(super) fn hashes(&self) -> Vec<String> {
        self.recovery_codes.iter().map(|code| hash(&unspaced(code))).collect()
    }
}

/// Returns the hash of a recovery code in lower case and without separators.
pub(super) fn hash(code: &str) -> String {
    hex::encode(Sha256::digest(code))
}

fn code_of(random: [u8; 32]) -> String {
    let letters = random.into_iter().take(RECOVERY_CHARS);
    let letters: Vec<_> =
        letters.map(|byte| char::from(ALPHABET[usize::from(byte) % ALPHABET.len()])).collect();
    letters.chunks(GROUP_CHARS).map(String::from_iter).collect::<Vec<_>>().join("-")
}

/// Removes spaces and hyphens from an entered code.
fn unspaced(text: &str) -> String {
    text.chars().filter(|char| !matches!(char, ' ' | '-')).take(RECOVERY_CHARS + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_is_read_with_any_case_and_separators() {
        let codes = RecoveryCodes::of([[7; 32]; RECOVERY_CODES]);
        let (shown, kept) = (&codes.recovery_codes[0], &codes.hashes()[0]);
        assert_eq!(shown.len(), 19, "{shown}");
        for typed in [shown.clone(), shown.to_uppercase(), shown.replace('-', ""), shown.replace('-', " ")] {
            let Ok(Code(Kind::Recovery(code))) = Code::try_from(typed.clone()) else { panic!("{typed}") };
            assert_eq!(hash(code.expose_secret()), *kept);
        }
    }

    #[test]
    fn a_totp_code_has_exactly_six_digits() {
        assert!(
            matches!(Code::try_from("012 345".to_owned()), Ok(Code(Kind::Totp(code))) if code.digits() == "012345")
        );
        for text in ["", "12345", "1234567", "+12345", "١٢٣٤٥٦", "0123456789abcdefg"] {
            assert!(Code::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
