//! Resolves `!Ref`, `!GetAtt`, `!Sub` and other intrinsic functions to names and addresses of this stack.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result, bail};
use serde_json::Value as Json;
use yaml_serde::Value as Yaml;

use super::{Document, Inputs, Resource, parameters};
use crate::account::{ACCOUNT, REGION, arn, table_arn};

const STACK_NAME: &str = "local";
/// Label at the end of stream ARNs. On AWS, the label is the stream's creation time.
const STREAM_LABEL: &str = "2026-01-01T00:00:00.000";
/// Properties that can contain the name of a resource.
const NAMES: [&str; 3] = ["Name", "QueueName", "TableName"];

pub(super) struct Resolver<'a> {
    aws_url: &'a str,
    variables: &'a BTreeMap<String, String>,
    parameters: BTreeMap<String, Json>,
    conditions: &'a HashMap<String, Yaml>,
    resources: BTreeMap<&'a str, NamedResource<'a>>,
}

struct NamedResource<'a> {
    kind: String,
    name: String,
    properties: &'a Yaml,
}

/// Returns the parameters whose defaults differ in this stack, with their variables and values.
fn defaults(url: &str) -> [(&'static str, &'static str, Json); 3] {
    [
        // This stack is the push provider.
        ("PusherHost", "PUSHER_HOST", url.into()),
        // Links in emails lead to this stack.
        ("AppUrl", "APP_URL", url.into()),
        // All users of the local stack have the same IP address.
        ("RegisterLimitPerHour", "REGISTER_LIMIT_PER_HOUR", 10_000.into()),
    ]
}

impl<'a> Resolver<'a> {
    pub(super) fn new(document: &'a Document, inputs: Inputs<'a>) -> Result<Self> {
        let named = |(id, resource): (&'a String, &'a Resource)| {
            let (kind, properties) = (resource.r#type.clone(), &resource.properties);
            (id.as_str(), NamedResource { kind, name: local_name(id), properties })
        };
        let mut parameters = parameters::values(&document.parameters, inputs.variables)?;
        for (parameter, variable, value) in defaults(inputs.url) {
            if let (Some(default), None) = (parameters.get_mut(parameter), inputs.variables.get(variable)) {
                *default = value;
            }
        }
        parameters::check(&document.parameters, &parameters, inputs.variables)?;
        let mut resolver = Self {
            aws_url: inputs.aws_url,
            variables: inputs.variables,
            parameters,
            conditions: &document.conditions,
            resources: document.resources.iter().map(named).collect(),
        };
        resolver.apply_explicit_names(document)?;
        Ok(resolver)
    }

    fn apply_explicit_names(&mut self, document: &'a Document) -> Result<()> {
        for (id, resource) in &document.resources {
            let name = NAMES.iter().find_map(|property| resource.properties.get(*property));
            if let Some(name) = name {
                let name = text(&self.resolve(name)?);
                self.resources.entry(id).and_modify(|resource| resource.name = name);
            }
        }
        Ok(())
    }

    pub(super) fn name(&self, id: &str) -> String {
        self.resources.get(id).map_or_else(|| local_name(id), |resource| resource.name.clone())
    }

    /// Replaces the settings without a parameter in the environment of a function by the chosen values.
    pub(super) fn override_environment(&self, environment: &mut BTreeMap<String, String>) {
        for name in parameters::WITHOUT_PARAMETER {
            if let (Some(value), Some(given)) = (environment.get_mut(name), self.variables.get(name)) {
                *value = given.clone();
            }
        }
    }

    pub(super) fn properties(&self, id: &str) -> Result<&'a Yaml> {
        let resource =
            self.resources.get(id).with_context(|| format!("the template has no resource {id}"))?;
        Ok(resource.properties)
    }

    pub(super) fn resolve(&self, value: &Yaml) -> Result<Json> {
        Ok(match value {
            Yaml::Tagged(tagged) => {
                let tag = tagged.tag.to_string();
                self.function(tag.trim_start_matches('!'), &tagged.value).with_context(|| tag.clone())?
            }
            Yaml::Sequence(items) => {
                Json::Array(items.iter().map(|item| self.resolve(item)).collect::<Result<_>>()?)
            }
            Yaml::Mapping(fields) => {
                let mut object = serde_json::Map::new();
                for (key, value) in fields {
                    let value = self.resolve(value)?;
                    if !value.is_null() {
                        object.insert(key.as_str().context("a key is not text")?.to_owned(), value);
                    }
                }
                Json::Object(object)
            }
            plain => serde_json::to_value(plain)?,
        })
    }

    pub(super) fn condition(&self, name: &str) -> Result<bool> {
        let condition = self.conditions.get(name).with_context(|| format!("no condition {name}"))?;
        self.is_true(condition)
    }

    fn is_true(&self, condition: &Yaml) -> Result<bool> {
        Ok(self.resolve(condition)? == Json::Bool(true))
    }

