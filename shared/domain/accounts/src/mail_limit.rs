//! Limits on emails of one kind to one mailbox.

use platform::{App, HOUR_SECONDS, RateLimit, Result};

const PER_HOUR: RateLimit = RateLimit { what: "mail-hour", most: 3, seconds: HOUR_SECONDS };
const PER_DAY: RateLimit = RateLimit { what: "mail-day", most: 10, seconds: 24 * HOUR_SECONDS };

/// The counter of the emails of one kind to one mailbox.
pub(crate) struct MailLimit(String);

impl MailLimit {
    pub(crate) fn new(kind: &str, address: &str) -> Self {
        Self(format!("{kind}#{}", mailbox(address)))
    }

    /// Counts an email. Returns whether the counts are within the limits.
    pub(crate) async fn count(&self, app: &App) -> Result<bool> {
        if PER_HOUR.count(app, &self.0).await?.is_exceeded() {
            return Ok(false);
        }
        Ok(!PER_DAY.count(app, &self.0).await?.is_exceeded())
    }

    /// Takes back the count of an email that was not sent.
    pub(crate) async fn uncount(&self, app: &App) -> Result<()> {
        futures::try_join!(PER_HOUR.count_by(app, &self.0, -1), PER_DAY.count_by(app, &self.0, -1)).map(drop)
    }
}

/// Returns the mailbox behind an address, so that the aliases of a mailbox share its limits. Most providers deliver
/// `ann+news@…` to `ann@…`, and Gmail also ignores dots.
fn mailbox(address: &str) -> String {
    let Some((name, host)) = address.rsplit_once('@') else { return address.to_owned() };
    let name = name.split('+').next().unwrap_or_default();
    match host {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
        _ => format!("{name}@{host}"),
    }
}
