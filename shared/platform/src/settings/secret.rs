//! Variables that hold secrets.

use anyhow::ensure;
use secrecy::{ExposeSecret, SecretString};

const ARN: &str = "arn:";

/// An environment variable that contains a secret, or the secret's ARN in Secrets Manager.
#[derive(Clone)]
pub struct SecretVariable {
    pub(super) name: &'static str,
    pub(super) value: SecretString,
    pub(super) min_bytes: usize,
    /// Whether the secret is sent in an HTTP header. It must then be printable ASCII.
    pub(super) is_in_header: bool,
}

impl SecretVariable {
    /// Returns the variable's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the variable's value: the secret or its ARN.
    pub fn value(&self) -> &SecretString {
        &self.value
    }

    /// Checks `secret`, which this variable contains or refers to.
    ///
    /// # Errors
    /// Fails if the secret is blank or too short, or if a header cannot contain it. The error names the variable.
    pub fn check(&self, secret: &SecretString) -> anyhow::Result<()> {
        let (name, min, secret) = (self.name, self.min_bytes, secret.expose_secret());
        let trimmed = secret.trim();
        ensure!(!trimmed.is_empty(), "{name} must not be blank");
        ensure!(trimmed.len() >= min, "{name} must have at least {min} bytes");
        let is_printable = |byte: u8| (b' '..=b'~').contains(&byte);
        let fits = !self.is_in_header || secret == trimmed && secret.bytes().all(is_printable);
        ensure!(fits, "{name} must be ASCII without line breaks, and without spaces around it");
        Ok(())
    }
}

/// Returns whether the value of a setting is the ARN of a secret, not the secret itself.
pub fn is_reference(value: &str) -> bool {
    value.starts_with(ARN)
}
