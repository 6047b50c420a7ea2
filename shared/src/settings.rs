//! The configuration: read once, typed; an error names the variable.

use std::str::FromStr;

use anyhow::{Context, bail};
use secrecy::SecretString;

use crate::judge::Choice;

const SECRET_MIN_BYTES: usize = 32;
const HLS_SIGNATURE_HEADER: &str = "x-hls-signature";

/// Everything that can be set from outside. Each field is the environment variable of its name in
/// upper case, with the default of README.md's table; secrets have none.
#[derive(Clone)]
pub struct Settings {
    /// The single table.
    pub table_name: String,
    /// The bus that domain events go on.
    pub event_bus_name: Option<String>,
    /// Queue addresses, for the functions that send.
    pub queues: QueueUrls,
    /// Whether proposed routes exist and stubs do real work.
    pub proposed_features: bool,
    /// Whether reads filter on a post's visibility.
    pub enforce_visibility: bool,
    /// Requests in 5 minutes for one address and identifier on the public auth routes.
    pub auth_limit_per_5_min: i64,
    /// Signed-in writes in 5 minutes for one session.
    pub write_limit_per_5_min: i64,
    /// Partitions that the public feed is spread over. Never lower it: posts keep their shard.
    pub feed_shards: u8,
    /// Authors with more followers are merged when a feed is read.
    pub fanout_max_followers: i64,
    /// Followers that one message of the timeline worker takes.
    pub fanout_page_size: usize,
    /// Pending notifications that one run flushes.
    pub notification_keys_per_run: usize,
    /// Minutes that an access token lives.
    pub access_token_minutes: i64,
    /// Days that a refresh token lives.
    pub refresh_token_days: i64,
    /// Signs tokens; at least 32 bytes.
    pub jwt_secret: Option<SecretString>,
    /// Signed tokens before the last rotation; still verifies.
    pub jwt_secret_previous: Option<SecretString>,
    /// Who judges what is reported.
    pub judge: Choice,
    /// Opens the judge's door, where it has one.
    pub judge_api_key: Option<SecretString>,
    /// The push provider, in the functions that speak to it.
    pub pusher: Option<PusherApp>,
    /// Signs what the video provider sends; at least 32 bytes.
    pub hls_secret: Option<SecretString>,
    /// The header that carries that signature.
    pub hls_signature_header: String,
    /// Signs what an external judge sends; at least 32 bytes.
    pub internal_secret: Option<SecretString>,
    /// Where uploads go.
    pub upload_bucket: Option<String>,
    /// The sender of mails.
    pub mail_from: Option<String>,
    /// Where links in mails lead.
    pub app_url: Option<String>,
}

/// An app at the push provider: `PUSHER_APP_ID`, `PUSHER_KEY`, `PUSHER_SECRET`, `PUSHER_HOST`.
#[derive(Clone)]
pub struct PusherApp {
    /// Its id.
    pub id: String,
    /// Its key, which clients know.
    pub key: String,
    /// What signs for it.
    pub secret: SecretString,
    /// Where its API is: a host, reached by HTTPS unless a scheme is before it.
    pub host: String,
}

/// Where each queue is. A function is told only of those it sends to.
#[derive(Clone, Default)]
pub struct QueueUrls {
    /// `LIKED_ADD_QUEUE_URL`
    pub liked_add: Option<String>,
    /// `LIKED_REMOVE_QUEUE_URL`
    pub liked_remove: Option<String>,
    /// `REPORT_EVALUATION_QUEUE_URL`
    pub report_evaluation: Option<String>,
    /// `SEARCH_INDEX_QUEUE_URL`
    pub search_index: Option<String>,
    /// `MAIL_QUEUE_URL`
    pub mail: Option<String>,
    /// `TIMELINE_QUEUE_URL`
    pub timeline: Option<String>,
    /// `NOTIFICATION_TICK_QUEUE_URL`
    pub notification_tick: Option<String>,
    /// `HOUSEKEEPING_QUEUE_URL`
    pub housekeeping: Option<String>,
    /// `CIRCLE_JUDGE_QUEUE_URL`
    pub circle_judge: Option<String>,
    /// `CIRCLE_DRAIN_QUEUE_URL`
    pub circle_drain: Option<String>,
    /// `CPR_CHECK_QUEUE_URL`
    pub cpr_check: Option<String>,
}

