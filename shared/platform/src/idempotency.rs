//! Idempotency keys: a repeated request has no effect, and gets the response to the first request.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::{
    App,
    error::{Error, Result},
    mac,
    table::{Key, Row, Write},
    time::Time,
};

const LIFETIME_SECONDS: i64 = 24 * 60 * 60;
/// Label of the signing key for request fingerprints.
const LABEL: &str = "idempotency";
/// Maximum length of an idempotency key.
pub const KEY_MAX_BYTES: usize = 255;

/// Runs a request at most once per idempotency key. A request without a key always runs.
#[derive(Clone, Debug)]
pub struct Once(Option<Request>);

#[derive(Clone, Debug)]
struct Request {
    key: String,
    digest: [u8; 32],
}

/// The answer to the first request with a key, kept for a day.
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
        Self(None)
    }

    /// Creates a `Once` for a request with an idempotency key. The path and body identify the request.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the key is empty or longer than 255 bytes.
    pub fn keyed(key: &[u8], path: &str, body: &[u8]) -> Result<Self> {
        if key.is_empty() || key.len() > KEY_MAX_BYTES {
            return Err(Error::invalid("idempotency-key", "must have 1 to 255 characters"));
        }
        let fingerprint = Sha256::new().chain_update(path).chain_update([0]).chain_update(body);
        Ok(Self(Some(Request {
            key: hex::encode(Sha256::digest(key)),
            digest: fingerprint.finalize().into(),
        })))
    }

    /// Returns the stored answer to this request, if there is one. Otherwise runs `work`, and commits the writes and
    /// the answer of `work` in one transaction.
    ///
    /// # Errors
    /// Fails as [`Once::earlier`], `work` and [`Once::commit`] do.
    pub async fn run<T, W>(&self, app: &App, owner: impl ToString, work: W) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        W: Future<Output = Result<(Vec<Write>, T)>>,
    {
        self.run_while(app, owner, std::future::ready(Ok(())), work).await
    }

    /// Works as [`Once::run`] does, but returns a stored answer only if `check` succeeds.
    ///
    /// # Errors
    /// Fails as [`Once::run`] does. For a repeated request, also fails as `check` does.
    pub async fn run_while<T, C, W>(&self, app: &App, owner: impl ToString, check: C, work: W) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        C: Future<Output = Result<()>>,
        W: Future<Output = Result<(Vec<Write>, T)>>,
    {
        let owner = owner.to_string();
        if let Some(earlier) = self.earlier(app, &owner).await? {
            return check.await.map(|()| earlier);
        }
        let (writes, answer) = work.await?;
        self.commit(app, &owner, writes, answer).await
    }

    /// Returns the stored answer to this request, or `None`.
    ///
    /// `owner` separates the keys of different users.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the key was used with a different path or body.
    pub async fn earlier<T: DeserializeOwned>(&self, app: &App, owner: &str) -> Result<Option<T>> {
        let Some(request) = &self.0 else { return Ok(None) };
        let Some(stored) = app.table.get::<StoredAnswer>(&key(owner, &request.key)).await? else {
            return Ok(None);
        };
        if stored.expires <= app.now() {
            return Ok(None);
        }
        let matches = |macs: Vec<[u8; 32]>| macs.iter().any(|mac| hex::encode(mac) == stored.fingerprint);
        let is_same = matches(mac::macs(app, LABEL, &request.parts()).await?);
        if !is_same && !matches(mac::renewed_macs(app, LABEL, &request.parts()).await?) {
            return Err(Error::invalid("idempotency-key", "was used for another request"));
        }
        Ok(serde_json::from_str(&stored.answer)?)
    }

    /// Commits the writes and the answer in one transaction.
    ///
    /// If the same request was committed concurrently, returns the answer of that commit and writes nothing.
    ///
    /// # Errors
    /// Fails with the error of the first write whose condition does not hold.
    pub async fn commit<T>(&self, app: &App, owner: &str, mut writes: Vec<Write>, answer: T) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
    {
        let Some(request) = &self.0 else {
            return app.table.transact(writes).await.map(|()| answer);
        };
        writes.push(self.answer_write(app, owner, request, &answer).await?);
        let Some(refusal) = app.table.try_transact(writes).await? else { return Ok(answer) };
        // The condition may have failed because a concurrent attempt of the same request has just committed.
        self.earlier(app, owner).await?.ok_or(refusal)
    }

    async fn answer_write<T: Serialize>(
        &self,
        app: &App,
        owner: &str,
        request: &Request,
        answer: &T,
    ) -> Result<Write> {
        let row = StoredAnswer {
            pk: key(owner, &request.key).pk,
            fingerprint: hex::encode(mac::mac(app, LABEL, &request.parts()).await?),
            answer: serde_json::to_string(answer)?,
            expires: app.now().plus_seconds(LIFETIME_SECONDS),
        };
        let in_progress = Error::Conflict("a request with this idempotency-key is in progress");
        Ok(Write::put(&row).vacant_at(app.now()).or(in_progress))
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
