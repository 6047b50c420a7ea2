//! Idempotency keys: a repeated request has no effect, and gets the response to the first request.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::anyhow;
use futures::future::join_all;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::{App, Error, Key, RateLimit, Result, Row, Time, Write, mac, retry_on_conflict, sealed};

const LIFETIME_SECONDS: i64 = 24 * 60 * 60;
const LABEL: &str = "idempotency";
/// Maximum length of an idempotency key.
pub const KEY_MAX_BYTES: usize = 255;

/// Runs a request at most once per idempotency key. A request without a key always runs.
#[derive(Clone, Debug)]
pub struct Once {
    request: Option<Request>,
    /// The limits that already counted the request. Repeating the work after a conflict does not count it again.
    counted: Arc<Mutex<Vec<&'static str>>>,
}

#[derive(Clone, Debug)]
struct Request {
    key: String,
    digest: [u8; 32],
}

/// The answer to the first request with a key, stored for a day.
#[derive(Serialize, Deserialize)]
struct StoredAnswer {
    pk: String,
    fingerprint: String,
    answer: String,
    expires: Time,
}

impl Once {
    /// Creates a `Once` for a request without an idempotency key.
    pub fn unkeyed() -> Self {
        Self { request: None, counted: Arc::default() }
    }

    /// Creates a `Once` for a request with a key. `operation` contains the method and the path. The operation and the body
    /// identify the request.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the key is empty or longer than 255 bytes.
    pub fn keyed(key: &[u8], operation: &str, body: &[u8]) -> Result<Self> {
        if key.is_empty() || key.len() > KEY_MAX_BYTES {
            return Err(Error::invalid("idempotency-key", "must have 1 to 255 characters"));
        }
        let fingerprint = Sha256::new().chain_update(operation).chain_update([0]).chain_update(body);
        let request =
            Request { key: hex::encode(Sha256::digest(key)), digest: fingerprint.finalize().into() };
        Ok(Self { request: Some(request), ..Self::unkeyed() })
    }

    /// Returns the stored answer to this request. If there is none, runs `work`. Then commits the writes of `work` and
    /// stores its answer in one transaction. Repeats `work` if the transaction conflicts with another write.
    ///
    /// If `work` fails, looks for a stored answer again, because a concurrent copy of the request may have succeeded.
    ///
    /// # Errors
    /// Fails as [`Once::earlier`], `work` and [`Once::commit`] do. A request that fails stores nothing.
    pub async fn run<T, W>(&self, app: &App, owner: impl ToString, work: impl Fn() -> W) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        W: Future<Output = Result<(Vec<Write>, T)>>,
    {
        self.run_while(app, owner, async |earlier| Ok(earlier), work).await
    }

    /// Works like [`Once::run`], but passes a stored answer to `check`, which returns it or fails.
    pub async fn run_while<T, C, W>(
        &self,
        app: &App,
        owner: impl ToString,
        check: impl Fn(T) -> C,
        work: impl Fn() -> W,
    ) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        C: Future<Output = Result<T>>,
        W: Future<Output = Result<(Vec<Write>, T)>>,
    {
        let owner = &owner.to_string();
        if let Some(earlier) = self.earlier(app, owner).await? {
            return check(earlier).await;
        }
        let work = async || work().await.map(|(writes, answer)| (writes, answer, ()));
        self.run_first(app, owner, work).await.map(|(answer, _)| answer)
    }

    /// Works like [`Once::run`], for callers with further steps after the commit. `work` also returns a value for these
    /// steps. Returns this value, or `None` if the answer was stored earlier.
    pub async fn run_with<T, V, W>(
        &self,
        app: &App,
        owner: impl ToString,
        work: impl Fn() -> W,
    ) -> Result<(T, Option<V>)>
    where
        T: Serialize + DeserializeOwned,
        W: Future<Output = Result<(Vec<Write>, T, V)>>,
    {
        let owner = &owner.to_string();
        match self.earlier(app, owner).await? {
            Some(earlier) => Ok((earlier, None)),
            None => self.run_first(app, owner, work).await,
        }
    }

    /// Works like [`Once::run_with`] for a request without a stored answer.
    async fn run_first<T, V, W>(&self, app: &App, owner: &str, work: impl Fn() -> W) -> Result<(T, Option<V>)>
    where
        T: Serialize + DeserializeOwned,
        W: Future<Output = Result<(Vec<Write>, T, V)>>,
    {
        let earlier_or =
            async |error| self.earlier_or(app, owner, error).await.map(|earlier| (earlier, None));
        let done = retry_on_conflict(async || {
            let (writes, answer, value) = work().await?;
            match self.try_commit(app, owner, writes, &answer).await? {
                None => Ok((answer, Some(value))),
                Some(refusal) => earlier_or(refusal).await,
            }
        });
        match done.await {
            Ok(done) => Ok(done),
            Err(error) => earlier_or(error).await,
        }
    }

    /// Works like [`Once::run`], but stores the answer encrypted. Use it for answers with secrets.
    ///
    /// # Errors
    /// Fails as [`Once::run`] does. Fails with an internal error if no valid secret decrypts a stored answer.
    pub async fn run_sealed<T, W>(&self, app: &App, owner: impl ToString, work: impl Fn() -> W) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        W: Future<Output = Result<(Vec<Write>, T)>>,
    {
        let owner = &owner.to_string();
        let sealed: String = self
            .run(app, owner, async || {
                let (writes, answer) = work().await?;
                let answer = serde_json::to_vec(&answer)?;
                Ok((writes, sealed::seal(app, LABEL, owner, &answer).await?))
            })
            .await?;
        let opened = sealed::open(app, LABEL, owner, &sealed).await?;
        let opened =
            opened.ok_or_else(|| Error::internal(anyhow!("no valid secret decrypts the stored answer")))?;
        Ok(serde_json::from_slice(&opened.plain)?)
    }

