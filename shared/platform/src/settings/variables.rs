//! Reads environment variables into settings.

use std::{cell::RefCell, fmt::Display, ops::RangeInclusive, str::FromStr};

use anyhow::{Context, anyhow, bail, ensure};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{
    PasskeyOrigins, PusherApp, SecretVariable,
    headers::is_free_header,
    is_reference,
    setting::{Setting, UsedVariables},
};
use crate::text::is_web_url;

/// Maximum length of a value. Lambda allows 4 KiB for all variables of a function together.
const VALUE_MAX_BYTES: usize = 4_096;
const SECRET_MIN_BYTES: usize = 32;
const URL_MAX_BYTES: usize = 2_048;
const SENDER_MAX_BYTES: usize = 320;
const HEADER_MAX_BYTES: usize = 256;
const PUSHER: [&str; 4] = ["PUSHER_APP_ID", "PUSHER_KEY", "PUSHER_SECRET", "PUSHER_HOST"];

/// Reads variables. A variable that is set must have a usable value. The functions that allow an empty text say so.
pub(super) struct Variables<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    pub(super) used: RefCell<UsedVariables>,
    pub(super) secrets: RefCell<Vec<SecretVariable>>,
}

impl<'a> Variables<'a> {
    pub(super) fn new(lookup: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { lookup, used: RefCell::default(), secrets: RefCell::default() }
    }

    /// Reads the name of an AWS resource. The name consists of ASCII letters, digits and `symbols`, and its length is
    /// in `chars`.
    pub(super) fn resource(
        &self,
        name: &'static str,
        chars: RangeInclusive<usize>,
        symbols: &str,
    ) -> anyhow::Result<Setting<Option<String>>> {
        let rule = format!("{} to {} letters, digits or {symbols}", chars.start(), chars.end());
        let is_valid = |value: &str| chars.contains(&value.len()) && is_name(value, symbols);
        Ok(self.setting(name, check(name, &rule, self.value(name)?, is_valid)?))
    }

    /// Reads the URL of a queue.
    pub(super) fn url(&self, name: &'static str) -> anyhow::Result<Setting<Option<String>>> {
        let rule = format!("an http or https URL of at most {URL_MAX_BYTES} bytes");
        Ok(self.setting(name, check(name, &rule, self.value(name)?, is_short_url)?))
    }

    /// Reads a URL to which paths are added. Removes slashes at the end.
    pub(super) fn base_url(&self, name: &'static str) -> anyhow::Result<Setting<Option<String>>> {
        Ok(self.setting(name, base_url(name, self.value(name)?)?))
    }

    /// Reads a URL to which paths are added, or an empty text. Removes slashes at the end.
    pub(super) fn optional_base_url(&self, name: &'static str) -> anyhow::Result<Setting<Option<String>>> {
        Ok(self.setting(name, base_url(name, self.optional(name)?)?))
    }

    /// Reads the sender of emails.
    pub(super) fn sender(&self, name: &'static str) -> anyhow::Result<Setting<Option<String>>> {
        let rule = format!("an email address of at most {SENDER_MAX_BYTES} bytes");
        let is_valid = |text: &str| text.len() <= SENDER_MAX_BYTES && is_sender(text);
        Ok(self.setting(name, check(name, &rule, self.value(name)?, is_valid)?))
    }

    pub(super) fn header(&self, name: &'static str, default: &str) -> anyhow::Result<Setting<String>> {
        let rule = format!(
            "the name of an HTTP header without another meaning, with at most {HEADER_MAX_BYTES} bytes"
        );
        let is_valid = |text: &str| text.len() <= HEADER_MAX_BYTES && is_free_header(text);
        let value = check(name, &rule, self.value(name)?, is_valid)?;
        Ok(self.setting(name, value.unwrap_or_else(|| default.to_owned())))
    }

    /// Reads an API key of any length, or an empty text.
    pub(super) fn api_key(&self, name: &'static str) -> anyhow::Result<Setting<Option<SecretString>>> {
        let variable = |value| SecretVariable { name, value, min_bytes: 0, is_in_header: true };
        self.secret_setting(name, self.optional(name)?, variable)
    }

    /// Reads a secret text of any length, or an empty text.
    pub(super) fn secret_text(&self, name: &'static str) -> anyhow::Result<Setting<Option<SecretString>>> {
        let variable = |value| SecretVariable { name, value, min_bytes: 0, is_in_header: false };
        self.secret_setting(name, self.optional(name)?, variable)
    }

