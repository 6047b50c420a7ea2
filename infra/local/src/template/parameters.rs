//! The template's parameters. Settings override their defaults.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value as Json;
use yaml_serde::Value as Yaml;

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Parameter {
    r#type: String,
    default: Option<Yaml>,
    #[serde(default)]
    allowed_values: Vec<Yaml>,
}

/// Returns the value of each parameter. `variables` are settings that override defaults.
pub(super) fn values(
    parameters: &BTreeMap<String, Parameter>,
    variables: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Json>> {
    let mut overrides = BTreeMap::new();
    for (variable, value) in variables {
        let name = upper_camel(variable);
        if !parameters.contains_key(&name) {
            bail!("{variable} is not a setting: the template has no parameter {name}");
        }
        overrides.insert(name, (variable, value));
    }
    let mut values = BTreeMap::new();
    for (name, parameter) in parameters {
        let value = match overrides.get(name) {
            Some((variable, text)) => parameter.parse(text).with_context(|| (*variable).clone())?,
            None => {
                let default = parameter.default.as_ref().map(text).unwrap_or_default();
                parameter.parse(&default).with_context(|| format!("invalid default of {name}"))?
            }
        };
        values.insert(name.clone(), value);
    }
    Ok(values)
}

impl Parameter {
    fn parse(&self, value: &str) -> Result<Json> {
        let allowed: Vec<_> = self.allowed_values.iter().map(text).collect();
        if !allowed.is_empty() && !allowed.iter().any(|candidate| candidate == value) {
            bail!("must be one of {}, not `{value}`", allowed.join(", "));
        }
        match self.r#type.as_str() {
            "Number" => serde_json::from_str(value).with_context(|| format!("`{value}` is not a number")),
            "CommaDelimitedList" => Ok(value.split(',').map(str::trim).collect()),
            _ => Ok(value.into()),
        }
    }
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
