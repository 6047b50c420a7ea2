//! What the judge found, remembered for an hour by the text alone.

use platform::{
    App, Result, metrics,
    table::{Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    moderation::judge::{self, Grade},
    posts::Content,
};

#[derive(Serialize, Deserialize)]
struct PostVerdict {
    hash: String,
    grade: Grade,
    expires: Time,
}

/// The judge's grade of a text: the one of the same text within an hour, or a new one. 2 calls, 1 RRU, 1 WRU,
/// and one to the judge; 1 call where it is remembered.
///
/// # Errors
/// Internal only: the judge did not answer, or not in its form.
pub(super) async fn grade(app: &App, content: &Content) -> Result<Grade> {
    let hash = hex::encode(&Sha256::digest(content.as_str().trim().as_bytes()));
    let now = app.now();
    let earlier = app.table.get::<PostVerdict>(&key(&hash)).await?.filter(|it| now < it.expires);
    if let Some(earlier) = earlier {
        return Ok(earlier.grade);
    }
    let grade = metrics::judging(judge::of(app).grade(app, content.as_str())).await?;
    let verdict = PostVerdict { hash, grade, expires: now.plus_seconds(HOUR_SECONDS) };
    app.table.write(Write::put(&verdict)).await?;
    Ok(verdict.grade)
}

fn key(hash: &str) -> Key {
    Key::new(format!("VERDICT#{hash}"), "VERDICT")
}

/// `VERDICT#sha256 / VERDICT`, swept after an hour
impl Row for PostVerdict {
    fn key(&self) -> Key {
        key(&self.hash)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
