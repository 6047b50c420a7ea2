//! The judge's verdicts on reported texts: a text is judged once, not once a report.

use judge::{Confidence, ReportVerdict};
use platform::{
    App, Result, metrics,
    table::{Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// A verdict that is kept.
#[derive(Serialize, Deserialize)]
struct KeptVerdict {
    hash: String,
    confidence: Confidence,
    note: String,
    expires: Time,
}

/// Returns the judge's verdict on a text: the one of the last 30 days, or a new one. Two instances that meet a new text
/// at the same moment may both ask.
///
/// # Errors
/// Internal, when the judge did not answer in its form.
pub(super) async fn verdict(app: &App, content: &str) -> Result<ReportVerdict> {
    let hash = hex::encode(Sha256::digest(content.trim().as_bytes()));
    let kept = app.table.get::<KeptVerdict>(&key(&hash)).await?.filter(|it| app.now() < it.expires);
    if let Some(KeptVerdict { confidence, note, .. }) = kept {
        return Ok(ReportVerdict { confidence, note });
    }
    let verdict = metrics::judging(judge::of(app).judge(app, content)).await?;
    let ReportVerdict { confidence, note } = verdict.clone();
    let kept = KeptVerdict { hash, confidence, note, expires: app.now().plus_seconds(KEPT_SECONDS) };
    app.table.write(Write::put(&kept)).await?;
    Ok(verdict)
}

fn key(hash: &str) -> Key {
    Key::new(format!("VERDICT#{hash}"), "REPORT")
}

/// `VERDICT#sha256 / REPORT`, swept after 30 days
impl Row for KeptVerdict {
    fn key(&self) -> Key {
        key(&self.hash)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
