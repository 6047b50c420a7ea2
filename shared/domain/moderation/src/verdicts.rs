//! A cache of the judge's verdicts. A text that is reported several times is judged only once.

use judge::{Confidence, ReportVerdict};
use platform::{App, HOUR_SECONDS, Key, Result, Row, Time, Write, metrics};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// A cached verdict.
#[derive(Serialize, Deserialize)]
struct CachedVerdict {
    hash: String,
    confidence: Confidence,
    note: String,
    expires: Time,
}

/// Returns the judge's verdict on a text, cached for 30 days. Two concurrent calls with the same new text may both ask
/// the judge.
///
/// # Errors
/// Fails with an internal error if the judge's response is invalid.
pub(super) async fn verdict(app: &App, content: &str) -> Result<ReportVerdict> {
    let hash = hex::encode(Sha256::digest(content.trim().as_bytes()));
    let cached =
        app.table.get::<CachedVerdict>(&key(&hash)).await?.filter(|verdict| app.now() < verdict.expires);
    if let Some(CachedVerdict { confidence, note, .. }) = cached {
        return Ok(ReportVerdict { confidence, note });
    }
    let verdict = metrics::time_judge(judge::of(app).judge(app, content)).await?;
    let ReportVerdict { confidence, note } = verdict.clone();
    let cached = CachedVerdict { hash, confidence, note, expires: app.now().plus_seconds(KEPT_SECONDS) };
    app.table.write(Write::put(&cached)).await?;
    Ok(verdict)
}

fn key(hash: &str) -> Key {
    Key::new(format!("VERDICT#{hash}"), "REPORT")
}

/// `VERDICT#sha256 / REPORT`, expires after 30 days
impl Row for CachedVerdict {
    fn key(&self) -> Key {
        key(&self.hash)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
