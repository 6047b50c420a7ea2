//! The configuration, read once from environment variables. Errors name the variable.

mod choices;
mod dead_letters;
mod headers;
mod judge;
mod passkey_origins;
mod queue_urls;
mod secret;
mod setting;
#[cfg(test)]
mod tests;
mod variables;

use secrecy::SecretString;

pub use choices::{AdminSecondFactor, InnerAddresses, LogAddresses};
pub use dead_letters::DeadLetterUrls;
pub use judge::JudgeChoice;
pub use passkey_origins::{PasskeyOrigins, passkey_site};
pub use queue_urls::{QueueName, QueueUrls};
pub use secret::{SecretVariable, is_reference};
pub use setting::Setting;

use setting::UsedVariables;
use variables::Variables;

const HLS_SIGNATURE_HEADER: &str = "x-hls-signature";
const LIMIT_MAX: i64 = 100_000_000;
const FEED_SHARDS_MAX: u8 = 64;
const FANOUT_PAGE_MAX: usize = 1_000;
const NOTIFICATION_KEYS_MAX: usize = 100;
const ACCESS_TOKEN_MINUTES_MAX: i64 = 525_600;
const REFRESH_TOKEN_DAYS_MAX: i64 = 3_650;

/// The configuration. The environment variable of a field has the field's name in upper case.
///
/// A secret has no default. Its variable contains the secret itself, or the ARN of the secret in Secrets Manager.
/// [`crate::secrets`] reads both forms. A variable that is set must have a usable value. Only a variable whose default
/// is "none" may be empty.
#[derive(Clone)]
pub struct Settings {
    /// Name of the DynamoDB table.
    pub table_name: Setting<Option<String>>,
    /// Name of the event bus for domain events.
    pub event_bus_name: Setting<Option<String>>,
    /// URLs of the queues.
    pub queues: QueueUrls,
    /// Whether proposed features are available.
    pub proposed_features: Setting<bool>,
    /// Whether a post's visibility limits which users can read the post.
    pub enforce_visibility: Setting<bool>,
    /// Maximum requests to a public auth route in 5 minutes, per IP address and account. The same number limits an
    /// account's failed sign-ins from all IP addresses.
    pub auth_limit_per_5_min: Setting<i64>,
    /// Maximum requests to all public auth routes in 5 minutes, per IP address.
    pub auth_address_limit_per_5_min: Setting<i64>,
    /// Maximum write requests in 5 minutes, per session. The limit per user is a third higher.
    pub write_limit_per_5_min: Setting<i64>,
    /// Maximum reads in 5 minutes, per session. For anonymous clients, the limit per IP address is twice as high.
    pub read_limit_per_5_min: Setting<i64>,
    /// Maximum registrations in an hour, per IP address.
    pub register_limit_per_hour: Setting<i64>,
    /// Maximum posts of all kinds in 5 minutes, per user.
    pub post_limit_per_5_min: Setting<i64>,
    /// Maximum posts of all kinds in a day, per user whose account is less than 7 days old.
    pub post_limit_per_day: Setting<i64>,
    /// Maximum requests to hide a post in an hour, per user.
    pub hide_limit_per_hour: Setting<i64>,
    /// Maximum requests to hide a post in a day, per user.
    pub hide_limit_per_day: Setting<i64>,
    /// Maximum pages fetched for link previews in an hour, per author.
    pub preview_limit_per_hour: Setting<i64>,
    /// Maximum requests to an external model in a day, for the whole stack.
    pub judge_calls_per_day: Setting<i64>,
    /// Number of shards of the public feed. The value may change at any time, because existing posts keep their shard.
    pub feed_shards: Setting<u8>,
    /// Maximum followers of an author whose posts are copied to each follower's timeline. Posts of other authors are
    /// merged into a feed when the feed is read.
    pub fanout_max_followers: Setting<i64>,
    /// Number of followers that the timeline worker processes per page.
    pub fanout_page_size: Setting<usize>,
    /// Maximum pending notifications that the notification worker reads at once from a shard.
    pub notification_keys_per_run: Setting<usize>,
    /// Minutes until an access token expires.
    pub access_token_minutes: Setting<i64>,
    /// Days until a refresh token expires.
    pub refresh_token_days: Setting<i64>,
    /// Whether administrators must sign in with a second factor.
    pub admin_second_factor: Setting<AdminSecondFactor>,
    /// Secret that signs tokens. At least 32 bytes.
    pub jwt_secret: Setting<Option<SecretString>>,
    /// Secret that signed tokens before the last rotation, and still verifies them. At least 32 bytes.
    pub jwt_secret_previous: Setting<Option<SecretString>>,
    /// The judge of reports and of circle posts.
    pub judge: Setting<JudgeChoice>,
    /// API key of [`JudgeChoice::Chat`].
    pub judge_api_key: Setting<Option<SecretString>>,
    /// The app at the push provider, or `None` if pushes are off.
    pub pusher: Setting<Option<PusherApp>>,
    /// Secret that verifies the signatures of the video provider. At least 32 bytes.
    pub hls_secret: Setting<Option<SecretString>>,
    /// Name of the header with the video provider's signature.
    pub hls_signature_header: Setting<String>,
    /// Secret that verifies the signatures of an external judge. At least 32 bytes.
    pub internal_secret: Setting<Option<SecretString>>,
    /// Secret from which Web Push and webhook keys are derived. At least 32 bytes.
    pub outbound_secret: Setting<Option<SecretString>>,
    /// The secret that the CDN sends with each request, or `None` without a CDN.
    pub origin_secret: Setting<Option<SecretString>>,
    /// Name of the bucket for uploads.
    pub upload_bucket: Setting<Option<String>>,
    /// Name of the bucket with the list of account deletions.
    pub deletions_bucket: Setting<Option<String>>,
    /// URL of the CDN, which serves the uploads. `None` on the local stack, whose bucket serves them.
    pub files_url: Setting<Option<String>>,
    /// URL of the API's own domain, or `None` without such a domain.
    pub api_url: Setting<Option<String>>,
    /// How log lines show the address of a client behind the CDN.
    pub log_addresses: Setting<LogAddresses>,
    /// Whether user-supplied URLs may resolve to private addresses.
    pub inner_addresses: Setting<InnerAddresses>,
    /// Sender address of emails.
    pub mail_from: Setting<Option<String>>,
    /// The SES configuration set that publishes bounces and complaints.
    pub mail_events: Setting<Option<String>>,
    /// URL of the app, for links in emails.
    pub app_url: Setting<Option<String>>,
    /// The credentials of the canary's account: JSON with `identifier` and `password`.
    pub canary_secret: Setting<Option<SecretString>>,
    /// Origins from which passkeys can be used, besides the origin of `app_url`.
    pub passkey_origins: Setting<PasskeyOrigins>,
    used: UsedVariables,
    secrets: Vec<SecretVariable>,
}

