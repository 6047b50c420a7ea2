//! The configuration: read once, typed; an error names the variable.

mod judge;
mod setting;
mod variables;

use secrecy::SecretString;

pub use judge::JudgeChoice;
pub use setting::Setting;

use setting::Asked;
use variables::Variables;

const HLS_SIGNATURE_HEADER: &str = "x-hls-signature";

/// Everything that can be set from outside. Each field is the environment variable of its name in
/// upper case, with the default of infra/README.md's table; secrets have none. A secret is set to its value
/// or to the ARN that it has in Secrets Manager: [`crate::secrets`] reads both.
#[derive(Clone)]
pub struct Settings {
    /// The single table.
    pub table_name: Setting<Option<String>>,
    /// The bus that domain events go on.
    pub event_bus_name: Setting<Option<String>>,
    /// Queue addresses, for the functions that send.
    pub queues: QueueUrls,
    /// Whether proposed routes exist and stubs do real work.
    pub proposed_features: Setting<bool>,
    /// Whether reads filter on a post's visibility.
    pub enforce_visibility: Setting<bool>,
    /// Requests in 5 minutes for one address and identifier on the public auth routes.
    pub auth_limit_per_5_min: Setting<i64>,
    /// Signed-in writes in 5 minutes for one session.
    pub write_limit_per_5_min: Setting<i64>,
    /// Partitions that the public feed is spread over. Never lower it: posts keep their shard.
    pub feed_shards: Setting<u8>,
    /// Authors with more followers are merged when a feed is read.
    pub fanout_max_followers: Setting<i64>,
    /// Followers that one message of the timeline worker takes.
    pub fanout_page_size: Setting<usize>,
    /// Pending notifications that one run flushes.
    pub notification_keys_per_run: Setting<usize>,
    /// Minutes that an access token lives.
    pub access_token_minutes: Setting<i64>,
    /// Days that a refresh token lives.
    pub refresh_token_days: Setting<i64>,
    /// Signs tokens; at least 32 bytes.
    pub jwt_secret: Setting<Option<SecretString>>,
    /// Signed tokens before the last rotation; still verifies.
    pub jwt_secret_previous: Setting<Option<SecretString>>,
    /// Who judges what is reported.
    pub judge: Setting<JudgeChoice>,
    /// Opens the judge's door, where it has one.
    pub judge_api_key: Setting<Option<SecretString>>,
    /// The push provider, in the functions that speak to it.
    pub pusher: Setting<Option<PusherApp>>,
    /// Signs what the video provider sends; at least 32 bytes.
    pub hls_secret: Setting<Option<SecretString>>,
    /// The header that carries that signature.
    pub hls_signature_header: Setting<String>,
    /// Signs what an external judge sends; at least 32 bytes.
    pub internal_secret: Setting<Option<SecretString>>,
    /// Where uploads go.
    pub upload_bucket: Setting<Option<String>>,
    /// The sender of mails.
    pub mail_from: Setting<Option<String>>,
    /// Where links in mails lead.
    pub app_url: Setting<Option<String>>,
    asked: Asked,
    secrets: Vec<SecretString>,
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
    pub liked_add: Setting<Option<String>>,
    /// `LIKED_REMOVE_QUEUE_URL`
    pub liked_remove: Setting<Option<String>>,
    /// `REPORT_EVALUATION_QUEUE_URL`
    pub report_evaluation: Setting<Option<String>>,
    /// `SEARCH_INDEX_QUEUE_URL`
    pub search_index: Setting<Option<String>>,
    /// `MAIL_QUEUE_URL`
    pub mail: Setting<Option<String>>,
    /// `TIMELINE_QUEUE_URL`
    pub timeline: Setting<Option<String>>,
    /// `NOTIFICATION_TICK_QUEUE_URL`
    pub notification_tick: Setting<Option<String>>,
    /// `HOUSEKEEPING_QUEUE_URL`
    pub housekeeping: Setting<Option<String>>,
    /// `CIRCLE_JUDGE_QUEUE_URL`
    pub circle_judge: Setting<Option<String>>,
    /// `CIRCLE_DRAIN_QUEUE_URL`
    pub circle_drain: Setting<Option<String>>,
    /// `CPR_CHECK_QUEUE_URL`
    pub cpr_check: Setting<Option<String>>,
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
        let vars = Variables::new(&lookup);
        Ok(Self {
            table_name: vars.text("TABLE_NAME"),
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
            judge_api_key: vars.password("JUDGE_API_KEY"),
            pusher: vars.pusher()?,
            hls_secret: vars.secret("HLS_SECRET")?,
            hls_signature_header: vars.text_or("HLS_SIGNATURE_HEADER", HLS_SIGNATURE_HEADER),
            internal_secret: vars.secret("INTERNAL_SECRET")?,
            upload_bucket: vars.text("UPLOAD_BUCKET"),
            mail_from: vars.text("MAIL_FROM"),
            app_url: vars.text("APP_URL"),
            asked: vars.asked.into_inner(),
            secrets: vars.secrets.into_inner(),
        })
    }

    /// The variables that were asked for since: what a function's environment has to name, and no more.
    pub fn asked(&self) -> impl Iterator<Item = &'static str> {
        self.asked.names()
    }

    /// The secrets that are set, for reading them before they are needed.
    pub fn secrets(&self) -> &[SecretString] {
        &self.secrets
    }
}

/// A setting that this function cannot work without.
///
/// # Errors
/// It is not set: ours to mend, in the function's environment in `template.yaml`.
pub fn required<'a, T>(setting: &'a Option<T>, name: &'static str) -> crate::Result<&'a T> {
    setting.as_ref().ok_or_else(|| crate::Error::internal(anyhow::anyhow!("{name} is not set")))
}