    /// Returns the stored answer if a concurrent copy of a failed request has succeeded.
    ///
    /// # Errors
    /// Fails as [`Once::earlier`] does, and with `error` if there is no stored answer.
    pub async fn earlier_or<T: DeserializeOwned>(&self, app: &App, owner: &str, error: Error) -> Result<T> {
        self.earlier(app, owner).await?.ok_or(error)
    }

    /// Returns the stored answer to this request, or `None`.
    ///
    /// The keys of different owners are independent.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the key was used with a different path or body.
    pub async fn earlier<T: DeserializeOwned>(&self, app: &App, owner: &str) -> Result<Option<T>> {
        let Some(request) = &self.request else { return Ok(None) };
        let Some(stored) = app.table.get::<StoredAnswer>(&key(owner, &request.key)).await? else {
            return Ok(None);
        };
        if stored.expires <= app.now() {
            return Ok(None);
        }
        let is_same = |mac: &[u8; 32]| hex::encode(mac) == stored.fingerprint;
        if mac::matching_mac(app, LABEL, &request.parts(), is_same).await?.is_none() {
            return Err(Error::invalid("idempotency-key", "was used for another request"));
        }
        // An answer can be `null`, which differs from a missing answer.
        Ok(Some(serde_json::from_str(&stored.answer)?))
    }

    /// Returns whether the request has a key, so that its answer is stored.
    pub fn is_keyed(&self) -> bool {
        self.request.is_some()
    }

    /// Commits the writes and the answer in one transaction. Without a key, commits only the writes.
    ///
    /// If the same request was committed concurrently, returns the answer of that commit and writes nothing.
    ///
    /// # Errors
    /// Fails with the error of the first write whose condition does not hold.
    pub async fn commit<T>(&self, app: &App, owner: &str, writes: Vec<Write>, answer: T) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
    {
        match self.try_commit(app, owner, writes, &answer).await? {
            None => Ok(answer),
            Some(refusal) => self.earlier_or(app, owner, refusal).await,
        }
    }

    /// Commits the writes and the answer in one transaction. Returns `None`, or the error of the first write whose
    /// condition does not hold.
    async fn try_commit<T: Serialize>(
        &self,
        app: &App,
        owner: &str,
        mut writes: Vec<Write>,
        answer: &T,
    ) -> Result<Option<Error>> {
        let Some(request) = &self.request else { return app.table.write_all(writes).await.map(|()| None) };
        let row = StoredAnswer {
            pk: key(owner, &request.key).pk,
            fingerprint: hex::encode(mac::mac(app, LABEL, &request.parts()).await?),
            answer: serde_json::to_string(answer)?,
            expires: app.now().plus_seconds(LIFETIME_SECONDS),
        };
        writes.push(Write::put(&row).vacant_at(app.now()));
        app.table.try_transact(writes).await
    }

    /// Counts a request without a key against a limit. A request with a key is counted by [`Once::count_write`].
    ///
    /// # Errors
    /// Fails with [`Error::LimitReached`] if the request exceeds the limit.
    pub async fn count(&self, app: &App, limit: RateLimit, who: &str) -> Result<()> {
        if self.request.is_some() || !self.is_first_count(limit.what) {
            return Ok(());
        }
        limit.count(app, who).await?.enforce()
    }

    fn is_first_count(&self, limit: &'static str) -> bool {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = !counted.contains(&limit);
        counted.extend(is_first.then_some(limit));
        is_first
    }

    /// Returns the write that counts a request with a key against a limit. Returns `None` without a key. The write is a
    /// part of the request's transaction, so concurrent copies of a request count once.
    pub fn count_write(&self, app: &App, limit: RateLimit, who: &str) -> Option<Write> {
        self.request.as_ref().map(|_| limit.count_write(app, who))
    }

    /// Counts a request against several limits, as [`Once::count`] does. A refused request counts against all of them.
    ///
    /// # Errors
    /// Fails with [`Error::LimitReached`] if the request exceeds one of the limits.
    pub async fn count_all(&self, app: &App, limits: &[RateLimit], who: &str) -> Result<()> {
        join_all(limits.iter().map(|limit| self.count(app, *limit, who))).await.into_iter().collect()
    }

    /// Returns the writes that count a request against several limits, as [`Once::count_write`] does.
    pub fn count_writes(&self, app: &App, limits: &[RateLimit], who: &str) -> Vec<Write> {
        limits.iter().filter_map(|limit| self.count_write(app, *limit, who)).collect()
    }
}

impl Request {
    /// Returns the input of the request's fingerprint. The fingerprint is keyed, because a hash without a key would
    /// help to guess a password in the body.
    fn parts(&self) -> [&[u8]; 2] {
        [b"idempotency", &self.digest]
    }
}

fn key(owner: &str, key: &str) -> Key {
    Key::new(format!("IDEM#{owner}#{key}"), "ANSWER")
}

/// `IDEM#owner#hash of the key / ANSWER`, expires after a day
impl Row for StoredAnswer {
    fn key(&self) -> Key {
        Key::new(&self.pk, "ANSWER")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
