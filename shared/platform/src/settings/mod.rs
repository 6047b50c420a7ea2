//! The configuration: read once, typed. An error names the variable.

mod admin_second_factor;
mod dead_letters;
mod inner_addresses;
mod judge;
mod queue_urls;
mod secret;
mod setting;
mod variables;

use secrecy::SecretString;

pub use admin_second_factor::AdminSecondFactor;
pub use dead_letters::DeadLetterUrls;
pub use inner_addresses::InnerAddresses;
pub use judge::JudgeChoice;
pub use queue_urls::{QueueName, QueueUrls};
pub use secret::{SecretVariable, is_reference};
pub use setting::Setting;

use setting::Asked;
use variables::Variables;

const HLS_SIGNATURE_HEADER: &str = "x-hls-signature";

/// The configuration. Each field is the environment variable of its name in upper case. A secret has no default,
/// and is set to its value or to its ARN in Secrets Manager: [`crate::secrets`] reads both.
#[derive(Clone)]
pub struct Settings {
    /// The single table.
    pub table_name: Setting<Option<String>>,
    /// The bus of domain events.
    pub event_bus_name: Setting<Option<String>>,
    /// The addresses of the queues.
    pub queues: QueueUrls,
    /// Whether proposed routes exist and stubs do their work.
    pub proposed_features: Setting<bool>,
    /// Whether lists leave out posts that the viewer may not read.
    pub enforce_visibility: Setting<bool>,
    /// Tries of one address at one account on the public auth routes in 5 minutes, and failed tries of all addresses.
    pub auth_limit_per_5_min: Setting<i64>,
    /// Requests of one address on the public auth routes, in 5 minutes.
    pub auth_address_limit_per_5_min: Setting<i64>,
    /// Writes of one session in 5 minutes; a user has twice as many.
    pub write_limit_per_5_min: Setting<i64>,
    /// Partitions of the public feed. Never lower it: posts keep their shard.
    pub feed_shards: Setting<u8>,
    /// An author with more followers is popular: their posts are merged when a feed is read.
    pub fanout_max_followers: Setting<i64>,
    /// Followers that the timeline worker takes at a time.
    pub fanout_page_size: Setting<usize>,
    /// Pending notifications that one run of a tick flushes. A full run is followed by another.
    pub notification_keys_per_run: Setting<usize>,
    /// Minutes until an access token expires.
    pub access_token_minutes: Setting<i64>,
    /// Days until a refresh token expires.
    pub refresh_token_days: Setting<i64>,
    /// Whether administrating takes a sign-in with a second factor.
    pub admin_second_factor: Setting<AdminSecondFactor>,
    /// The secret that signs tokens; at least 32 bytes.
    pub jwt_secret: Setting<Option<SecretString>>,
    /// The secret that signed tokens before the last rotation and still verifies them; at least 32 bytes.
    pub jwt_secret_previous: Setting<Option<SecretString>>,
    /// The judge of reports and of posts in circles.
    pub judge: Setting<JudgeChoice>,
    /// The API key of a judge behind HTTP.
    pub judge_api_key: Setting<Option<SecretString>>,
    /// The app at the push provider; none, where there is no provider.
    pub pusher: Setting<Option<PusherApp>>,
    /// The secret with which the video provider signs; at least 32 bytes.
    pub hls_secret: Setting<Option<SecretString>>,
    /// The header that holds that signature.
    pub hls_signature_header: Setting<String>,
    /// The secret with which an external judge signs; at least 32 bytes.
    pub internal_secret: Setting<Option<SecretString>>,
    /// The secret that the front sends with each request; none, where there is no front.
    pub origin_secret: Setting<Option<SecretString>>,
    /// The bucket of uploads.
    pub upload_bucket: Setting<Option<String>>,
    /// Where uploads are read when that is not the bucket itself: the address of the front.
    pub files_url: Setting<Option<String>>,
    /// Whether addresses that people give may lead into our own network.
    pub inner_addresses: Setting<InnerAddresses>,
    /// The sender's address of e-mails.
    pub mail_from: Setting<Option<String>>,
    /// The address of the app, to which links in e-mails lead.
    pub app_url: Setting<Option<String>>,
    asked: Asked,
    secrets: Vec<SecretVariable>,
}

