//! Reads environment variables into settings.

use std::{cell::RefCell, str::FromStr};

use anyhow::{Context, anyhow, bail};
use secrecy::{ExposeSecret, SecretString};

use super::{
    PusherApp, SecretVariable, is_reference,
    setting::{Setting, UsedVariables},
};

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

    pub(super) fn text(&self, name: &'static str) -> Setting<Option<String>> {
        self.setting(name, self.value(name))
    }

    pub(super) fn text_or(&self, name: &'static str, default: &str) -> Setting<String> {
        self.setting(name, self.value(name).unwrap_or_else(|| default.to_owned()))
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
        let required = |name: &'static str| self.value(name).with_context(|| format!("{name} is not set"));
        let [app_id, key, secret, host] = PUSHER;
        let app = match self.value(host) {
            None => None,
            Some(host) => {
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

    pub(super) fn number<N>(&self, name: &'static str, default: N) -> anyhow::Result<Setting<N>>
    where
        N: FromStr + PartialOrd + From<u8>,
    {
        let value = match self.value(name).map(|text| text.parse()) {
            None => default,
            Some(Ok(number)) if number >= N::from(1) => number,
            Some(_) => bail!("{name} must be a whole number of at least 1"),
        };
        Ok(self.setting(name, value))
    }

    pub(super) fn switch(&self, name: &'static str, default: bool) -> anyhow::Result<Setting<bool>> {
        let on = match self.value(name).as_deref() {
            None => default,
            Some("on") => true,
            Some("off") => false,
            Some(_) => bail!("{name} must be `on` or `off`"),
        };
        Ok(self.setting(name, on))
    }

    fn setting<T>(&self, name: &'static str, value: T) -> Setting<T> {
        self.used.borrow_mut().setting(&[name], value)
    }

    /// Returns the value of the variable, or `None` if it is empty or not set.
    fn value(&self, name: &str) -> Option<String> {
        (self.lookup)(name).filter(|value| !value.is_empty())
    }
}
