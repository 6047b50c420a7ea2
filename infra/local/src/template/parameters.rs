//! The template's parameters. Settings override their defaults.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail, ensure};
use platform::settings::Settings;
use regex::Regex;
use serde::Deserialize;
use serde_json::Value as Json;
use yaml_serde::Value as Yaml;

/// Settings whose values the deployed template takes from resources that this stack does not have.
pub(super) const WITHOUT_PARAMETER: [&str; 4] = ["API_URL", "FILES_URL", "MAIL_EVENTS", "ORIGIN_SECRET"];
/// Maximum length of a value in CloudFormation.
const VALUE_MAX_BYTES: usize = 4_096;

/// A parameter and its constraints, which CloudFormation checks in the same way.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Parameter {
    r#type: String,
    default: Option<Yaml>,
    #[serde(default)]
    allowed_values: Vec<Yaml>,
    /// Regular expression that the whole value must match.
    allowed_pattern: Option<String>,
    /// Completes the error message "NAME …" for a value that does not match the pattern.
    constraint_description: Option<String>,
    min_value: Option<f64>,
    max_value: Option<f64>,
}

/// Fails if a setting is unusable. Functions would read some settings, such as secrets, only during a request.
pub(super) fn check(
    parameters: &BTreeMap<String, Parameter>,
    values: &BTreeMap<String, Json>,
    variables: &BTreeMap<String, String>,
) -> Result<()> {
    let value = |name: &str| {
        let parameter = upper_camel(name);
        match (parameters.get(&parameter), values.get(&parameter).map(json_text)) {
            // The default of an optional parameter is empty.
            (Some(parameter), Some(value)) if value.is_empty() && parameter.default_text().is_empty() => None,
            (Some(_), Some(value)) => Some(value),
            _ => variables.get(name).cloned(),
        }
    };
    let settings = Settings::read(value)?;
    // The parameter of a secret contains the secret itself, never an ARN.
    settings.secrets().iter().try_for_each(|variable| variable.check(variable.value()))
}

/// Returns the value of each parameter. `variables` are settings that override defaults.
pub(super) fn values(
    parameters: &BTreeMap<String, Parameter>,
    variables: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Json>> {
    let mut overrides = BTreeMap::new();
    for (variable, value) in variables {
        let name = upper_camel(variable);
        if WITHOUT_PARAMETER.contains(&variable.as_str()) {
            continue;
        }
        if !parameters.contains_key(&name) {
            bail!("{variable} is not a setting: the template has no parameter {name}");
        }
        overrides.insert(name, (variable, value));
    }
    let mut values = BTreeMap::new();
    for (name, parameter) in parameters {
        let value = match overrides.get(name) {
            Some((variable, text)) => parameter.parse(text).map_err(|why| anyhow!("{variable} {why}"))?,
            None => parameter
                .parse(&parameter.default_text())
                .with_context(|| format!("invalid default of {name}"))?,
        };
        values.insert(name.clone(), value);
    }
    Ok(values)
}

impl Parameter {
    fn default_text(&self) -> String {
        self.default.as_ref().map(text).unwrap_or_default()
    }

    /// Returns the value of the parameter. The error completes the sentence "NAME …".
    fn parse(&self, value: &str) -> Result<Json> {
        ensure!(value.len() <= VALUE_MAX_BYTES, "must have at most {VALUE_MAX_BYTES} bytes");
        let allowed: Vec<_> = self.allowed_values.iter().map(text).collect();
        if !allowed.is_empty() && !allowed.iter().any(|candidate| candidate == value) {
            bail!("must be one of {}", allowed.join(", "));
        }
        self.check_pattern(value)?;
        match self.r#type.as_str() {
            "Number" => self.number(value),
            "CommaDelimitedList" => Ok(value.split(',').map(str::trim).collect()),
            _ => Ok(value.into()),
        }
    }

    fn check_pattern(&self, value: &str) -> Result<()> {
        let Some(pattern) = &self.allowed_pattern else { return Ok(()) };
        let rule = self.constraint_description.clone();
        let rule = rule.unwrap_or_else(|| format!("must match the pattern {pattern}"));
        ensure!(Regex::new(&format!("^(?:{pattern})$"))?.is_match(value), rule);
        Ok(())
    }

    fn number(&self, value: &str) -> Result<Json> {
        let (min, max) = (self.min_value.unwrap_or(f64::MIN), self.max_value.unwrap_or(f64::MAX));
        let number: Option<serde_json::Number> = value.parse().ok();
        let is_allowed =
            |number: &serde_json::Number| number.as_f64().is_some_and(|number| (min..=max).contains(&number));
        match number.filter(is_allowed) {
            Some(number) => Ok(number.into()),
            None => Err(anyhow!("must be a number{}", self.range())),
        }
    }

    fn range(&self) -> String {
        match (self.min_value, self.max_value) {
            (Some(min), Some(max)) => format!(" from {min} to {max}"),
            (Some(min), None) => format!(" of at least {min}"),
            (None, Some(max)) => format!(" of at most {max}"),
            (None, None) => String::new(),
        }
    }
}

fn json_text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn text(value: &Yaml) -> String {
    match value {
        Yaml::String(text) => text.clone(),
        Yaml::Bool(flag) => flag.to_string(),
        Yaml::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Converts a name to upper camel case: `WRITE_LIMIT_PER_5_MIN` to `WriteLimitPer5Min`.
pub(crate) fn upper_camel(variable: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_uppercase() + &rest.to_lowercase()
    };
    variable.split('_').map(word).collect()
}
