//! Fetches of user-supplied URLs: their limits, and what their responses mean.

use http::{HeaderMap, HeaderValue, header};
use url::Url;

use crate::{
    App, HOUR_SECONDS, Job, RateLimit, Result, Time,
    breaker::{self, Purpose},
    guarded::{Answer, Failure, Limits},
    outcomes,
};

/// Number of failed fetches after which the service gives up on a URL for some time.
pub const FAILURES_MAX: u32 = 3;
/// Maximum time that a job waits for limits and the circuit breaker.
const WAIT_MAX_SECONDS: i64 = 6 * HOUR_SECONDS;
/// Maximum delay of a message in SQS. A longer wait takes several messages.
const DELAY_MAX_SECONDS: i32 = 900;
/// Limit on fetches from one host, so that viral links do not overload the host.
const PER_HOST: RateLimit = RateLimit { what: "preview-host", most: 60, seconds: 60 };

/// The result of a fetch.
#[derive(Debug)]
pub enum Fetched {
    /// A successful response.
    Answer(Box<Answer>),
    /// There is nothing at the URL, or the URL must not be fetched.
    Nothing,
    /// A temporary failure.
    Failure,
    /// No request was sent. A limit or the circuit breaker allows the fetch after this number of seconds.
    Later(i64),
}

/// Counts a fetch toward its limits. Returns the seconds until an exceeded limit allows the fetch, or `None` if the
/// limits allow it now. A fetch on behalf of a user also counts toward a limit of the user. `user` is the name of this
/// limit and the user's ID.
///
/// # Errors
/// Fails if the table fails.
pub async fn seconds_to_wait(
    app: &App,
    user: Option<(&'static str, &str)>,
    url: &Url,
) -> Result<Option<i64>> {
    let most = *app.settings.preview_limit_per_hour;
    let host = url.host_str().unwrap_or_default();
    let of_user = async {
        match user {
            Some((what, user)) => {
                let limit = RateLimit { what, most, seconds: HOUR_SECONDS };
                Ok(Some(limit.count(app, user).await?))
            }
            None => Ok(None),
        }
    };
    let (of_user, of_host) = futures::try_join!(of_user, PER_HOST.count(app, host))?;
    let exceeded = of_user.into_iter().chain([of_host]).filter(|limit| limit.is_exceeded());
    Ok(exceeded.map(|limit| limit.reset).max())
}

/// Sends a job to its queue again, because its fetch must wait for `seconds`. `since` is the time at which the job was
/// caused. If that was more than 6 hours ago, sends nothing and returns false.
///
/// # Errors
/// Fails if the queue refuses the message.
pub async fn wait(app: &App, job: &impl Job, since: Time, seconds: i64) -> Result<bool> {
    if app.now() > since.plus_seconds(WAIT_MAX_SECONDS) {
        return Ok(false);
    }
    outcomes::note("the fetch waits");
    let delay = i32::try_from(seconds).unwrap_or(DELAY_MAX_SECONDS).clamp(1, DELAY_MAX_SECONDS);
    app.queues.send_later(job, delay).await.map(|()| true)
}

/// Fetches a URL. `accept` lists the content types to ask for, and `agent` names the client.
///
/// # Errors
/// Fails if the table fails.
pub async fn fetch(
    app: &App,
    url: Url,
    (accept, agent): (&'static str, &'static str),
    limits: Limits,
) -> Result<Fetched> {
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
    let request = app.guarded.get(url.clone(), headers, limits);
    Ok(match breaker::ask(app, Purpose::Fetch, &url, request).await? {
        Ok(answer) if answer.status.is_success() => Fetched::Answer(Box::new(answer)),
        Ok(answer) if answer.status.is_server_error() || answer.status.as_u16() == 429 => Fetched::Failure,
        Ok(_) | Err(Failure::Refused(_)) => Fetched::Nothing,
        Err(Failure::Unanswered(_)) => Fetched::Failure,
        Err(Failure::Paused { seconds }) => Fetched::Later(seconds),
    })
}
