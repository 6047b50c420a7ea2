//! Secrets Manager: generated secrets, the two newest versions of each.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{
    disk::{Disk, Unwritten},
    template::Secret,
};

const SECRET_BYTES: usize = 32;
const PREVIOUS: &str = "AWSPREVIOUS";
const KEPT: &str = "secrets";

/// A secret now, and before it was last put.
#[derive(Clone, Deserialize, Serialize)]
pub(crate) struct Versions {
    current: String,
    previous: Option<String>,
}

/// The secrets of the template. A clone is the same vault.
#[derive(Clone)]
pub(crate) struct Vault {
    secrets: Arc<Mutex<BTreeMap<String, Versions>>>,
    disk: Disk,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Call {
    secret_id: String,
    version_stage: Option<String>,
    secret_string: Option<String>,
}

impl Vault {
    /// Keeps what was kept, unless another value is given.
    pub(crate) fn new(secrets: Vec<Secret>, disk: Disk) -> anyhow::Result<Self> {
        let mut kept: BTreeMap<String, Versions> = disk.value(KEPT)?.unwrap_or_default();
        let mut known = BTreeMap::new();
        for Secret { name, secret_string } in secrets {
            let old =
                kept.remove(&name).filter(|it| secret_string.as_ref().is_none_or(|new| *new == it.current));
            let new = || Versions { current: secret_string.unwrap_or_else(generate), previous: None };
            known.insert(name, old.unwrap_or_else(new));
        }
        disk.keep(KEPT, &known)?;
        Ok(Self { secrets: Arc::new(Mutex::new(known)), disk })
    }

    /// The value that a setting holds or leads to.
    pub(crate) fn value(&self, setting: &str) -> String {
        self.lock().get(name(setting)).map_or_else(|| setting.to_owned(), |it| it.current.clone())
    }

    /// Whose secret a call is about.
    pub(crate) fn subject(body: &[u8]) -> String {
        serde_json::from_slice(body).map(|it: Call| it.secret_id).unwrap_or_default()
    }

    /// Answers a call; none where there is no such secret, version or operation.
    pub(crate) fn answer(&self, operation: &str, body: &[u8]) -> Result<Option<Json>, Unwritten> {
        let Ok(call) = serde_json::from_slice::<Call>(body) else { return Ok(None) };
        let mut secrets = self.lock();
        let name = name(&call.secret_id);
        let Some(versions) = secrets.get(name) else { return Ok(None) };
        let value = match (operation, call.version_stage.as_deref(), call.secret_string) {
            ("GetSecretValue", Some(PREVIOUS), _) => versions.previous.clone(),
            ("GetSecretValue", ..) => Some(versions.current.clone()),
            ("PutSecretValue", _, Some(new)) => {
                let put_there = Versions { current: new, previous: Some(versions.current.clone()) };
                let mut changed = secrets.clone();
                changed.insert(name.to_owned(), put_there);
                self.disk.keep(KEPT, &changed)?;
                *secrets = changed;
                return Ok(Some(json!({ "ARN": call.secret_id })));
            }
            _ => None,
        };
        Ok(value.map(|value| json!({ "ARN": call.secret_id, "SecretString": value })))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Versions>> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name at the end of an ARN.
fn name(arn: &str) -> &str {
    arn.rsplit(':').next().unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "the stack makes secrets that the product never makes")]
fn generate() -> String {
    let bytes: [u8; SECRET_BYTES] = rand::random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
