//! Enforces the policies of functions, with denials and conditions.
//!
//! The access key ID identifies the function. The stack records which permissions are used, so that tests can find
//! unused permissions.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use anyhow::{Result, ensure};
use platform::settings::Settings;

use crate::{
    account::table_arn,
    lock::lock,
    recorder::Recorder,
    rights::Access,
    template::{Statement, Table, granted},
};

/// Policies of each function, and the permissions that were used.
#[derive(Default)]
pub(crate) struct Iam {
    roles: BTreeMap<String, Vec<Statement>>,
    tables: BTreeMap<String, TableKeys>,
    used: Mutex<BTreeSet<String>>,
}

/// Properties of a table that policies depend on.
#[derive(Default)]
struct TableKeys {
    partition_key: String,
    /// ARN of the customer's KMS key, or `None` if DynamoDB uses its own key.
    kms_key: Option<String>,
}

impl Iam {
    pub(crate) fn new(roles: BTreeMap<String, Vec<Statement>>, tables: &[Table]) -> Self {
        let keys = |table: &Table| TableKeys {
            partition_key: table.keys().next().unwrap_or_default(),
            kms_key: table.kms_key(),
        };
        let tables = tables.iter().map(|table| (table_arn(&table.name), keys(table))).collect();
        Self { roles, tables, used: Mutex::default() }
    }

    /// Checks that the access key has the required permissions. Fails with the reason if the key belongs to a function
    /// that lacks one. `required` is `None` for an unknown kind of request, which fails for every function.
    pub(crate) fn check(&self, key: &str, required: Option<&[Access<'_>]>) -> Result<(), String> {
        if !self.roles.contains_key(key) {
            return Ok(());
        }
        let Some(required) = required else {
            tracing::error!("{key} sent a request of an unknown kind");
            return Err(format!("User: {key} is not authorized to perform this request"));
        };
        let refused = required.iter().find(|access| !self.allows_access(key, access));
        refused.map_or(Ok(()), |Access { action, arn, .. }| {
            Err(format!("User: {key} is not authorized to perform: {action} on resource: {arn}"))
        })
    }

    /// Returns whether the access key has permission for the action, and records the use. A key that belongs to no
    /// function has all permissions.
    pub(crate) fn allows(&self, key: &str, action: &str, arn: &str) -> bool {
        self.allows_access(key, &Access::new(action, arn))
    }

    fn allows_access(&self, key: &str, access: &Access<'_>) -> bool {
        let Some(statements) = self.roles.get(key) else { return true };
        let Access { action, arn, .. } = access;
        let values = |name: &str| access.values(name, self.partition_key(arn));
        let Some(grant) = granted(statements, (action, arn), &values) else {
            tracing::error!("the policy of {key} does not allow {action} on {arn}");
            return false;
        };
        if !grant.conditional {
            lock(&self.used).insert(format!("{key} {action} {}", grant.label));
        }
        true
    }

    fn partition_key(&self, arn: &str) -> &str {
        let table = self.tables.get(arn.split("/index/").next().unwrap_or_default());
        table.map_or("", |table| table.partition_key.as_str())
    }

    /// Records the use of a permission if the policy grants it. Returns whether the policy grants the permission.
    pub(crate) fn grants(&self, function: &str, action: &str, arn: &str) -> bool {
        let grants =
            |statements: &Vec<Statement>| granted(statements, (action, arn), &|_| Vec::new()).is_some();
        self.roles.get(function).is_some_and(grants) && self.allows(function, action, arn)
    }

    /// Checks a permission that Lambda uses on behalf of the function.
    pub(crate) fn require(&self, function: &str, action: &str, arn: &str) -> Result<()> {
        ensure!(self.allows(function, action, arn), "its policy does not allow {action} on {arn}");
        Ok(())
    }

    /// Checks that a function may use a table, and the table's KMS key. DynamoDB uses this key on behalf of its caller.
    pub(crate) fn require_table(&self, function: &str, table: &str) -> Result<()> {
        let arn = table_arn(table);
        let kms_key = self.tables.get(&arn).and_then(|keys| keys.kms_key.as_ref());
        kms_key.map_or(Ok(()), |key| self.require(function, "kms:Decrypt", key))?;
        self.require(function, "dynamodb:GetItem", &arn)
    }
}

/// The permissions and settings that functions used, and the outcomes of their jobs.
#[derive(Clone)]
pub struct Uses {
    pub(crate) recorder: Recorder,
    pub(crate) iam: Arc<Iam>,
    pub(crate) settings: Arc<BTreeMap<String, Settings>>,
}

impl Uses {
    /// Returns one line per permission (`Posts dynamodb:GetItem Table`) and per setting (`Posts FEED_SHARDS`).
    pub fn lines(&self) -> BTreeSet<String> {
        let mut lines = lock(&self.iam.used).clone();
        for (function, settings) in &*self.settings {
            lines.extend(settings.asked().map(|variable| format!("{function} {variable}")));
        }
        lines
    }

    /// Returns one line per outcome of a function's jobs: `circle-judge judge: the circle died`.
    pub fn outcomes(&self) -> BTreeSet<String> {
        self.recorder.outcomes()
    }
}
