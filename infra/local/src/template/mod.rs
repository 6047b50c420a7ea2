//! Reads the resources of `template.yaml`.

mod buckets;
mod condition;
mod intrinsics;
mod loops;
mod parameters;
mod policy;
mod resources;
mod streams;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use anyhow::{Context, Result, bail};
pub(crate) use buckets::Bucket;
use buckets::BucketPolicy;
use intrinsics::Resolver;
use parameters::upper_camel;
pub(crate) use policy::{Statement, granted};
pub(crate) use resources::{
    Api, Cors, Event, Function, Queue, Route, Rule, RuleState, Schedule, Secret, Source, Table, Target,
    Throttle, default_bus,
};
use serde::{Deserialize, de::DeserializeOwned};
pub(crate) use streams::StreamSource;
use yaml_serde::Value as Yaml;

use crate::lock::lock;

const DEPLOYED: &str = include_str!("../../../../template.yaml");

/// Parsed templates, by text. Parsing is slow, and a test process starts about 1,000 stacks from a few templates.
static PARSED: Mutex<BTreeMap<String, Arc<Document>>> = Mutex::new(BTreeMap::new());

/// The template's resources. References are resolved.
#[derive(Default)]
pub(crate) struct Template {
    pub(crate) api: Api,
    pub(crate) functions: BTreeMap<String, Function>,
    pub(crate) buckets: Vec<Bucket>,
    pub(crate) queues: Vec<Queue>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) schedules: Vec<Schedule>,
    pub(crate) secrets: Vec<Secret>,
    pub(crate) tables: Vec<Table>,
}

pub(crate) struct Inputs<'a> {
    pub(crate) url: &'a str,
    pub(crate) aws_url: &'a str,
    pub(crate) variables: &'a BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Document {
    #[serde(default)]
    parameters: BTreeMap<String, parameters::Parameter>,
    #[serde(default)]
    conditions: HashMap<String, Yaml>,
    #[serde(default)]
    globals: Yaml,
    resources: BTreeMap<String, Resource>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Resource {
    r#type: String,
    condition: Option<String>,
    #[serde(default)]
    metadata: Yaml,
    #[serde(default)]
    properties: Yaml,
}

/// Returns whether a variable is a setting of the template. `None` selects the template of this checkout.
pub(crate) fn is_setting(text: Option<&str>, variable: &str) -> Result<bool> {
    let is_parameter = document(text)?.parameters.contains_key(&upper_camel(variable));
    Ok(is_parameter || parameters::WITHOUT_PARAMETER.contains(&variable))
}

fn document(text: Option<&str>) -> Result<Arc<Document>> {
    let text = text.unwrap_or(DEPLOYED);
    let mut parsed = lock(&PARSED);
    if let Some(document) = parsed.get(text) {
        return Ok(Arc::clone(document));
    }
    let document = Arc::new(parse(text).context("the template is not readable")?);
    parsed.insert(text.to_owned(), Arc::clone(&document));
    Ok(document)
}

fn parse(text: &str) -> Result<Document> {
    let mut document: Yaml = yaml_serde::from_str(text)?;
    if let Some(resources) = document.get_mut("Resources").and_then(Yaml::as_mapping_mut) {
        *resources = loops::unroll(std::mem::take(resources))?;
    }
    Ok(yaml_serde::from_value(document)?)
}

