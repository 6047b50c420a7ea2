//! Reads environment variables into settings.

use std::{cell::RefCell, fmt::Display, ops::RangeInclusive, str::FromStr};

use anyhow::{Context, anyhow, bail, ensure};
use http::HeaderName;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{
    PusherApp, SecretVariable, is_reference,
    setting::{Setting, UsedVariables},
};
use crate::text::is_web_url;

const SECRET_MIN_BYTES: usize = 32;
const PUSHER: [&str; 4] = ["PUSHER_APP_ID", "PUSHER_KEY", "PUSHER_SECRET", "PUSHER_HOST"];

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
        self.checked(name, &rule, |value| chars.contains(&value.len()) && is_name(value, symbols))
    }

    pub(super) fn url(&self, name: &'static str) -> anyhow::Result<Setting<Option<String>>> {
        self.checked(name, "an http or https URL", is_web_url)
    }

    /// Reads a text that `is_valid` accepts. `rule` completes the sentence "NAME must be …".
    pub(super) fn checked(
        &self,
        name: &'static str,
        rule: &str,
        is_valid: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Setting<Option<String>>> {
        let value = self.value(name);
        ensure!(value.as_deref().is_none_or(is_valid), "{name} must be {rule}");
        Ok(self.setting(name, value))
    }

    pub(super) fn header(&self, name: &'static str, default: &str) -> anyhow::Result<Setting<String>> {
        let value = self.value(name).unwrap_or_else(|| default.to_owned());
        ensure!(HeaderName::try_from(&value).is_ok(), "{name} must be the name of an HTTP header");
        Ok(self.setting(name, value))
    }

    /// Reads a third-party secret of any length.
    pub(super) fn password(&self, name: &'static str) -> Setting<Option<SecretString>> {
        let secret = self.value(name).map(|value| self.add_secret(name, value, 0).value);
        self.setting(name, secret)
    }

    /// Reads a signing secret of at least 32 bytes.
    pub(super) fn secret(&self, name: &'static str) -> anyhow::Result<Setting<Option<SecretString>>> {
        let Some(value) = self.value(name) else { return Ok(self.setting(name, None)) };
        let variable = self.add_secret(name, value, SECRET_MIN_BYTES);
        if !is_reference(variable.value.expose_secret()) {
            variable.check(&variable.value)?;
        }
        Ok(self.setting(name, Some(variable.value)))
    }

    fn add_secret(&self, name: &'static str, value: String, min_bytes: usize) -> SecretVariable {
        let variable = SecretVariable { name, value: value.into(), min_bytes };
        self.secrets.borrow_mut().push(variable.clone());
        variable
    }

    /// Reads the four variables of the push provider. Returns `None` if `PUSHER_HOST` is not set.
    pub(super) fn pusher(&self) -> anyhow::Result<Setting<Option<PusherApp>>> {
        let required = |name: &'static str| {
            let value = self.value(name).with_context(|| format!("{name} is not set"))?;
            ensure!(value.bytes().all(|byte| byte.is_ascii_graphic()), "{name} must be ASCII without spaces");
            anyhow::Ok(value)
        };
        let [app_id, key, secret, host] = PUSHER;
        let app = match self.value(host) {
            None => None,
            Some(host) => {
                let url = if host.contains("://") { host.clone() } else { format!("https://{host}") };
                let is_host = is_web_url(&url) && Url::parse(&url).is_ok_and(|parsed| parsed.path() == "/");
                ensure!(
                    is_host && !url.ends_with('/'),
                    "{} must be a host, with an optional scheme and port",
                    PUSHER[3]
                );
                let secret = self.add_secret(secret, required(secret)?, 0).value;
                Some(PusherApp { id: required(app_id)?, key: required(key)?, secret, host })
            }
        };
        Ok(self.used.borrow_mut().setting(&PUSHER, app))
    }

    pub(super) fn parsed<T>(&self, name: &'static str) -> anyhow::Result<Setting<T>>
    where
        T: FromStr<Err = &'static str> + Default,
    {
        let value = match self.value(name) {
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
        let value = match self.value(name).map(|text| text.parse()) {
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
        let value = match self.value(name) {
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
    fn value(&self, name: &str) -> Option<String> {
        (self.lookup)(name).filter(|value| !value.is_empty())
    }
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
