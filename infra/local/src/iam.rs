//! Who may do what: each function what its policy in the template says, and nothing else.
//!
//! A function is known by its access key. What it did is noted, so that tests can hold policies to what is done.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Result, ensure};
use platform::settings::Settings;

use crate::template::Statement;

/// Roles, by the names of their functions.
#[derive(Default)]
pub(crate) struct Iam {
    roles: BTreeMap<String, Vec<Statement>>,
    done: Mutex<BTreeSet<String>>,
}

impl Iam {
    pub(crate) fn new(roles: BTreeMap<String, Vec<Statement>>) -> Self {
        Self { roles, done: Mutex::default() }
    }

    /// Whether the holder of this access key may. Who is no function may do everything.
    pub(crate) fn allows(&self, key: &str, action: &str, arn: &str) -> bool {
        let Some(statements) = self.roles.get(key) else { return true };
        let Some(grant) = statements.iter().find_map(|it| it.grant(action, arn)) else {
            tracing::error!("{key} may not {action} on {arn}");
            return false;
        };
        if !grant.conditional {
            self.lock().insert(format!("{key} {action} {}", grant.label));
        }
        true
    }

    /// Whether a policy allows it, which AWS does not need: it is noted, and no error where it is not so.
    pub(crate) fn grants(&self, function: &str, action: &str, arn: &str) -> bool {
        let grants = |it: &Vec<Statement>| it.iter().any(|it| it.grant(action, arn).is_some());
        self.roles.get(function).is_some_and(grants) && self.allows(function, action, arn)
    }

    /// What the function does without being called.
    ///
    /// # Errors
    /// It may not.
    pub(crate) fn demand(&self, function: &str, action: &str, arn: &str) -> Result<()> {
        ensure!(self.allows(function, action, arn), "its policy does not allow {action} on {arn}");
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the functions of a stack use of what the template gives them.
#[derive(Clone)]
pub struct Uses {
    pub(crate) iam: Arc<Iam>,
    pub(crate) settings: Arc<BTreeMap<String, Settings>>,
}

impl Uses {
    /// A line each: `Posts dynamodb:GetItem Table` for what was done, `Posts FEED_SHARDS` for what was asked for.
    pub fn lines(&self) -> BTreeSet<String> {
        let mut lines = self.iam.lock().clone();
        for (function, settings) in &*self.settings {
            lines.extend(settings.asked().map(|variable| format!("{function} {variable}")));
        }
        lines
    }
}
