//! Finds the operation of a recorded request, and the values of its parameters.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The operation of a request.
pub(crate) struct Match {
    /// Path with parameters, as in the document: `/posts/{publicId}`.
    pub(crate) path: String,
    in_path: BTreeMap<String, String>,
    query: BTreeMap<String, String>,
}

impl Match {
    /// Returns the operation of a request, or `None` if the document has no such operation. If several paths match, the
    /// path with the fewest parameters is the right one.
    pub(crate) fn of(document: &Value, method: &str, target: &str) -> Option<Self> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let method = method.to_lowercase();
        let templates = document["paths"].as_object()?.iter().filter(|(_, item)| item.get(&method).is_some());
        let found = templates.filter_map(|(template, _)| Some((template, values(template, path)?)));
        let (template, in_path) = found.min_by_key(|(_, values)| values.len())?;
        let query = query.split('&').filter_map(|pair| pair.split_once('=')).map(owned).collect();
        Some(Self { path: template.clone(), in_path, query })
    }

    /// Returns the request's value of a parameter, or `None` if the request does not send the parameter.
    pub(crate) fn parameter(&self, parameter: &Value, headers: &Map<String, Value>) -> Option<Value> {
        let name = parameter["name"].as_str()?;
        let text = match parameter["in"].as_str()? {
            "path" => self.in_path.get(name)?,
            "query" => self.query.get(name)?,
            _ => return headers.get(&name.to_lowercase()).cloned(),
        };
        let number = text.parse::<u64>().ok().filter(|_| parameter["schema"]["type"] != "string");
        Some(number.map_or_else(|| json!(text), |number| json!(number)))
    }
}

/// Returns the values of the parameters in `template`, or `None` if the path does not match.
fn values(template: &str, path: &str) -> Option<BTreeMap<String, String>> {
    let (names, parts): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    let pairs = names.iter().zip(&parts);
    let is_parameter = |name: &str| name.starts_with('{');
    let matches =
        names.len() == parts.len() && pairs.clone().all(|(name, part)| is_parameter(name) || name == part);
    let parameters = pairs.filter(|(name, _)| is_parameter(name));
    let values = parameters.map(|(name, part)| owned((name.trim_matches(['{', '}']), *part)));
    matches.then(|| values.collect())
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
