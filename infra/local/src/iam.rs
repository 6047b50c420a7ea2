//! Enforces the policies of functions.
//!
//! The access key identifies the function. Used rights are recorded, so that tests can find unused ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Result, ensure};
use platform::settings::Settings;

use crate::template::Statement;

/// Policies by function, and the used rights.
#[derive(Default)]
pub(crate) struct Iam {
    roles: BTreeMap<String, Vec<Statement>>,
    used: Mutex<BTreeSet<String>>,
}

impl Iam {
    pub(crate) fn new(roles: BTreeMap<String, Vec<Statement>>) -> Self {
        Self { roles, used: Mutex::default() }
    }

    /// Returns whether an access key allows the action, and records its use. Keys of other callers allow everything.
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

    /// Records a right without requiring it. Returns whether the policy allows it.
    pub(crate) fn grants(&self, function: &str, action: &str, arn: &str) -> bool {
        let grants = |statements: &Vec<Statement>| {
            statements.iter().any(|statement| statement.grant(action, arn).is_some())
        };
        self.roles.get(function).is_some_and(grants) && self.allows(function, action, arn)
    }

    /// Checks a right that Lambda uses on behalf of the function.
    ///
    /// # Errors
    /// Fails if the policy does not allow it.
    pub(crate) fn require(&self, function: &str, action: &str, arn: &str) -> Result<()> {
        ensure!(self.allows(function, action, arn), "its policy does not allow {action} on {arn}");
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rights and settings that functions used.
#[derive(Clone)]
pub struct Uses {
    pub(crate) iam: Arc<Iam>,
    pub(crate) settings: Arc<BTreeMap<String, Settings>>,
}

impl Uses {
    /// Returns a line per right (`Posts dynamodb:GetItem Table`) and setting (`Posts FEED_SHARDS`).
    pub fn lines(&self) -> BTreeSet<String> {
        let mut lines = self.iam.lock().clone();
        for (function, settings) in &*self.settings {
            lines.extend(settings.asked().map(|variable| format!("{function} {variable}")));
        }
        lines
    }
}