    /// Reads a secret of at least 32 bytes that signs data.
    pub(super) fn secret(&self, name: &'static str) -> anyhow::Result<Setting<Option<SecretString>>> {
        self.secret_setting(name, self.value(name)?, |value| signing_secret(name, value))
    }

    /// Reads a secret of at least 32 bytes that signs data, or an empty text.
    pub(super) fn optional_secret(
        &self,
        name: &'static str,
    ) -> anyhow::Result<Setting<Option<SecretString>>> {
        self.secret_setting(name, self.optional(name)?, |value| signing_secret(name, value))
    }

    /// Reads a secret of at least 32 bytes that is sent in a header, or an empty text.
    pub(super) fn header_secret(&self, name: &'static str) -> anyhow::Result<Setting<Option<SecretString>>> {
        let variable = |value| SecretVariable { is_in_header: true, ..signing_secret(name, value) };
        self.secret_setting(name, self.optional(name)?, variable)
    }

    fn secret_setting(
        &self,
        name: &'static str,
        value: Option<String>,
        variable: impl Fn(SecretString) -> SecretVariable,
    ) -> anyhow::Result<Setting<Option<SecretString>>> {
        let variable = value.map(|value| variable(value.into()));
        let secret = variable.map(|variable| self.add_secret(variable)).transpose()?;
        Ok(self.setting(name, secret))
    }

    /// Checks a secret, unless the value is an ARN. Adds it to the secrets that the function reads when it starts.
    fn add_secret(&self, variable: SecretVariable) -> anyhow::Result<SecretString> {
        if !is_reference(variable.value.expose_secret()) {
            variable.check(&variable.value)?;
        }
        self.secrets.borrow_mut().push(variable.clone());
        Ok(variable.value)
    }

    /// Reads the four variables of the push provider. Returns `None` if `PUSHER_HOST` is empty or not set.
    pub(super) fn pusher(&self) -> anyhow::Result<Setting<Option<PusherApp>>> {
        let [app_id, key, secret, host] = PUSHER;
        let (id_rule, secret_rule) = ("letters, digits, hyphens or underscores", "ASCII without spaces");
        let is_id = |text: &str| is_name(text, "-_");
        let is_graphic = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        let id = check(app_id, id_rule, self.optional(app_id)?, is_id)?;
        let public_key = check(key, id_rule, self.optional(key)?, is_id)?;
        let value = check(secret, secret_rule, self.optional(secret)?, is_graphic)?;
        let rule = "a host, with an optional scheme and port";
        let app = match check(host, rule, self.optional(host)?, is_provider)? {
            None => None,
            Some(host) => {
                let value = value.with_context(|| format!("{secret} is not set"))?.into();
                let variable = SecretVariable { name: secret, value, min_bytes: 0, is_in_header: false };
                Some(PusherApp {
                    id: id.with_context(|| format!("{app_id} is not set"))?,
                    key: public_key.with_context(|| format!("{key} is not set"))?,
                    secret: self.add_secret(variable)?,
                    host,
                })
            }
        };
        Ok(self.used.borrow_mut().setting(&PUSHER, app))
    }

    /// Reads origins, which must belong to the site of the URL in the variable `app_url`.
    pub(super) fn passkey_origins(
        &self,
        name: &'static str,
        app_url: &str,
    ) -> anyhow::Result<Setting<PasskeyOrigins>> {
        let value = self.value(name)?.unwrap_or_default();
        let origins: PasskeyOrigins = value.parse().map_err(|why| anyhow!("{name} {why}"))?;
        origins.check(&self.value(app_url)?.unwrap_or_default())?;
        Ok(self.setting(name, origins))
    }

