//! A language model as a judge.

use futures::{TryFutureExt, future::BoxFuture};
use platform::{App, Result, error::Error, rate_limit::RateLimit, time::HOUR_SECONDS};

use super::{
    Embedded, Grade, Judge, ReportVerdict, answer,
    prompt::{self, Prompt},
};

/// A model that answers a prompt.
pub(super) trait LanguageModel: Send + Sync {
    /// Returns the model's answer.
    ///
    /// # Errors
    /// Fails if the model does not answer within 20 seconds, or if its answer has no text.
    fn ask(&self, app: &App, prompt: Prompt) -> impl Future<Output = anyhow::Result<String>> + Send;
}

impl<M: LanguageModel> Judge for M {
    fn judge<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<ReportVerdict>> {
        Box::pin(async move {
            if !may_ask(app).await? {
                return Embedded.judge(app, content).await;
            }
            let verdict = async { answer::verdict(&self.ask(app, prompt::for_report(content)).await?) };
            verdict.map_err(Error::Internal).await
        })
    }

    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>> {
        Box::pin(async move {
            if !may_ask(app).await? {
                return Embedded.grade(app, content).await;
            }
            let grade = async { answer::grade(&self.ask(app, prompt::for_grade(content)).await?) };
            grade.map_err(Error::Internal).await
        })
    }
}

/// Counts a request to the model. Returns false if `JUDGE_CALLS_PER_DAY` is exceeded. Then the embedded judge decides.
async fn may_ask(app: &App) -> Result<bool> {
    let most = *app.settings.judge_calls_per_day;
    let daily = RateLimit { what: "judge", most, seconds: 24 * HOUR_SECONDS };
    let status = daily.count(app, "all").await?;
    if status.used == status.limit + 1 {
        tracing::warn!(
            limit = status.limit,
            "no more requests to the judge today: the embedded judge decides"
        );
    }
    Ok(!status.is_exceeded())
}
