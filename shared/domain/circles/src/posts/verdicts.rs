//! Grades by the judge. Grades are cached by text for an hour.

use judge::Grade;
use platform::{App, HOUR_SECONDS, Key, Result, Row, Time, Write, metrics};
use posts::Content;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A cached grade.
#[derive(Serialize, Deserialize)]
struct PostVerdict {
    hash: String,
    grade: Grade,
    expires: Time,
}

/// Returns the judge's grade for a text, from the cache or from the judge.
pub(super) async fn grade(app: &App, content: &Content) -> Result<Grade> {
    let hash = hash(content);
    let now = app.now();
    let earlier = app.table.get::<PostVerdict>(&key(&hash)).await?.filter(|verdict| now < verdict.expires);
    if let Some(earlier) = earlier {
        return Ok(earlier.grade);
    }
    let grade = metrics::time_judge(judge::of(app).grade(app, content.as_str())).await?;
    let verdict = PostVerdict { hash, grade, expires: now.plus_seconds(HOUR_SECONDS) };
    app.table.write(Write::put(&verdict)).await?;
    Ok(verdict.grade)
}

/// Returns the hash of a text without surrounding spaces. Equal texts have the same hash.
pub(super) fn hash(content: &Content) -> String {
    hex::encode(Sha256::digest(content.as_str().trim().as_bytes()))
}

fn key(hash: &str) -> Key {
    Key::new(format!("VERDICT#{hash}"), "VERDICT")
}

/// `VERDICT#sha256 / VERDICT`, kept for an hour
impl Row for PostVerdict {
    fn key(&self) -> Key {
        key(&self.hash)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
