//! The daily limit on requests to a model. If requests exceed the limit, the embedded judge decides.

use futures::future::BoxFuture;
use platform::{App, Result, rate_limit::RateLimit, time::HOUR_SECONDS};

use super::{Embedded, Grade, Judge, ReportVerdict};

/// A model with a limit on its requests.
pub(super) struct Limited<M>(pub(super) M);

impl<M: Judge> Judge for Limited<M> {
    fn judge<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<ReportVerdict>> {
        Box::pin(async move { self.chosen(app).await?.judge(app, content).await })
    }

    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>> {
        Box::pin(async move { self.chosen(app).await?.grade(app, content).await })
    }
}

impl<M: Judge> Limited<M> {
    /// Counts a request. Returns the model, or the embedded judge if the request exceeds the limit.
    async fn chosen(&self, app: &App) -> Result<&dyn Judge> {
        match may_ask(app).await? {
            true => Ok(&self.0),
            false => Ok(&Embedded),
        }
    }
}

/// Counts a request to the model. Returns false if the request exceeds `JUDGE_CALLS_PER_DAY`.
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