impl Settings {
    /// Reads the process's environment.
    ///
    /// # Errors
    /// The first variable that is missing or malformed, by name.
    #[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
    pub fn from_env() -> anyhow::Result<Self> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Reads the variables that `lookup` knows.
    ///
    /// # Errors
    /// The first variable that is missing or malformed, by name.
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> anyhow::Result<Self> {
        let vars = Variables(&lookup);
        Ok(Self {
            table_name: vars.text("TABLE_NAME").context("TABLE_NAME is not set")?,
            event_bus_name: vars.text("EVENT_BUS_NAME"),
            queues: QueueUrls {
                liked_add: vars.text("LIKED_ADD_QUEUE_URL"),
                liked_remove: vars.text("LIKED_REMOVE_QUEUE_URL"),
                report_evaluation: vars.text("REPORT_EVALUATION_QUEUE_URL"),
                search_index: vars.text("SEARCH_INDEX_QUEUE_URL"),
                mail: vars.text("MAIL_QUEUE_URL"),
                timeline: vars.text("TIMELINE_QUEUE_URL"),
                notification_tick: vars.text("NOTIFICATION_TICK_QUEUE_URL"),
                housekeeping: vars.text("HOUSEKEEPING_QUEUE_URL"),
                circle_judge: vars.text("CIRCLE_JUDGE_QUEUE_URL"),
                circle_drain: vars.text("CIRCLE_DRAIN_QUEUE_URL"),
                cpr_check: vars.text("CPR_CHECK_QUEUE_URL"),
            },
            proposed_features: vars.switch("PROPOSED_FEATURES", true)?,
            enforce_visibility: vars.switch("ENFORCE_VISIBILITY", false)?,
            auth_limit_per_5_min: vars.number("AUTH_LIMIT_PER_5_MIN", 30)?,
            write_limit_per_5_min: vars.number("WRITE_LIMIT_PER_5_MIN", 300)?,
            feed_shards: vars.number("FEED_SHARDS", 4)?,
            fanout_max_followers: vars.number("FANOUT_MAX_FOLLOWERS", 5000)?,
            fanout_page_size: vars.number("FANOUT_PAGE_SIZE", 500)?,
            notification_keys_per_run: vars.number("NOTIFICATION_KEYS_PER_RUN", 10)?,
            access_token_minutes: vars.number("ACCESS_TOKEN_MINUTES", 15)?,
            refresh_token_days: vars.number("REFRESH_TOKEN_DAYS", 30)?,
            jwt_secret: vars.secret("JWT_SECRET")?,
            jwt_secret_previous: vars.secret("JWT_SECRET_PREVIOUS")?,
            judge: vars.parsed("JUDGE")?,
            judge_api_key: vars.text("JUDGE_API_KEY").map(SecretString::from),
            pusher: vars.pusher()?,
            hls_secret: vars.secret("HLS_SECRET")?,
            hls_signature_header: vars
                .text("HLS_SIGNATURE_HEADER")
                .unwrap_or(HLS_SIGNATURE_HEADER.to_owned()),
            internal_secret: vars.secret("INTERNAL_SECRET")?,
            upload_bucket: vars.text("UPLOAD_BUCKET"),
            mail_from: vars.text("MAIL_FROM"),
            app_url: vars.text("APP_URL"),
        })
    }
}

/// A setting that this function cannot work without.
///
/// # Errors
/// It is not set: ours to mend, in the function's environment in `template.yaml`.
pub fn required<'a, T>(setting: &'a Option<T>, name: &'static str) -> crate::Result<&'a T> {
    setting.as_ref().ok_or_else(|| crate::Error::internal(anyhow::anyhow!("{name} is not set")))
}

struct Variables<'a>(&'a dyn Fn(&str) -> Option<String>);

impl Variables<'_> {
    /// A variable that is set to nothing is not set.
    fn text(&self, name: &str) -> Option<String> {
        (self.0)(name).filter(|value| !value.is_empty())
    }

    fn parsed<T: FromStr<Err = &'static str> + Default>(&self, name: &str) -> anyhow::Result<T> {
        let Some(text) = self.text(name) else { return Ok(T::default()) };
        text.parse().map_err(|why| anyhow::anyhow!("{name} {why}"))
    }

    /// All four variables or none of them.
    fn pusher(&self) -> anyhow::Result<Option<PusherApp>> {
        let Some(id) = self.text("PUSHER_APP_ID") else { return Ok(None) };
        let of = |name: &'static str| self.text(name).with_context(|| format!("{name} is not set"));
        let secret = SecretString::from(of("PUSHER_SECRET")?);
        Ok(Some(PusherApp { id, key: of("PUSHER_KEY")?, secret, host: of("PUSHER_HOST")? }))
    }

    fn secret(&self, name: &str) -> anyhow::Result<Option<SecretString>> {
        match self.text(name) {
            Some(secret) if secret.len() < SECRET_MIN_BYTES => {
                bail!("{name} must have at least {SECRET_MIN_BYTES} bytes")
            }
            secret => Ok(secret.map(SecretString::from)),
        }
    }

    fn number<N: FromStr + PartialOrd + From<u8>>(&self, name: &str, default: N) -> anyhow::Result<N> {
        let Some(text) = self.text(name) else { return Ok(default) };
        match text.parse() {
            Ok(number) if number >= N::from(1) => Ok(number),
            _ => bail!("{name} must be a whole number of at least 1"),
        }
    }

    fn switch(&self, name: &str, default: bool) -> anyhow::Result<bool> {
        match self.text(name).as_deref() {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(_) => bail!("{name} must be `on` or `off`"),
        }
    }
}
