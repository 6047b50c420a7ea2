//! Enforces the IAM policies of functions.
//!
//! The access key ID identifies the function. Used permissions are recorded to find unused permissions.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Result, ensure};
use platform::settings::Settings;

use crate::template::Statement;

/// Policies of each function, and the permissions that were used.
#[derive(Default)]
pub(crate) struct Iam {
    roles: BTreeMap<String, Vec<Statement>>,
    used: Mutex<BTreeSet<String>>,
}

impl Iam {
    pub(crate) fn new(roles: BTreeMap<String, Vec<Statement>>) -> Self {
        Self { roles, used: Mutex::default() }
    }

    /// Returns whether the access key has permission for the action, and records the use. A key that belongs to no
    /// function has all permissions.
    pub(crate) fn allows(&self, key: &str, action: &str, arn: &str) -> bool {
        let Some(statements) = self.roles.get(key) else { return true };
        let Some(grant) = statements.iter().find_map(|it| it.grant(action, arn)) else {
            tracing::error!("the policy of {key} does not allow {action} on {arn}");
            return false;
        };
        if !grant.conditional {
            self.lock().insert(format!("{key} {action} {}", grant.label));
        }
        true
    }

    /// Records the use of a permission if the policy grants it. Returns whether the policy grants the permission.
    pub(crate) fn grants(&self, function: &str, action: &str, arn: &str) -> bool {
        let grants = |statements: &Vec<Statement>| {
            statements.iter().any(|statement| statement.grant(action, arn).is_some())
        };
        self.roles.get(function).is_some_and(grants) && self.allows(function, action, arn)
    }

    /// Checks a permission that Lambda uses on behalf of the function.
    ///
    /// # Errors
    /// Fails if the policy does not grant the permission.
    pub(crate) fn require(&self, function: &str, action: &str, arn: &str) -> Result<()> {
        ensure!(self.allows(function, action, arn), "its policy does not allow {action} on {arn}");
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The permissions and settings that functions used.
#[derive(Clone)]
pub struct Uses {
    pub(crate) iam: Arc<Iam>,
    pub(crate) settings: Arc<BTreeMap<String, Settings>>,
}

impl Uses {
    /// Returns one line per permission (`Posts dynamodb:GetItem Table`) and per setting (`Posts FEED_SHARDS`).
    pub fn lines(&self) -> BTreeSet<String> {
        let mut lines = self.iam.lock().clone();
        for (function, settings) in &*self.settings {
            lines.extend(settings.asked().map(|variable| format!("{function} {variable}")));
        }
        lines
    }
}
