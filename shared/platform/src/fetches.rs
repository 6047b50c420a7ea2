//! Limits on fetches of user-supplied URLs.

use url::Url;

use crate::{App, error::Result, rate_limit::RateLimit, time::HOUR_SECONDS};

/// Limit on fetches from one host, so that viral links do not overload the host.
const PER_HOST: RateLimit = RateLimit { what: "preview-host", most: 60, seconds: 60 };

/// Counts a fetch, and returns whether the limits of the user and of the host allow it.
///
/// # Errors
/// Fails if the table fails.
pub async fn may_fetch(app: &App, user: &str, url: &Url) -> Result<bool> {
    let most = *app.settings.preview_limit_per_hour;
    let per_user = RateLimit { what: "preview", most, seconds: HOUR_SECONDS };
    let host = url.host_str().unwrap_or_default();
    let (by_user, from_host) = futures::try_join!(per_user.count(app, user), PER_HOST.count(app, host))?;
    Ok(!by_user.is_exceeded() && !from_host.is_exceeded())
}
