//! Secrets: their values, or where AWS Secrets Manager keeps them. Two versions of each are good at a time.
//!
//! A rotation makes the current version the previous one. Whoever checks takes both, whoever signs takes the
//! current one, and an instance that is warm learns of it when it meets what neither of its two has signed.

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

use crate::{
    clock::Clock,
    error::{Error, Result},
    outgoing::Outside,
    time::Time,
};

const ARN: &str = "arn:";
const TIMEOUT: Duration = Duration::from_secs(3);
/// How long a warm instance is content with what it read.
const FRESH_SECONDS: i64 = 300;
/// How often at most it asks again because of what neither version has signed: anybody can send that.
const ASKED_AGAIN_SECONDS: i64 = 5;

/// What a secret is now, and what it was before the last rotation.
pub struct Versions {
    /// Signs, and checks.
    pub current: SecretString,
    /// Checks.
    pub previous: Option<SecretString>,
}

impl Versions {
    /// All that are good, the current one first.
    pub fn all(&self) -> impl Iterator<Item = &SecretString> {
        [&self.current].into_iter().chain(&self.previous)
    }
}

/// What this instance read, by ARN.
pub struct Secrets {
    outside: Outside,
    clock: Clock,
    read: Mutex<HashMap<String, Read>>,
}

#[derive(Clone)]
struct Read {
    versions: Arc<Versions>,
    at: Time,
    asked_again: Option<Time>,
}

/// Whether the value of a setting is where the secret is, and not the secret.
pub fn is_reference(value: &str) -> bool {
    value.starts_with(ARN)
}

impl Secrets {
    /// Reads from the Secrets Manager of this configuration, by this clock.
    pub fn new(outside: Outside, clock: Clock) -> Self {
        Self { outside, clock, read: Mutex::default() }
    }

    /// What a setting holds or leads to. No call; 2 to Secrets Manager on a cold start and every five minutes.
    ///
    /// # Errors
    /// Internal, when it was never read and cannot be.
    pub async fn of(&self, setting: &SecretString) -> Result<Arc<Versions>> {
        let value = setting.expose_secret();
        if !is_reference(value) {
            return Ok(Arc::new(Versions { current: setting.clone(), previous: None }));
        }
        match self.known(value) {
            Some(read) if self.now() < read.at.plus_seconds(FRESH_SECONDS) => Ok(read.versions),
            known => match self.read(value, None).await {
                Err(error) => known.map(|it| it.versions).ok_or(error),
                versions => versions,
            },
        }
    }

    /// What it is now, if it may have been rotated since it was read. 2 calls, every five seconds at most.
    ///
    /// # Errors
    /// Internal, when it cannot be read.
    pub async fn renewed(&self, setting: &SecretString) -> Result<Option<Arc<Versions>>> {
        let (arn, now) = (setting.expose_secret(), self.now());
        match self.known(arn) {
            Some(Read { asked_again: Some(at), .. }) if now < at.plus_seconds(ASKED_AGAIN_SECONDS) => {
                Ok(None)
            }
            Some(_) => self.read(arn, Some(now)).await.map(Some),
            None => Ok(None),
        }
    }

    /// Whether a version that is good passes the check, were it one that this instance does not know yet.
    ///
    /// # Errors
    /// As [`Secrets::of`].
    pub async fn any(&self, setting: &SecretString, passes: impl Fn(&SecretString) -> bool) -> Result<bool> {
        if self.of(setting).await?.all().any(&passes) {
            return Ok(true);
        }
        // What nobody knows is refused even while the secret cannot be read again.
        let renewed = self.renewed(setting).await.unwrap_or_default();
        Ok(renewed.is_some_and(|it| it.all().any(&passes)))
    }

    async fn read(&self, arn: &str, asked_again: Option<Time>) -> Result<Arc<Versions>> {
        let (current, previous) = futures::join!(self.get(arn, "AWSCURRENT"), self.get(arn, "AWSPREVIOUS"));
        let unread = |error: anyhow::Error| {
            tracing::error!("a secret was not read: {error:#}");
            Error::internal(error)
        };
        let current = current.and_then(|it| it.context("it has no value")).map_err(unread)?;
        let versions = Arc::new(Versions { current, previous: previous.map_err(unread)? });
        let read = Read { versions: Arc::clone(&versions), at: self.now(), asked_again };
        self.lock().insert(arn.to_owned(), read);
        Ok(versions)
    }

    fn now(&self) -> Time {
        Time::from((self.clock)())
    }

    /// One version of a secret; none when there is no such version.
    async fn get(&self, arn: &str, stage: &str) -> Anyhow<Option<SecretString>> {
        let standard = || format!("https://secretsmanager.{}.amazonaws.com", self.outside.region());
        let endpoint = self.outside.endpoint("Secrets Manager").unwrap_or_else(standard);
        let body = json!({ "SecretId": arn, "VersionStage": stage }).to_string();
        let request = http::Request::post(format!("{endpoint}/"))
            .header("content-type", "application/x-amz-json-1.1")
            .header("x-amz-target", "secretsmanager.GetSecretValue")
            .body(body)?;
        let answer = self.outside.ask("secretsmanager", request, self.now(), TIMEOUT).await;
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
