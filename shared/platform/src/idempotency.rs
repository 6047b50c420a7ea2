//! Idempotency keys: a repeated request gets the first answer again, and nothing happens twice.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::{
    App,
    error::{Error, Result},
    mac,
    table::{Key, Row, Write},
    time::Time,
};

const KEPT_SECONDS: i64 = 24 * 60 * 60;
/// The label of the key that fingerprints requests.
const LABEL: &str = "idempotency";
/// The longest key that is accepted.
pub const KEY_MAX_BYTES: usize = 255;

/// Has a request happen once for its key; as often as it comes without a key.
#[derive(Clone, Debug)]
pub struct Once(Option<Request>);

#[derive(Clone, Debug)]
struct Request {
    key: String,
    digest: [u8; 32],
}

/// The first answer to a request, kept for a day.
#[derive(Serialize, Deserialize)]
struct StoredAnswer {
    pk: String,
    fingerprint: String,
    answer: String,
    expires: Time,
}

impl Once {
    /// Returns what happens as often as it is asked for.
    pub fn unkeyed() -> Self {
        Self(None)
    }

    /// Returns what happens once for its key. Another path or body under the same key is an error.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a key that is empty or too long.
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

    /// Returns the answer that this request already got; else does the work and keeps its answer in the same
    /// transaction.
    ///
    /// # Errors
    /// The errors of the three.
    pub async fn run<T, W>(&self, app: &App, owner: impl ToString, work: W) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        W: Future<Output = Result<(Vec<Write>, T)>>,
    {
        self.run_while(app, owner, std::future::ready(Ok(())), work).await
    }

    /// Does as [`Once::run`], but gives an earlier answer only while the caller may still have it.
    ///
    /// # Errors
    /// The errors of [`Once::run`], and for a repetition those of the check.
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

    /// Returns the answer that this request already got.
    ///
    /// `owner` keeps the keys of different people apart.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the key came with another body before.
    pub async fn earlier<T: DeserializeOwned>(&self, app: &App, owner: &str) -> Result<Option<T>> {
        let Some(request) = &self.0 else { return Ok(None) };
        let Some(kept) = app.table.get::<StoredAnswer>(&key(owner, &request.key)).await? else {
            return Ok(None);
        };
        if kept.expires <= app.now() {
            return Ok(None);
        }
        let fits = |macs: Vec<[u8; 32]>| macs.iter().any(|it| hex::encode(it) == kept.fingerprint);
        let same = fits(mac::macs(app, LABEL, &request.parts()).await?);
        if !same && !fits(mac::renewed_macs(app, LABEL, &request.parts()).await?) {
            return Err(Error::invalid("idempotency-key", "was used for another request"));
        }
        Ok(serde_json::from_str(&kept.answer)?)
    }

    /// Does the writes and keeps the answer in one transaction.
    ///
    /// When the same request was faster, returns its answer and writes nothing.
    ///
    /// # Errors
    /// The refusal of the first write whose condition does not hold.
    pub async fn commit<T>(&self, app: &App, owner: &str, mut writes: Vec<Write>, answer: T) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
    {
        let Some(request) = &self.0 else {
            return app.table.transact(writes).await.map(|()| answer);
        };
        writes.push(self.keep(app, owner, request, &answer).await?);
        let Some(refusal) = app.table.try_transact(writes).await? else { return Ok(answer) };
        // Any refusal may come from this very request, done a moment ago by another attempt.
        self.earlier(app, owner).await?.ok_or(refusal)
    }

    async fn keep<T: Serialize>(
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
            expires: app.now().plus_seconds(KEPT_SECONDS),
        };
        let taken = Error::Conflict("this request is being done");
        Ok(Write::put(&row).vacant_at(app.now()).or(taken))
    }
}

impl Request {
    /// Returns what tells this request from another. The table holds its code and not a plain hash: a body may
    /// hold a password, which a plain hash would help to guess.
    fn parts(&self) -> [&[u8]; 2] {
        [b"idempotency", &self.digest]
    }
}

fn key(owner: &str, key: &str) -> Key {
    Key::new(format!("IDEM#{owner}#{key}"), "ANSWER")
}

/// `IDEM#owner#hash of the key / ANSWER`, swept after a day
impl Row for StoredAnswer {
    fn key(&self) -> Key {
        Key::new(&self.pk, "ANSWER")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
