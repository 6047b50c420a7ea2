//! The IAM policies of functions.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use yaml_serde::Value as Yaml;

use super::{
    condition::{self, Condition, Values, matches},
    intrinsics::{Resolver, referenced_id, text},
};
use crate::account::name_in;

pub(crate) struct Statement {
    effect: Effect,
    actions: Vec<String>,
    grants: Vec<Grant>,
    conditions: Vec<Condition>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
enum Effect {
    Allow,
    Deny,
}

/// A resource on which a statement allows actions.
pub(crate) struct Grant {
    arn: String,
    /// The resource's name in the template, for example `Table/index/gsi1`.
    pub(crate) label: String,
    /// Whether the grant depends on a condition in the template.
    pub(crate) conditional: bool,
}

/// Returns the grant for an action on a resource, or `None` if no statement allows the action. A statement with the effect
/// `Deny` takes precedence.
pub(crate) fn granted<'a>(
    statements: &'a [Statement],
    (action, arn): (&str, &str),
    values: &Values<'_>,
) -> Option<&'a Grant> {
    let matching = |effect| {
        let mut statements = statements.iter().filter(move |statement| statement.effect == effect);
        statements.find_map(|statement| statement.matching(action, arn, values))
    };
    matching(Effect::Allow).filter(|_| matching(Effect::Deny).is_none())
}

impl Statement {
    fn matching(&self, action: &str, arn: &str, values: &Values<'_>) -> Option<&Grant> {
        let has_action = self.actions.iter().any(|pattern| matches(pattern, action));
        let grant = self.grants.iter().find(|grant| has_action && matches(&grant.arn, arn))?;
        self.conditions.iter().all(|condition| condition.holds(values)).then_some(grant)
    }
}

pub(super) fn statements(function: &Yaml, resolver: &Resolver<'_>) -> Result<Vec<Statement>> {
    let Some(role) = function.get("Role").and_then(referenced_id) else { return Ok(Vec::new()) };
    let role = resolver.properties(role)?;
    let managed = role.get("ManagedPolicyArns").into_iter().flat_map(list).map(|arn| {
        let policy = referenced_id(arn).context("a policy is not in the template")?;
        resolver.properties(policy)
    });
    let inline = role.get("Policies").into_iter().flat_map(list).map(Ok);
    let mut statements = Vec::new();
    for policy in managed.chain(inline) {
        let Some((policy, policy_conditional)) = evaluate(policy?, resolver)? else { continue };
        let document = policy.get("PolicyDocument").and_then(|document| document.get("Statement"));
        for statement in list(document.context("a policy is not a list of statements")?) {
            let Some((statement, conditional)) = evaluate(statement, resolver)? else { continue };
            statements.push(read(statement, resolver, policy_conditional || conditional)?);
        }
    }
    Ok(statements)
}

fn read(statement: &Yaml, resolver: &Resolver<'_>, conditional: bool) -> Result<Statement> {
    let property = |name: &str| statement.get(name).with_context(|| format!("a statement has no {name}"));
    let grant = |resource: &Yaml| grant(resource, resolver, conditional).transpose();
    let block = statement.get("Condition").map(|block| resolver.resolve(block)).transpose()?;
    Ok(Statement {
        effect: yaml_serde::from_value(property("Effect")?.clone()).context("the effect of a statement")?,
        actions: list(property("Action")?).filter_map(Yaml::as_str).map(str::to_owned).collect(),
        grants: list(property("Resource")?).filter_map(grant).collect::<Result<_>>()?,
        conditions: block.as_ref().map_or_else(|| Ok(Vec::new()), condition::conditions)?,
    })
}

fn grant(resource: &Yaml, resolver: &Resolver<'_>, conditional: bool) -> Result<Option<Grant>> {
    let Some((resource, resource_conditional)) = evaluate(resource, resolver)? else { return Ok(None) };
    let arn = text(&resolver.resolve(resource)?);
    Ok(Some(Grant { arn, label: label(resource), conditional: conditional || resource_conditional }))
}

/// Resolves `!If`. Returns the value, and whether the value depends on a condition. Returns `None` for `AWS::NoValue`.
fn evaluate<'a>(value: &'a Yaml, resolver: &Resolver<'_>) -> Result<Option<(&'a Yaml, bool)>> {
    let Yaml::Tagged(tagged) = value else { return Ok(Some((value, false))) };
    match (tagged.tag.to_string().as_str(), &tagged.value) {
        ("!Ref", target) if target.as_str() == Some("AWS::NoValue") => Ok(None),
        ("!If", Yaml::Sequence(parts)) => {
            let [condition, yes, no] = parts.as_slice() else {
                bail!("!If takes a condition and two values")
            };
            let holds = resolver.condition(condition.as_str().context("a condition must be a name")?)?;
            Ok(evaluate(if holds { yes } else { no }, resolver)?.map(|(value, _)| (value, true)))
        }
        _ => Ok(Some((value, false))),
    }
}

/// Shortens `!GetAtt TableArn.Value` to `Table`, and `!Sub "${TableArn.Value}/index/gsi1"` to `Table/index/gsi1`.
fn label(resource: &Yaml) -> String {
    let Yaml::Tagged(tagged) = resource else { return resource.as_str().unwrap_or_default().to_owned() };
    let text = tagged.value.as_str().unwrap_or_default();
    let text = text.replace("${", "").replace('}', "").replace("Arn.Value", "").replace(".Arn", "");
    name_in(&text).to_owned()
}

/// Returns the items of a list. A single value counts as a list with one item.
fn list(value: &Yaml) -> impl Iterator<Item = &Yaml> {
    match value {
        Yaml::Sequence(items) => items.iter(),
        Yaml::Null => [].iter(),
        one => std::slice::from_ref(one).iter(),
    }
}
