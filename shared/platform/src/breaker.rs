//! A circuit breaker for requests to user-supplied URLs. A host that does not answer gets no requests for some minutes, so
//! that a few slow hosts do not occupy all concurrent invocations.

use url::Url;

use crate::{
    App, RateLimit, Result, Write,
    guarded::{Answer, Failure},
    rate_limit::{Counter, FIVE_MINUTES},
};

/// Number of unanswered requests in a row, within 5 minutes, after which a host gets no requests until the 5 minutes end.
const UNANSWERED_MAX: i64 = 5;

/// What a request is for. Each purpose has its own counters, so slow pages of a host do not stop its webhooks.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// A page or a picture that a user links to.
    Fetch,
    /// A notification for a device.
    WebPush,
    /// A message to a webhook.
    Webhook,
}

impl Purpose {
    fn limit(self) -> RateLimit {
        let what = match self {
            Self::Fetch => "unanswered-fetch",
            Self::WebPush => "unanswered-push",
            Self::Webhook => "unanswered-webhook",
        };
        RateLimit { what, most: UNANSWERED_MAX, seconds: FIVE_MINUTES }
    }
}

/// Sends `request` to the host of `url`. If the host did not answer the last requests, sends nothing, and returns
/// [`Failure::Paused`] at once.
///
/// A request costs one read. Only an unanswered request, and the first answer after it, cost a write.
///
/// # Errors
/// Fails if the table fails. The inner result is the result of the request.
pub async fn ask(
    app: &App,
    purpose: Purpose,
    url: &Url,
    request: impl Future<Output = Result<Answer, Failure>>,
) -> Result<Result<Answer, Failure>> {
    let (limit, host) = (purpose.limit(), url.host_str().unwrap_or_default());
    let key = limit.key(app, host);
    // Most hosts have no such row, and `get_eventual` reads twice if a row is missing.
    let counter = app.table.batch_get_eventual::<Counter>(std::slice::from_ref(&key)).await?.pop();
    let status = limit.status(app, counter);
    let unanswered = status.used;
    if unanswered >= UNANSWERED_MAX {
        return Ok(Err(Failure::Paused { seconds: status.reset }));
    }
    let answer = request.await;
    if matches!(answer, Err(Failure::Unanswered(_))) {
        let is_last = limit.count(app, host).await?.used == UNANSWERED_MAX;
        if is_last {
            tracing::warn!(?purpose, "a host does not answer, so it gets no requests for up to 5 minutes");
        }
    } else if unanswered > 0 {
        app.table.write(Write::delete(key)).await?;
    }
    Ok(answer)
}