/// An app at the push provider: `PUSHER_APP_ID`, `PUSHER_KEY`, `PUSHER_SECRET`, `PUSHER_HOST`.
#[derive(Clone)]
pub struct PusherApp {
    /// The id of the app.
    pub id: String,
    /// The public key of the app.
    pub key: String,
    /// The secret that signs for the app.
    pub secret: SecretString,
    /// The host of the provider's API, reached by HTTPS unless a scheme stands before it.
    pub host: String,
}

impl Settings {
    /// Reads the configuration from the environment.
    ///
    /// # Errors
    /// Fails at the first malformed variable, and names it.
    #[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
    pub fn from_env() -> anyhow::Result<Self> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Reads the configuration from the variables that `lookup` returns.
    ///
    /// # Errors
    /// Fails at the first malformed variable, and names it.
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> anyhow::Result<Self> {
        let vars = Variables::new(&lookup);
        Ok(Self {
            table_name: vars.text("TABLE_NAME"),
            event_bus_name: vars.text("EVENT_BUS_NAME"),
            queues: QueueUrls::read(&vars)?,
            proposed_features: vars.switch("PROPOSED_FEATURES", true)?,
            enforce_visibility: vars.switch("ENFORCE_VISIBILITY", false)?,
            auth_limit_per_5_min: vars.number("AUTH_LIMIT_PER_5_MIN", 30)?,
            auth_address_limit_per_5_min: vars.number("AUTH_ADDRESS_LIMIT_PER_5_MIN", 300)?,
            write_limit_per_5_min: vars.number("WRITE_LIMIT_PER_5_MIN", 300)?,
            feed_shards: vars.number("FEED_SHARDS", 4)?,
            fanout_max_followers: vars.number("FANOUT_MAX_FOLLOWERS", 5000)?,
            fanout_page_size: vars.number("FANOUT_PAGE_SIZE", 500)?,
            notification_keys_per_run: vars.number("NOTIFICATION_KEYS_PER_RUN", 10)?,
            access_token_minutes: vars.number("ACCESS_TOKEN_MINUTES", 15)?,
            refresh_token_days: vars.number("REFRESH_TOKEN_DAYS", 30)?,
            admin_second_factor: vars.parsed("ADMIN_SECOND_FACTOR")?,
            jwt_secret: vars.secret("JWT_SECRET")?,
            jwt_secret_previous: vars.secret("JWT_SECRET_PREVIOUS")?,
            judge: vars.parsed("JUDGE")?,
            judge_api_key: vars.password("JUDGE_API_KEY"),
            pusher: vars.pusher()?,
            hls_secret: vars.secret("HLS_SECRET")?,
            hls_signature_header: vars.text_or("HLS_SIGNATURE_HEADER", HLS_SIGNATURE_HEADER),
            internal_secret: vars.secret("INTERNAL_SECRET")?,
            origin_secret: vars.secret("ORIGIN_SECRET")?,
            upload_bucket: vars.text("UPLOAD_BUCKET"),
            files_url: vars.text("FILES_URL"),
            inner_addresses: vars.parsed("INNER_ADDRESSES")?,
            mail_from: vars.text("MAIL_FROM"),
            app_url: vars.text("APP_URL"),
            asked: vars.asked.into_inner(),
            secrets: vars.secrets.into_inner(),
        })
    }

    /// Returns the variables that were used since: exactly those that the function's environment must name.
    pub fn asked(&self) -> impl Iterator<Item = &'static str> {
        self.asked.names()
    }

    /// Returns the secrets that are set.
    pub fn secrets(&self) -> &[SecretVariable] {
        &self.secrets
    }
}

/// Returns a setting that the function cannot work without.
///
/// # Errors
/// Fails when it is not set: `template.yaml` lacks it in the function's environment.
pub fn required<'a, T>(setting: &'a Option<T>, name: &'static str) -> crate::Result<&'a T> {
    setting.as_ref().ok_or_else(|| crate::Error::internal(anyhow::anyhow!("{name} is not set")))
}
