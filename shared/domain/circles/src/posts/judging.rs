//! Judges posts. One transaction writes a verdict and all its effects. A post gets one verdict, and another one if it
//! is edited within 15 minutes.

use base::PostId;
use judge::{Category, Flag, Grade, Remark, Score};
use platform::{
    App, Error, Result,
    decode::{decode, parse_json},
    outcomes::{self, note},
    retry_on_conflict,
    settings::required,
    signatures,
};
use posts::Content;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{JudgeJob, checks, effects::JudgeContext, find, rejudging, verdicts, waiting};

/// The HTTP header with an external judge's signature.
const SIGNATURE_HEADER: &str = "x-internal-signature";

/// The verdict of an external judge.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalVerdict {
    /// The judged post.
    pub post_id: PostId,
    /// The score.
    pub score: Score,
    /// The category of the text.
    pub category: Category,
    /// The reason for the score, in one sentence.
    pub reason: Remark,
    /// The problems of the text. Default: none.
    #[serde(default)]
    #[schema(required = false)]
    pub flags: Vec<Flag>,
}

/// The response to a verdict.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = VerdictReceipt)]
pub struct Applied {
    /// Whether the verdict was applied. False if the post already had a verdict.
    pub applied: bool,
}

/// Judges a post. If an external judge is configured, first waits up to an hour for the verdict of that judge.
/// Repeating a job has no effect.
pub async fn judge(app: &App, JudgeJob::Judge { post }: JudgeJob) -> Result<()> {
    let post = match find(app, post).await {
        // The post was deleted, or was purged with its circle.
        Err(Error::NotFound(_)) => return outcomes::end("the post is gone"),
        post => post?,
    };
    if post.is_done() {
        return outcomes::end("repeated");
    }
    let grade = match checks::grade(&post.content) {
        Some(grade) => grade,
        None if waiting::is_waiting(app, &post) => return waiting::announce(app, &post).await,
        None => verdicts::grade(app, &post.content).await?,
    };
    apply(app, post.id, grade, Some(&post.content)).await.map(drop)
}

/// Applies the verdict of an external judge. The header `x-internal-signature` contains the signature.
///
/// # Errors
/// - [`Error::Unauthenticated`] without a recent and valid signature. This is checked before the body is parsed.
/// - [`Error::Invalid`] if the body is not a verdict.
/// - [`Error::NotFound`] if the post does not exist in any circle.
pub async fn receive(app: &App, headers: &http::HeaderMap, body: &[u8]) -> Result<Applied> {
    let secret = required(&app.settings.internal_secret, "INTERNAL_SECRET")?;
    signatures::verify(app, secret, headers.get(SIGNATURE_HEADER), body).await?;
    let json = parse_json(body)?;
    let ExternalVerdict { post_id, score, category, reason, flags } = decode(json)?;
    apply(app, post_id, Grade { score, category, reason, flags }, None).await
}

/// Applies a verdict. Has no effect if the current text already has a verdict. Also has no effect if the current text
/// differs from `text`, because the edit sent a new job.
async fn apply(app: &App, id: PostId, grade: Grade, text: Option<&Content>) -> Result<Applied> {
    retry_on_conflict(async || {
        let context = JudgeContext::of(app, id).await?;
        if context.post.is_done() || text.is_some_and(|text| *text != context.post.content) {
            note("the post changed");
            return Ok(Applied { applied: false });
        }
        let writes = match &context.post.judged {
            Some(earlier) => rejudging::verdict_writes(app, &context, earlier, grade.clone()).await?,
            None => context.verdict_writes(app, grade.clone()).await?,
        };
        app.table.transact(writes).await?;
        Ok(Applied { applied: true })
    })
    .await
}
