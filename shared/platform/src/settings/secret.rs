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

    /// Checks the length of `secret`, which this variable contains or refers to.
    ///
    /// # Errors
    /// Fails if the secret is too short. The error names the variable.
    pub fn check(&self, secret: &SecretString) -> anyhow::Result<()> {
        let (name, min) = (self.name, self.min_bytes);
        ensure!(secret.expose_secret().len() >= min, "{name} must have at least {min} bytes");
        Ok(())
    }
}

/// Returns whether the value of a setting is the ARN of a secret, not the secret itself.
pub fn is_reference(value: &str) -> bool {
    value.starts_with(ARN)
}
