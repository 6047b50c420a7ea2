//! Secrets: their values, or the values that AWS Secrets Manager has for them.
//!
//! Two versions of a secret are valid at a time: a rotation makes the current version the previous one. The
//! current version signs, both verify. A warm instance learns of a rotation when it meets a signature that
//! neither of its two versions made.

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
    clock::Clock,
    error::{Error, Result},
    outgoing::Outgoing,
    settings::{SecretVariable, is_reference},
    time::Time,
};

const TIMEOUT: Duration = Duration::from_secs(3);
/// Seconds after which a warm instance reads a secret again.
const FRESH_SECONDS: i64 = 300;
/// Seconds between two reads because of unknown signatures, which anybody can send.
const ASKED_AGAIN_SECONDS: i64 = 5;

/// A secret as it is now, and as it was before its last rotation.
pub struct Versions {
    /// The version that signs; it verifies too.
    pub current: SecretString,
    /// The version that only verifies.
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
    asked_again: Option<Time>,
}

impl Secrets {
    /// Makes the secrets of these variables, with none read.
    pub fn new(outgoing: Outgoing, clock: Clock, variables: Vec<SecretVariable>) -> Self {
        Self { outgoing, clock, variables, read: Mutex::default() }
    }

    /// Returns the secret that a setting holds or names. Asks Secrets Manager on a cold start and every five minutes.
    ///
    /// # Errors
    /// Fails when the secret was never read, and cannot be read now or is too short for its variable.
    pub async fn of(&self, setting: &SecretString) -> Result<Arc<Versions>> {
        let value = setting.expose_secret();
        if !is_reference(value) {
            return Ok(Arc::new(Versions { current: setting.clone(), previous: None }));
        }
        match self.known(value) {
            Some(read) if self.now() < read.at.plus_seconds(FRESH_SECONDS) => Ok(read.versions),
            known => match self.read(value, None).await {
                Err(error) => known.map(|it| self.keep(value, it)).ok_or(error),
                versions => versions,
            },
        }
    }

    /// Reads the secret again, because it may have been rotated. Asks at most every five seconds.
    ///
    /// # Errors
    /// Fails when the secret cannot be read.
    pub async fn renewed(&self, setting: &SecretString) -> Result<Option<Arc<Versions>>> {
        let (arn, now) = (setting.expose_secret(), self.now());
        match self.known(arn) {
            Some(Read { asked_again: Some(at), .. }) if now < at.plus_seconds(ASKED_AGAIN_SECONDS) => {
                Ok(None)
            }
            Some(known) => {
                let read = self.read(arn, Some(now)).await;
                read.map(Some).inspect_err(|_| drop(self.keep(arn, known)))
            }
            None => Ok(None),
        }
    }

    /// Keeps what is known of a secret that cannot be read now, until it is asked for again in some seconds.
    fn keep(&self, arn: &str, known: Read) -> Arc<Versions> {
        let at = self.now().plus_seconds(ASKED_AGAIN_SECONDS - FRESH_SECONDS);
        let versions = Arc::clone(&known.versions);
        self.lock().insert(arn.to_owned(), Read { at, asked_again: Some(self.now()), ..known });
        versions
    }

    /// Whether a valid version passes the check; a version that this instance has not read yet counts too.
    ///
    /// # Errors
    /// As [`Secrets::of`].
    pub async fn any(&self, setting: &SecretString, passes: impl Fn(&SecretString) -> bool) -> Result<bool> {
        if self.of(setting).await?.all().any(&passes) {
            return Ok(true);
        }
        // An unknown signature is refused even when the secret cannot be read again.
        let renewed = self.renewed(setting).await.unwrap_or_default();
        Ok(renewed.is_some_and(|it| it.all().any(&passes)))
    }

    /// Whether a valid version is exactly this. It takes the same time wherever they differ.
    ///
    /// # Errors
    /// As [`Secrets::of`].
    pub async fn is(&self, setting: &SecretString, given: &[u8]) -> Result<bool> {
        self.any(setting, |it| it.expose_secret().as_bytes().ct_eq(given).into()).await
    }

    async fn read(&self, arn: &str, asked_again: Option<Time>) -> Result<Arc<Versions>> {
        let variable = self.variables.iter().find(|it| it.value().expose_secret() == arn);
        let versions = self.versions(arn, variable).await.map_err(|error| {
            let name = variable.map_or("a secret", SecretVariable::name);
            tracing::error!("{name} was not read: {error:#}");
            Error::internal(error.context(format!("{name} was not read")))
        })?;
        let versions = Arc::new(versions);
        let read = Read { versions: Arc::clone(&versions), at: self.now(), asked_again };
        self.lock().insert(arn.to_owned(), read);
        Ok(versions)
    }

    async fn versions(&self, arn: &str, variable: Option<&SecretVariable>) -> Anyhow<Versions> {
        let (current, previous) = futures::join!(self.get(arn, "AWSCURRENT"), self.get(arn, "AWSPREVIOUS"));
        let check = |secret: &SecretString| variable.map_or(Ok(()), |it| it.check(secret));
        let current = current?.context("it has no value")?;
        check(&current)?;
        // The rotation that mends a short secret leaves it behind as the previous version.
        let previous = previous?.filter(|it| check(it).is_ok());
        Ok(Versions { current, previous })
    }

    fn now(&self) -> Time {
        Time::from((self.clock)())
    }

    /// Returns one version of a secret; none when there is no such version.
    async fn get(&self, arn: &str, stage: &str) -> Anyhow<Option<SecretString>> {
        let standard = || self.outgoing.standard_endpoint("secretsmanager");
        let endpoint = self.outgoing.endpoint("Secrets Manager").unwrap_or_else(standard);
        let body = json!({ "SecretId": arn, "VersionStage": stage }).to_string();
        let request = http::Request::post(format!("{endpoint}/"))
            .header("content-type", "application/x-amz-json-1.1")
            .header("x-amz-target", "secretsmanager.GetSecretValue")
            .body(body)?;
        let answer = self.outgoing.ask("secretsmanager", request, self.now(), TIMEOUT).await;
        let answer = answer.context("Secrets Manager")?;
        let status = answer.status();
        let answer: SecretValue = answer.json().await.map_err(reqwest::Error::without_url)?;
        if status == StatusCode::BAD_REQUEST && answer.kind.ends_with("ResourceNotFoundException") {
            return Ok(None);
        }
        ensure!(status.is_success(), "Secrets Manager answered {status} {}", answer.kind);
        Ok(answer.secret_string.map(SecretString::from))
    }

    fn known(&self, arn: &str) -> Option<Read> {
        self.lock().get(arn).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Read>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The secret, or the kind of the refusal.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct SecretValue {
    secret_string: Option<String>,
    #[serde(rename = "__type")]
    kind: String,
}