    pub(super) fn parsed<T>(&self, name: &'static str) -> anyhow::Result<Setting<T>>
    where
        T: FromStr<Err = &'static str> + Default,
    {
        let value = match self.value(name)? {
            None => T::default(),
            Some(text) => text.parse().map_err(|why| anyhow!("{name} {why}"))?,
        };
        Ok(self.setting(name, value))
    }

    /// Reads a whole number from 1 to `max`.
    pub(super) fn number<N>(&self, name: &'static str, default: N, max: N) -> anyhow::Result<Setting<N>>
    where
        N: FromStr + PartialOrd + From<u8> + Display,
    {
        let value = match self.value(name)?.map(|text| text.parse()) {
            None => default,
            Some(Ok(number)) if number >= N::from(1) && number <= max => number,
            Some(_) => bail!("{name} must be a whole number from 1 to {max}"),
        };
        Ok(self.setting(name, value))
    }

    pub(super) fn switch(&self, name: &'static str, default: bool) -> anyhow::Result<Setting<bool>> {
        self.choice(name, default, [("on", true), ("off", false)])
    }

    /// Reads a variable that has one of two texts. Returns the value that is paired with the text.
    pub(super) fn choice<T: Copy>(
        &self,
        name: &'static str,
        default: T,
        [(one, first), (other, second)]: [(&str, T); 2],
    ) -> anyhow::Result<Setting<T>> {
        let value = match self.value(name)? {
            None => default,
            Some(text) if text == one => first,
            Some(text) if text == other => second,
            Some(_) => bail!("{name} must be `{one}` or `{other}`"),
        };
        Ok(self.setting(name, value))
    }

    fn setting<T>(&self, name: &'static str, value: T) -> Setting<T> {
        self.used.borrow_mut().setting(&[name], value)
    }

    /// Returns the value of the variable, or `None` if it is empty or not set.
    fn optional(&self, name: &str) -> anyhow::Result<Option<String>> {
        Ok(self.value(name)?.filter(|value| !value.is_empty()))
    }

    /// Returns the value of the variable, or `None` if it is not set.
    fn value(&self, name: &str) -> anyhow::Result<Option<String>> {
        let value = (self.lookup)(name);
        let is_short = value.as_ref().is_none_or(|value| value.len() <= VALUE_MAX_BYTES);
        ensure!(is_short, "{name} must have at most {VALUE_MAX_BYTES} bytes");
        Ok(value)
    }
}

/// Returns the value if `is_valid` accepts it. `rule` completes the sentence "NAME must be …".
fn check(
    name: &str,
    rule: &str,
    value: Option<String>,
    is_valid: impl Fn(&str) -> bool,
) -> anyhow::Result<Option<String>> {
    ensure!(value.as_deref().is_none_or(is_valid), "{name} must be {rule}");
    Ok(value)
}

fn signing_secret(name: &'static str, value: SecretString) -> SecretVariable {
    SecretVariable { name, value, min_bytes: SECRET_MIN_BYTES, is_in_header: false }
}

fn base_url(name: &str, value: Option<String>) -> anyhow::Result<Option<String>> {
    let rule =
        format!("an http or https URL of at most {URL_MAX_BYTES} bytes, without a query, fragment or user");
    let is_base = |text: &str| is_short_url(text) && !text.contains(['?', '#', '@']);
    let url = check(name, &rule, value, is_base)?;
    Ok(url.map(|url| url.trim_end_matches('/').to_owned()))
}

/// Returns whether a text is a web URL of at most 2048 bytes. The URL parser accepts an empty port, and port 0.
pub(super) fn is_short_url(text: &str) -> bool {
    let after_scheme = text.split_once("://").map_or("", |(_, rest)| rest);
    let host = after_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let has_port = |url: Url| url.port() != Some(0) && !host.ends_with(':');
    text.len() <= URL_MAX_BYTES && is_web_url(text) && Url::parse(text).is_ok_and(has_port)
}

/// Returns whether a text is a host, with an optional scheme and port, and nothing else.
fn is_provider(text: &str) -> bool {
    let url = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let host = url.split_once("://").map_or("", |(_, host)| host);
    is_short_url(&url) && !host.contains(['/', '?', '#', '@', '\\'])
}

/// Returns whether a text consists of ASCII letters, digits and `symbols`, and is not empty.
pub(super) fn is_name(text: &str, symbols: &str) -> bool {
    !text.is_empty() && text.chars().all(|char| char.is_ascii_alphanumeric() || symbols.contains(char))
}

/// Returns whether a text is an email address, with an optional name before it.
pub(super) fn is_sender(text: &str) -> bool {
    let address = match text.rsplit_once('<') {
        None => Some(text),
        Some((_, address)) => address.strip_suffix('>'),
    };
    let is_part = |part: &str| is_name(part, "!#$%&'*+-/=?^_`{|}~.");
    let is_host = |host: &str| Url::parse(&format!("https://{host}/")).is_ok() && is_name(host, "-.");
    let parts = address.and_then(|address| address.split_once('@'));
    parts.is_some_and(|(local, host)| is_part(local) && is_host(host)) && !text.contains(char::is_control)
}