/// An app at the push provider. Read from `PUSHER_APP_ID`, `PUSHER_KEY`, `PUSHER_SECRET` and `PUSHER_HOST`.
#[derive(Clone)]
pub struct PusherApp {
    /// ID of the app.
    pub id: String,
    /// Public key of the app.
    pub key: String,
    /// Secret that signs the app's requests.
    pub secret: SecretString,
    /// Host of the provider's API, with an optional scheme. The default scheme is HTTPS.
    pub host: String,
}

impl Settings {
    /// Reads the configuration from the environment. Fails as [`Settings::read`] does.
    #[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
    pub fn from_env() -> anyhow::Result<Self> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Reads each variable with `lookup`.
    ///
    /// # Errors
    /// Fails with the name of the first unusable variable and the allowed values.
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> anyhow::Result<Self> {
        let vars = Variables::new(&lookup);
        Ok(Self {
            table_name: vars.resource("TABLE_NAME", 3..=255, "_.-")?,
            event_bus_name: vars.resource("EVENT_BUS_NAME", 1..=1_600, "_.-/:")?,
            queues: QueueUrls::read(&vars)?,
            proposed_features: vars.switch("PROPOSED_FEATURES", true)?,
            enforce_visibility: vars.switch("ENFORCE_VISIBILITY", false)?,
            auth_limit_per_5_min: vars.number("AUTH_LIMIT_PER_5_MIN", 30, LIMIT_MAX)?,
            auth_address_limit_per_5_min: vars.number("AUTH_ADDRESS_LIMIT_PER_5_MIN", 300, LIMIT_MAX)?,
            write_limit_per_5_min: vars.number("WRITE_LIMIT_PER_5_MIN", 300, LIMIT_MAX)?,
            read_limit_per_5_min: vars.number("READ_LIMIT_PER_5_MIN", 3000, LIMIT_MAX)?,
            register_limit_per_hour: vars.number("REGISTER_LIMIT_PER_HOUR", 20, LIMIT_MAX)?,
            post_limit_per_5_min: vars.number("POST_LIMIT_PER_5_MIN", 60, LIMIT_MAX)?,
            post_limit_per_day: vars.number("POST_LIMIT_PER_DAY", 300, LIMIT_MAX)?,
            hide_limit_per_hour: vars.number("HIDE_LIMIT_PER_HOUR", 10, LIMIT_MAX)?,
            hide_limit_per_day: vars.number("HIDE_LIMIT_PER_DAY", 30, LIMIT_MAX)?,
            preview_limit_per_hour: vars.number("PREVIEW_LIMIT_PER_HOUR", 30, LIMIT_MAX)?,
            judge_calls_per_day: vars.number("JUDGE_CALLS_PER_DAY", 10_000, LIMIT_MAX)?,
            feed_shards: vars.number("FEED_SHARDS", 4, FEED_SHARDS_MAX)?,
            fanout_max_followers: vars.number("FANOUT_MAX_FOLLOWERS", 5000, LIMIT_MAX)?,
            fanout_page_size: vars.number("FANOUT_PAGE_SIZE", 500, FANOUT_PAGE_MAX)?,
            notification_keys_per_run: vars.number("NOTIFICATION_KEYS_PER_RUN", 10, NOTIFICATION_KEYS_MAX)?,
            access_token_minutes: vars.number("ACCESS_TOKEN_MINUTES", 15, ACCESS_TOKEN_MINUTES_MAX)?,
            refresh_token_days: vars.number("REFRESH_TOKEN_DAYS", 30, REFRESH_TOKEN_DAYS_MAX)?,
            admin_second_factor: vars.choice(
                "ADMIN_SECOND_FACTOR",
                AdminSecondFactor::Off,
                [("required", AdminSecondFactor::Required), ("off", AdminSecondFactor::Off)],
            )?,
            jwt_secret: vars.secret("JWT_SECRET")?,
            jwt_secret_previous: vars.optional_secret("JWT_SECRET_PREVIOUS")?,
            judge: vars.parsed("JUDGE")?,
            judge_api_key: vars.api_key("JUDGE_API_KEY")?,
            pusher: vars.pusher()?,
            hls_secret: vars.secret("HLS_SECRET")?,
            hls_signature_header: vars.header("HLS_SIGNATURE_HEADER", HLS_SIGNATURE_HEADER)?,
            internal_secret: vars.secret("INTERNAL_SECRET")?,
            outbound_secret: vars.secret("OUTBOUND_SECRET")?,
            origin_secret: vars.header_secret("ORIGIN_SECRET")?,
            upload_bucket: vars.resource("UPLOAD_BUCKET", 3..=63, ".-")?,
            deletions_bucket: vars.resource("DELETIONS_BUCKET", 3..=63, ".-")?,
            files_url: vars.optional_base_url("FILES_URL")?,
            api_url: vars.optional_base_url("API_URL")?,
            log_addresses: vars.choice(
                "LOG_ADDRESSES",
                LogAddresses::Truncated,
                [("truncated", LogAddresses::Truncated), ("hashed", LogAddresses::Hashed)],
            )?,
            inner_addresses: vars.choice(
                "INNER_ADDRESSES",
                InnerAddresses::Refused,
                [("refused", InnerAddresses::Refused), ("allowed", InnerAddresses::Allowed)],
            )?,
            mail_from: vars.sender("MAIL_FROM")?,
            mail_events: vars.resource("MAIL_EVENTS", 1..=64, "-_")?,
            app_url: vars.base_url("APP_URL")?,
            canary_secret: vars.secret_text("CANARY_SECRET")?,
            passkey_origins: vars.passkey_origins("PASSKEY_ORIGINS", "APP_URL")?,
            used: vars.used.into_inner(),
            secrets: vars.secrets.into_inner(),
        })
    }

    /// Returns the variables that have been used so far. A function's environment must set exactly these variables.
    pub fn asked(&self) -> impl Iterator<Item = &'static str> {
        self.used.names()
    }

    /// Returns the variables of the secrets that have a value.
    pub fn secrets(&self) -> &[SecretVariable] {
        &self.secrets
    }
}

/// Returns the value of a required setting.
///
/// # Errors
/// Fails if the setting has no value, because the function's environment lacks the variable `name`.
pub fn required<'a, T>(setting: &'a Option<T>, name: &'static str) -> crate::Result<&'a T> {
    setting.as_ref().ok_or_else(|| crate::Error::internal(anyhow::anyhow!("{name} is not set")))
}
