//! Fetches of user-supplied URLs: their limits, and what their responses mean.

use http::{HeaderMap, HeaderValue, header};
use url::Url;

use crate::{
    App,
    breaker::{self, Purpose},
    error::Result,
    guarded::{Answer, Failure, Limits},
    rate_limit::RateLimit,
    time::HOUR_SECONDS,
};

/// Number of failed fetches after which a URL is not fetched again soon.
pub const FAILURES_MAX: u32 = 3;
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
}

/// Counts a fetch, and returns whether the limits allow it. A fetch on behalf of a user also counts toward a limit of
/// the user: `user` has the name of this limit and the user.
///
/// # Errors
/// Fails if the table fails.
pub async fn may_fetch(app: &App, user: Option<(&'static str, &str)>, url: &Url) -> Result<bool> {
    let most = *app.settings.preview_limit_per_hour;
    let host = url.host_str().unwrap_or_default();
    let of_user = async {
        match user {
            Some((what, user)) => {
                let limit = RateLimit { what, most, seconds: HOUR_SECONDS };
                Ok(limit.count(app, user).await?.is_exceeded())
            }
            None => Ok(false),
        }
    };
    let (is_too_often, of_host) = futures::try_join!(of_user, PER_HOST.count(app, host))?;
    Ok(!is_too_often && !of_host.is_exceeded())
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
    })
}
