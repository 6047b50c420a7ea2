//! Secrets Manager: generated secrets, the two newest versions of each.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::template::Secret;

const SECRET_BYTES: usize = 32;
const PREVIOUS: &str = "AWSPREVIOUS";

/// A secret now, and before it was last put.
#[derive(Clone, Deserialize, Serialize)]
pub(crate) struct Versions {
    current: String,
    previous: Option<String>,
}

/// The secrets of the template. A clone is the same vault.
#[derive(Clone)]
pub(crate) struct Vault(Arc<Mutex<BTreeMap<String, Versions>>>);

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Call {
    secret_id: String,
    version_stage: Option<String>,
    secret_string: Option<String>,
}

impl Vault {
    /// Keeps what was kept, unless another value is given.
    pub(crate) fn new(secrets: Vec<Secret>, mut kept: BTreeMap<String, Versions>) -> Self {
        let mut known = BTreeMap::new();
        for Secret { name, secret_string } in secrets {
            let old =
                kept.remove(&name).filter(|it| secret_string.as_ref().is_none_or(|new| *new == it.current));
            let new = || Versions { current: secret_string.unwrap_or_else(generate), previous: None };
            known.insert(name, old.unwrap_or_else(new));
        }
        Self(Arc::new(Mutex::new(known)))
    }

    /// The value that a setting holds or leads to.
    pub(crate) fn value(&self, setting: &str) -> String {
        self.lock().get(name(setting)).map_or_else(|| setting.to_owned(), |it| it.current.clone())
    }

    /// For keeping them on disk.
    pub(crate) fn snapshot(&self) -> BTreeMap<String, Versions> {
        self.lock().clone()
    }

    /// Whose secret a call is about.
    pub(crate) fn subject(body: &[u8]) -> String {
        serde_json::from_slice(body).map(|it: Call| it.secret_id).unwrap_or_default()
    }

    /// Answers a call; none where there is no such secret, version or operation.
    pub(crate) fn answer(&self, operation: &str, body: &[u8]) -> Option<Json> {
        let call: Call = serde_json::from_slice(body).ok()?;
        let mut secrets = self.lock();
        let versions = secrets.get_mut(name(&call.secret_id))?;
        match (operation, call.version_stage.as_deref()) {
            ("GetSecretValue", Some(PREVIOUS)) => {
                Some(json!({ "ARN": call.secret_id, "SecretString": versions.previous.as_ref()? }))
            }
            ("GetSecretValue", _) => Some(json!({ "ARN": call.secret_id, "SecretString": versions.current })),
            ("PutSecretValue", _) => {
                versions.previous = Some(std::mem::replace(&mut versions.current, call.secret_string?));
                Some(json!({ "ARN": call.secret_id }))
            }
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Versions>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name at the end of an ARN.
fn name(arn: &str) -> &str {
    arn.rsplit(':').next().unwrap_or_default()
}

fn generate() -> String {
    let bytes: [u8; SECRET_BYTES] = rand::random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
