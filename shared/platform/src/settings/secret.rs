//! A secret as a variable has it.

use anyhow::ensure;
use secrecy::{ExposeSecret, SecretString};

const ARN: &str = "arn:";

/// A variable that holds a secret, or its ARN in Secrets Manager.
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

    /// Returns the secret or its ARN.
    pub fn value(&self) -> &SecretString {
        &self.value
    }

    /// Checks a value that the variable holds or leads to.
    ///
    /// # Errors
    /// Fails for a secret that has too few bytes to sign, and names the variable.
    pub fn check(&self, secret: &SecretString) -> anyhow::Result<()> {
        let (name, min) = (self.name, self.min_bytes);
        ensure!(secret.expose_secret().len() >= min, "{name} must have at least {min} bytes");
        Ok(())
    }
}

/// Whether the value of a setting is the ARN of a secret and not the secret itself.
pub fn is_reference(value: &str) -> bool {
    value.starts_with(ARN)
}
