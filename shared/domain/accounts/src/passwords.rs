//! Hashes and checks passwords with argon2id. A check takes the same time whether or not the account exists.

use std::sync::LazyLock;

use anyhow::anyhow;
use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use platform::{Error, Result};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::{sync::Semaphore, task::spawn_blocking};
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

const MIN_CHARS: usize = 8;
const MAX_CHARS: usize = 128;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// A hash that no password matches. Checking a password against this hash takes as long as against a real hash.
const UNMATCHED_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Commonly leaked passwords in lower case, one per line, sorted by bytes.
const COMMON: &str = include_str!("../data/common.txt");

/// Permits for concurrent hash computations. Each computation occupies a CPU core, so more permits would not be faster.
static PERMITS: Semaphore = Semaphore::const_new(2);

/// A new password. Common passwords are not allowed.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(value_type = String, format = "password", min_length = 8, max_length = 128, example = "correct horse battery")]
#[serde(try_from = "String")]
pub struct NewPassword(SecretString);

/// A password to check. Any text is allowed.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = Password, value_type = String, format = "password", example = "correct horse battery")]
#[serde(from = "String")]
pub struct TypedPassword(SecretString);

impl TryFrom<String> for NewPassword {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let text = opaque(&text);
        let fits = (MIN_CHARS..=MAX_CHARS).contains(&text.chars().count());
        if !fits {
            return Err("must have 8 to 128 characters");
        }
        if text.contains(char::is_control) {
            return Err("must not contain control characters");
        }
        if is_common(&text) { Err("is too common") } else { Ok(Self(text.into())) }
    }
}

impl From<String> for TypedPassword {
    fn from(text: String) -> Self {
        Self(opaque(&text).into())
    }
}

/// Normalizes a password with the OpaqueString profile of RFC 8265, because keyboards can encode the same text
/// differently.
fn opaque(text: &str) -> String {
    text.chars().map(|char| if is_space(char) { ' ' } else { char }).nfc().collect()
}

/// Returns whether a character is a space in Unicode (general category Zs).
fn is_space(char: char) -> bool {
    char.is_whitespace() && !char.is_control() && !matches!(char, '\u{2028}' | '\u{2029}')
}

impl NewPassword {
    /// Returns the hash to store, in PHC form. Costs about 20 ms of CPU time.
    pub async fn hash(self) -> Result<String> {
        let hash = move || {
            let hash: PasswordHash = argon2()?.hash_password(self.0.expose_secret().as_bytes())?;
            Ok(hash.to_string())
        };
        run_blocking(hash).await
    }
}

impl TypedPassword {
    /// Returns whether the password has this hash. If `hash` is `None`, does the same work and returns false.
    pub async fn matches(self, hash: Option<String>) -> Result<bool> {
        let verify = move || {
            let hash = PasswordHash::new(hash.as_deref().unwrap_or(UNMATCHED_HASH))?;
            Ok(argon2()?.verify_password(self.0.expose_secret().as_bytes(), &hash).is_ok())
        };
        run_blocking(verify).await
    }
}

/// Returns whether the password is in the list of common passwords, ignoring case.
fn is_common(password: &str) -> bool {
    static LINES: LazyLock<Vec<&str>> = LazyLock::new(|| COMMON.lines().collect());
    LINES.binary_search(&password.to_lowercase().as_str()).is_ok()
}

fn argon2() -> argon2::password_hash::Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Runs `work` on a blocking thread. At most two calls run concurrently.
async fn run_blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> argon2::password_hash::Result<T> + Send + 'static,
{
    let _permit = PERMITS.acquire().await.map_err(Error::internal)?;
    let done = spawn_blocking(work).await.map_err(Error::internal)?;
    done.map_err(|error| Error::internal(anyhow!("argon2: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> TypedPassword {
        TypedPassword::from(text.to_owned())
    }

    #[tokio::test]
    async fn only_the_same_password_matches_a_hash() {
        let hash = NewPassword::try_from("correct horse".to_owned()).unwrap().hash().await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(typed("correct horse").matches(Some(hash.clone())).await.unwrap());
        assert!(!typed("correct horsf").matches(Some(hash)).await.unwrap());
    }

    #[tokio::test]
    async fn no_password_matches_a_missing_hash() {
        assert!(!typed("").matches(None).await.unwrap());
    }

    #[test]
    fn common_passwords_are_sorted_and_match_whole_passwords() {
        assert!(COMMON.lines().is_sorted(), "binary search needs a sorted list");
        assert!(NewPassword::try_from("password of mine".to_owned()).is_ok());
    }

    #[test]
    fn password_length_is_counted_in_characters() {
        assert!(NewPassword::try_from("ñ".repeat(8)).is_ok());
        assert!(NewPassword::try_from("ñ".repeat(7)).is_err());
        assert!(NewPassword::try_from("ñ".repeat(128)).is_ok());
        assert!(NewPassword::try_from("ñ".repeat(129)).is_err());
    }

    #[test]
    fn a_new_password_has_no_control_characters() {
        for control in ["\t", "\0", "\u{7f}", "\u{85}"] {
            assert!(NewPassword::try_from(format!("correct{control}horse")).is_err(), "{control:?}");
        }
    }
}