    fn function(&self, name: &str, argument: &Yaml) -> Result<Json> {
        if name == "Ref" {
            return self.reference(id(argument)?);
        }
        if name == "Condition" {
            return Ok(self.condition(id(argument)?)?.into());
        }
        if let ("Sub", Some(pattern)) = (name, argument.as_str()) {
            return Ok(self.substitute(pattern)?.into());
        }
        if let ("GetAtt", Some(path)) = (name, argument.as_str()) {
            return self.attribute(path);
        }
        let Yaml::Sequence(arguments) = argument else { bail!("the argument is not a list") };
        match (name, arguments.as_slice()) {
            ("If", [condition, yes, no]) => {
                self.resolve(if self.condition(id(condition)?)? { yes } else { no })
            }
            ("Equals", [left, right]) => Ok((self.resolve(left)? == self.resolve(right)?).into()),
            ("Not", [condition]) => Ok((!self.is_true(condition)?).into()),
            ("And", conditions) => {
                let values = conditions.iter().map(|condition| self.is_true(condition));
                Ok(values.collect::<Result<Vec<_>>>()?.into_iter().all(|value| value).into())
            }
            ("Split", [separator, whole]) => Ok(text(&self.resolve(whole)?).split(id(separator)?).collect()),
            ("Select", [index, list]) => match (self.resolve(index)?.as_u64(), self.resolve(list)?) {
                (Some(index), Json::Array(items)) => {
                    items.get(index as usize).cloned().context("the index is outside the list")
                }
                _ => bail!("the arguments are not a number and a list"),
            },
            ("GetAtt", [resource, attribute]) => {
                self.attribute(&format!("{}.{}", id(resource)?, id(attribute)?))
            }
            _ => bail!("not supported by the local stack"),
        }
    }

    fn reference(&self, id: &str) -> Result<Json> {
        // The alias of a function stands for the function.
        let id = id.strip_suffix(".Alias").unwrap_or(id);
        if let Some(value) = self.parameters.get(id) {
            return Ok(value.clone());
        }
        if let Some(resource) = self.resources.get(id) {
            return Ok(match resource.kind.as_str() {
                "AWS::SQS::Queue" => format!("{}/{ACCOUNT}/{}", self.aws_url, resource.name),
                "AWS::SecretsManager::Secret" => arn("secretsmanager", &format!("secret:{}", resource.name)),
                _ => resource.name.clone(),
            }
            .into());
        }
        Ok(match id {
            "AWS::AccountId" => ACCOUNT.into(),
            "AWS::NoValue" => Json::Null,
            "AWS::Partition" => "aws".into(),
            "AWS::Region" => REGION.into(),
            "AWS::StackName" => STACK_NAME.into(),
            "AWS::URLSuffix" => "amazonaws.com".into(),
            _ => bail!("unknown reference {id}"),
        })
    }

    fn attribute(&self, path: &str) -> Result<Json> {
        let (id, attribute) = path.split_once('.').context("no attribute")?;
        let resource =
            self.resources.get(id).with_context(|| format!("the template has no resource {id}"))?;
        Ok(match (resource.kind.as_str(), attribute) {
            ("AWS::SQS::Queue", "Arn") => arn("sqs", &resource.name),
            ("AWS::SQS::Queue", "QueueUrl") => return self.reference(id),
            ("AWS::DynamoDB::Table", "Arn") => table_arn(&resource.name),
            ("AWS::DynamoDB::Table", "StreamArn") => {
                format!("{}/stream/{STREAM_LABEL}", table_arn(&resource.name))
            }
            ("AWS::Events::EventBus", "Arn") => arn("events", &format!("event-bus/{}", resource.name)),
            ("AWS::S3::Bucket", "Arn") => format!("arn:aws:s3:::{}", resource.name),
            ("AWS::SSM::Parameter", "Value") => {
                let value = resource.properties.get("Value").context("a parameter has no value")?;
                return self.resolve(value);
            }
            // Nested stacks do not exist here, so settings with their outputs are empty.
            ("AWS::CloudFormation::Stack", _) => String::new(),
            (_, "Arn") => arn("local", &resource.name),
            _ => resource.name.clone(),
        }
        .into())
    }

    fn substitute(&self, pattern: &str) -> Result<String> {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once("${") {
            let (name, after) = after.split_once('}').context("a `${` is not closed")?;
            out.push_str(before);
            match name.strip_prefix('!') {
                Some(literal) => out.push_str(&format!("${{{literal}}}")),
                None if name.contains('.') => out.push_str(&text(&self.attribute(name)?)),
                None => out.push_str(&text(&self.reference(name)?)),
            }
            rest = after;
        }
        Ok(out + rest)
    }
}

/// Returns the ID of the resource that a `!Ref` or `!GetAtt` names.
pub(super) fn referenced_id(value: &Yaml) -> Option<&str> {
    let path = match value {
        Yaml::Tagged(tagged) => tagged.value.as_str(),
        Yaml::Mapping(_) => value.get("Ref").and_then(Yaml::as_str),
        _ => None,
    };
    path?.split('.').next()
}

fn id(argument: &Yaml) -> Result<&str> {
    argument.as_str().context("the argument is not text")
}

/// Formats a value as text for `!Sub` or an environment variable.
pub(super) fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Returns the short local name of a resource: `liked-add` for `LikedAddQueue`.
fn local_name(id: &str) -> String {
    let id = id.strip_suffix("Queue").or_else(|| id.strip_suffix("Schedule")).unwrap_or(id);
    let mut name = String::new();
    for letter in id.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