impl Template {
    /// Reads a template. `None` selects the template of this checkout.
    pub(crate) fn read(text: Option<&str>, inputs: Inputs<'_>) -> Result<Self> {
        let document = document(text)?;
        let resolver = Resolver::new(&document, inputs)?;
        let globals = resolver.resolve(&document.globals)?;
        let mut template = Self::default();
        for (id, resource) in &document.resources {
            if let Some(condition) = &resource.condition
                && !resolver.condition(condition)?
            {
                continue;
            }
            template.add(id, resource, &resolver, &globals).with_context(|| format!("resource {id}"))?;
        }
        for (id, resource) in &document.resources {
            let connected = match resource.r#type.as_str() {
                "AWS::Lambda::EventSourceMapping" => template.add_mapping(id, resource, &resolver),
                "AWS::S3::BucketPolicy" => template.apply_policy(&typed(&resolver, resource)?),
                _ => Ok(()),
            };
            connected.with_context(|| format!("resource {id}"))?;
        }
        template.check()?;
        Ok(template)
    }

    fn add(
        &mut self,
        id: &str,
        resource: &Resource,
        resolver: &Resolver<'_>,
        globals: &serde_json::Value,
    ) -> Result<()> {
        match resource.r#type.as_str() {
            "AWS::Serverless::HttpApi" => self.api = typed(resolver, resource)?,
            "AWS::Serverless::Function" => {
                let metadata = resolver.resolve(&resource.metadata)?;
                let mut function =
                    Function::read(resolver.resolve(&resource.properties)?, &metadata, globals)?;
                function.statements = policy::statements(&resource.properties, resolver)?;
                resolver.override_environment(&mut function.environment);
                self.functions.insert(id.to_owned(), function);
            }
            "AWS::S3::Bucket" => {
                self.buckets.push(Bucket { name: resolver.name(id), ..typed(resolver, resource)? });
            }
            "AWS::SecretsManager::Secret" => {
                self.secrets.push(Secret { name: resolver.name(id), ..typed(resolver, resource)? });
            }
            "AWS::SQS::Queue" => {
                self.queues.push(Queue { name: resolver.name(id), ..typed(resolver, resource)? });
            }
            "AWS::DynamoDB::Table" => {
                self.tables.push(Table { name: resolver.name(id), ..typed(resolver, resource)? });
            }
            "AWS::Events::Rule" => self.rules.push(typed(resolver, resource)?),
            "AWS::Scheduler::Schedule" => {
                self.schedules.push(Schedule { name: resolver.name(id), ..typed(resolver, resource)? });
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the queue or stream of an event-source mapping to its function.
    fn add_mapping(&mut self, id: &str, mapping: &Resource, resolver: &Resolver<'_>) -> Result<()> {
        let function = mapping.properties.get("FunctionName").and_then(intrinsics::referenced_id);
        let function = function
            .and_then(|id| self.functions.get_mut(id))
            .context("FunctionName is not in the template")?;
        let source = mapping.properties.get("EventSourceArn").map(|arn| resolver.resolve(arn)).transpose()?;
        let event = match source.as_ref().and_then(serde_json::Value::as_str) {
            Some(arn) if arn.contains("/stream/") => Event::DynamoDb(typed(resolver, mapping)?),
            _ => Event::Sqs(typed(resolver, mapping)?),
        };
        function.events.insert(id.to_owned(), event);
        Ok(())
    }

    /// Makes the objects public that a bucket's policy allows CloudFront to read.
    fn apply_policy(&mut self, policy: &BucketPolicy) -> Result<()> {
        let bucket = self.buckets.iter_mut().find(|bucket| bucket.name == policy.bucket);
        bucket.context("the policy's bucket is not in the template")?.apply(policy);
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let named = |arn: &str| self.queues.iter().any(|queue| arn.ends_with(&format!(":{}", queue.name)));
        let redrives = self.queues.iter().filter_map(|queue| queue.redrive_policy.as_ref());
        let sources = self.functions.values().flat_map(|function| function.events.values());
        let mut arns = redrives
            .map(|redrive| redrive.dead_letter_target_arn.as_str())
            .chain(sources.filter_map(Event::queue))
            .chain(self.rules.iter().flat_map(|rule| &rule.targets).map(|target| target.arn.as_str()))
            .chain(self.buckets.iter().flat_map(Bucket::queues));
        if let Some(arn) = arns.find(|arn| !named(arn)) {
            bail!("{arn} is not a queue of the template");
        }
        streams(&self.functions).try_for_each(|(_, _, source)| self.check_stream(source, &named))
    }

    fn check_stream(&self, source: &StreamSource, is_queue: &impl Fn(&str) -> bool) -> Result<()> {
        if !self.tables.iter().any(|table| Some(table.name.as_str()) == source.table()) {
            bail!("{} is not a stream of the template's tables", source.stream);
        }
        let is_bucket =
            |arn: &str| self.buckets.iter().any(|bucket| arn == format!("arn:aws:s3:::{}", bucket.name));
        match source.on_failure() {
            Some(arn) if !is_queue(arn) && !is_bucket(arn) => {
                bail!("{arn} is not a queue or bucket of the template")
            }
            _ => Ok(()),
        }
    }
}

/// Returns each function's stream triggers: function name, event name and stream.
pub(crate) fn streams(
    functions: &BTreeMap<String, Function>,
) -> impl Iterator<Item = (&str, &str, &StreamSource)> {
    functions.iter().flat_map(|(name, function)| {
        let stream = |(id, event)| Some((name.as_str(), String::as_str(id), Event::stream(event)?));
        function.events.iter().filter_map(stream)
    })
}

fn typed<T: DeserializeOwned>(resolver: &Resolver<'_>, resource: &Resource) -> Result<T> {
    let properties = match resolver.resolve(&resource.properties)? {
        serde_json::Value::Null => serde_json::json!({}),
        properties => properties,
    };
    Ok(serde_json::from_value(properties)?)
}

#[cfg(test)]
mod tests;
