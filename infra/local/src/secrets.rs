//! Secrets Manager. It stores the two newest versions of each secret.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{
    account::name_in,
    disk::{Disk, SaveFailed},
    lock::lock,
    template::Secret,
};

const SECRET_BYTES: usize = 32;
const PREVIOUS: &str = "AWSPREVIOUS";
const LIST: &str = "secrets";

#[derive(Clone, Deserialize, Serialize)]
pub(crate) struct Versions {
    current: String,
    previous: Option<String>,
}

/// The template's secrets. Clones share the values.
#[derive(Clone)]
pub(crate) struct SecretStore {
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

impl SecretStore {
    /// Opens the store. Secrets keep their saved values unless the template sets a different value.
    pub(crate) fn new(secrets: Vec<Secret>, disk: Disk) -> anyhow::Result<Self> {
        let mut saved: BTreeMap<String, Versions> = disk.value(LIST)?.unwrap_or_default();
        let mut current = BTreeMap::new();
        for Secret { name, secret_string } in secrets {
            let old = saved
                .remove(&name)
                .filter(|old| secret_string.as_ref().is_none_or(|new| *new == old.current));
            let new = || Versions { current: secret_string.unwrap_or_else(generate), previous: None };
            current.insert(name, old.unwrap_or_else(new));
        }
        disk.save(LIST, &current)?;
        Ok(Self { secrets: Arc::new(Mutex::new(current)), disk })
    }

    /// Returns the secret value if the setting is the ARN of a secret. Otherwise returns the setting unchanged.
    pub(crate) fn value(&self, setting: &str) -> String {
        lock(&self.secrets)
            .get(name_in(setting))
            .map_or_else(|| setting.to_owned(), |secret| secret.current.clone())
    }

    /// Runs an operation of Secrets Manager. Returns `None` if the secret, the version or the operation does not exist.
    pub(crate) fn answer(&self, operation: &str, body: &[u8]) -> Result<Option<Json>, SaveFailed> {
        let Ok(call) = serde_json::from_slice::<Call>(body) else { return Ok(None) };
        let mut secrets = lock(&self.secrets);
        let name = name_in(&call.secret_id);
        let Some(versions) = secrets.get(name) else { return Ok(None) };
        let value = match (operation, call.version_stage.as_deref(), call.secret_string) {
            ("GetSecretValue", Some(PREVIOUS), _) => versions.previous.clone(),
            ("GetSecretValue", ..) => Some(versions.current.clone()),
            ("PutSecretValue", _, Some(new)) => {
                let versions = Versions { current: new, previous: Some(versions.current.clone()) };
                let mut changed = secrets.clone();
                changed.insert(name.to_owned(), versions);
                self.disk.save(LIST, &changed)?;
                *secrets = changed;
                return Ok(Some(json!({ "ARN": call.secret_id })));
            }
            _ => None,
        };
        Ok(value.map(|value| json!({ "ARN": call.secret_id, "SecretString": value })))
    }
}

#[expect(clippy::disallowed_methods, reason = "the product generates no secrets")]
fn generate() -> String {
    hex::encode(rand::random::<[u8; SECRET_BYTES]>())
}
