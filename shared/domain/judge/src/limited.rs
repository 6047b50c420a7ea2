//! The daily limit on requests to a model. Beyond it, the embedded judge decides.

use futures::future::BoxFuture;
use platform::{App, Result, rate_limit::RateLimit, time::HOUR_SECONDS};

use super::{Embedded, Grade, Judge, ReportVerdict};

/// A model with a limit on its requests.
pub(super) struct Limited<M>(pub(super) M);

impl<M: Judge> Judge for Limited<M> {
    fn judge<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<ReportVerdict>> {
        Box::pin(async move {
            match may_ask(app).await? {
                true => self.0.judge(app, content).await,
                false => Embedded.judge(app, content).await,
            }
        })
    }

    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>> {
        Box::pin(async move {
            match may_ask(app).await? {
                true => self.0.grade(app, content).await,
                false => Embedded.grade(app, content).await,
            }
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
