//! Reads secrets from settings and from AWS Secrets Manager.
//!
//! A secret has a current and a previous version. A rotation turns the current version into the previous version. The
//! current version signs, and both versions verify. A warm instance reads a secret again if neither version verifies a
//! signature.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::{Context, Result as Anyhow, ensure};
use http::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use subtle::ConstantTimeEq;

use crate::{
    Error, Result, Time,
    clock::Clock,
    outgoing::Outgoing,
    settings::{SecretVariable, is_reference},
};

const TIMEOUT: Duration = Duration::from_secs(3);
/// Seconds after which a warm instance reads a secret again.
const MAX_AGE_SECONDS: i64 = 300;
/// Minimum seconds between two extra reads of a secret. Clients can cause extra reads with invalid signatures.
const REREAD_SECONDS: i64 = 5;

/// The valid versions of a secret.
pub struct Versions {
    /// The version that signs and verifies.
    pub current: SecretString,
    /// The version that only verifies, or `None` if there is none.
    pub previous: Option<SecretString>,
}

impl Versions {
    /// Returns the valid versions, the current one first.
    pub fn all(&self) -> impl Iterator<Item = &SecretString> {
        [&self.current].into_iter().chain(&self.previous)
    }
}

/// The secrets that this instance has read, by ARN.
pub struct Secrets {
    outgoing: Outgoing,
    clock: Clock,
    variables: Vec<SecretVariable>,
    read: Mutex<HashMap<String, Read>>,
}

#[derive(Clone)]
struct Read {
    versions: Arc<Versions>,
    at: Time,
    reread_at: Option<Time>,
}

impl Secrets {
    /// Creates a reader for these variables. Reads no secret yet.
    pub fn new(outgoing: Outgoing, clock: Clock, variables: Vec<SecretVariable>) -> Self {
        Self { outgoing, clock, variables, read: Mutex::default() }
    }

    /// Returns the secret that `setting` contains or refers to. Reads a referenced secret from Secrets Manager on a
    /// cold start, and again every five minutes.
    ///
    /// # Errors
    /// Fails if the secret cannot be read or is too short, unless an earlier read succeeded.
    pub async fn of(&self, setting: &SecretString) -> Result<Arc<Versions>> {
        let value = setting.expose_secret();
        if !is_reference(value) {
            return Ok(Arc::new(Versions { current: setting.clone(), previous: None }));
        }
        match self.known(value) {
            Some(read) if self.now() < read.at.plus_seconds(MAX_AGE_SECONDS) => Ok(read.versions),
            known => match self.read(value, None).await {
                Err(error) => known.map(|read| self.keep(value, read)).ok_or(error),
                versions => versions,
            },
        }
    }

    /// Reads the secret again after a possible rotation. Returns `None` if the previous call was less than five seconds
    /// ago. Also returns `None` if the instance has not read the secret before.
    pub async fn renewed(&self, setting: &SecretString) -> Result<Option<Arc<Versions>>> {
        let (arn, now) = (setting.expose_secret(), self.now());
        match self.known(arn) {
            Some(Read { reread_at: Some(at), .. }) if now < at.plus_seconds(REREAD_SECONDS) => Ok(None),
            Some(known) => {
                let read = self.read(arn, Some(now)).await;
                read.map(Some).inspect_err(|_| drop(self.keep(arn, known)))
            }
            None => Ok(None),
        }
    }

    /// Returns the known versions of a secret that cannot be read now. Schedules the next read in a few seconds.
    fn keep(&self, arn: &str, known: Read) -> Arc<Versions> {
        let at = self.now().plus_seconds(REREAD_SECONDS - MAX_AGE_SECONDS);
        let versions = Arc::clone(&known.versions);
        self.lock().insert(arn.to_owned(), Read { at, reread_at: Some(self.now()), ..known });
        versions
    }

    /// Returns whether any valid version of the secret passes the check. If no known version passes, reads the secret
    /// again and checks the new versions.
    pub(crate) async fn any_version(
        &self,
        setting: &SecretString,
        passes: impl Fn(&SecretString) -> bool,
    ) -> Result<bool> {
        if self.of(setting).await?.all().any(&passes) {
            return Ok(true);
        }
        // If the secret cannot be read again, the signature counts as invalid.
        let renewed = self.renewed(setting).await.unwrap_or_default();
        Ok(renewed.is_some_and(|versions| versions.all().any(&passes)))
    }

    /// Returns whether a valid version of the secret equals `given`. Compares in constant time.
    pub async fn matches(&self, setting: &SecretString, given: &[u8]) -> Result<bool> {
        self.any_version(setting, |secret| secret.expose_secret().as_bytes().ct_eq(given).into()).await
    }

    async fn read(&self, arn: &str, reread_at: Option<Time>) -> Result<Arc<Versions>> {
        let variable = self.variables.iter().find(|variable| variable.value().expose_secret() == arn);
        let versions = self.versions(arn, variable).await.map_err(|error| {
            let name = variable.map_or("a secret", SecretVariable::name);
            tracing::error!("failed to read {name}: {error:#}");
            Error::internal(error.context(format!("failed to read {name}")))
        })?;
        let versions = Arc::new(versions);
        let read = Read { versions: Arc::clone(&versions), at: self.now(), reread_at };
        self.lock().insert(arn.to_owned(), read);
        Ok(versions)
    }

    async fn versions(&self, arn: &str, variable: Option<&SecretVariable>) -> Anyhow<Versions> {
        let (current, previous) = futures::join!(self.get(arn, "AWSCURRENT"), self.get(arn, "AWSPREVIOUS"));
        let check = |secret: &SecretString| variable.map_or(Ok(()), |variable| variable.check(secret));
        let current = current?.context("the secret has no value")?;
        check(&current)?;
        // Ignores a previous version that is too short. A rotation may have replaced it because of its length.
        let previous = previous?.filter(|secret| check(secret).is_ok());
        Ok(Versions { current, previous })
    }

    fn now(&self) -> Time {
        Time::from((self.clock)())
    }

    /// Returns one version of a secret, or `None` if that version does not exist.
    async fn get(&self, arn: &str, stage: &str) -> Anyhow<Option<SecretString>> {
        let endpoint = self.outgoing.endpoint_or_standard("Secrets Manager", "secretsmanager");
        let body = json!({ "SecretId": arn, "VersionStage": stage }).to_string();
        let request = http::Request::post(format!("{endpoint}/"))
            .header("content-type", "application/x-amz-json-1.1")
            .header("x-amz-target", "secretsmanager.GetSecretValue")
            .body(body)?;
        let response = self.outgoing.sign_and_send("secretsmanager", request, self.now(), TIMEOUT).await;
        let response = response.context("Secrets Manager")?;
        let status = response.status();
        let body: SecretValue = response.json().await.map_err(reqwest::Error::without_url)?;
        if status == StatusCode::BAD_REQUEST && body.error.ends_with("ResourceNotFoundException") {
            return Ok(None);
        }
        ensure!(status.is_success(), "Secrets Manager returned {status} {}", body.error);
        Ok(body.secret_string.map(SecretString::from))
    }

    fn known(&self, arn: &str) -> Option<Read> {
        self.lock().get(arn).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Read>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The response of Secrets Manager: a secret or an error type.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct SecretValue {
    secret_string: Option<String>,
    #[serde(rename = "__type")]
    error: String,
}
