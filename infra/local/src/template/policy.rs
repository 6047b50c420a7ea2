//! What functions may do: the policies of their roles, and how the template puts it.

use anyhow::{Context, Result, bail};
use yaml_serde::Value as Yaml;

use super::intrinsics::{Resolver, referred, text};

/// Some actions on some resources.
pub(crate) struct Statement {
    actions: Vec<String>,
    grants: Vec<Grant>,
}

/// One resource of a statement.
pub(crate) struct Grant {
    arn: String,
    /// The resource as the template names it: `Table/index/gsi1`.
    pub(crate) label: String,
    /// Whether it is there under a condition only.
    pub(crate) conditional: bool,
}

impl Statement {
    /// What of it allows an action on a resource.
    pub(crate) fn grant(&self, action: &str, arn: &str) -> Option<&Grant> {
        let granted = self.actions.iter().any(|it| it == action);
        self.grants.iter().find(|it| granted && it.covers(arn))
    }
}

impl Grant {
    fn covers(&self, arn: &str) -> bool {
        match self.arn.strip_suffix('*') {
            Some(start) => arn.starts_with(start),
            None => arn == self.arn,
        }
    }
}

/// The statements of the policies that a function's role has, those of its own and those it shares.
pub(super) fn statements(function: &Yaml, resolver: &Resolver<'_>) -> Result<Vec<Statement>> {
    let Some(role) = function.get("Role").and_then(referred) else { return Ok(Vec::new()) };
    let role = resolver.properties(role)?;
    let shared = role.get("ManagedPolicyArns").into_iter().flat_map(list).map(|arn| {
        let policy = referred(arn).context("a policy is none of the template")?;
        resolver.properties(policy)
    });
    let own = role.get("Policies").into_iter().flat_map(list).map(Ok);
    let mut statements = Vec::new();
    for policy in shared.chain(own) {
        let Some((policy, sometimes)) = chosen(policy?, resolver)? else { continue };
        let document = policy.get("PolicyDocument").and_then(|it| it.get("Statement"));
        for statement in list(document.context("a policy is not a list of statements")?) {
            let Some((statement, conditional)) = chosen(statement, resolver)? else { continue };
            statements.push(read(statement, resolver, sometimes || conditional)?);
        }
    }
    Ok(statements)
}

fn read(statement: &Yaml, resolver: &Resolver<'_>, conditional: bool) -> Result<Statement> {
    let of = |name: &str| statement.get(name).with_context(|| format!("a statement has no {name}"));
    let grant = |it: &Yaml| grant(it, resolver, conditional).transpose();
    Ok(Statement {
        actions: list(of("Action")?).filter_map(Yaml::as_str).map(str::to_owned).collect(),
        grants: list(of("Resource")?).filter_map(grant).collect::<Result<_>>()?,
    })
}

fn grant(resource: &Yaml, resolver: &Resolver<'_>, conditional: bool) -> Result<Option<Grant>> {
    let Some((resource, sometimes)) = chosen(resource, resolver)? else { return Ok(None) };
    let arn = text(&resolver.resolve(resource)?);
    Ok(Some(Grant { arn, label: label(resource), conditional: conditional || sometimes }))
}

/// A policy, a statement or a resource, and whether it is there under a condition only; none where that does not
/// hold.
fn chosen<'a>(value: &'a Yaml, resolver: &Resolver<'_>) -> Result<Option<(&'a Yaml, bool)>> {
    let Yaml::Tagged(tagged) = value else { return Ok(Some((value, false))) };
    match (tagged.tag.to_string().as_str(), &tagged.value) {
        ("!Ref", nothing) if nothing.as_str() == Some("AWS::NoValue") => Ok(None),
        ("!If", Yaml::Sequence(parts)) => {
            let [condition, yes, no] = parts.as_slice() else {
                bail!("!If takes a condition and two values")
            };
            let holds = resolver.condition(condition.as_str().context("a condition is a name")?)?;
            Ok(chosen(if holds { yes } else { no }, resolver)?.map(|(it, _)| (it, true)))
        }
        _ => Ok(Some((value, false))),
    }
}

/// `!GetAtt TableArn.Value` is `Table`, `!Sub "${TableArn.Value}/index/gsi1"` is `Table/index/gsi1`.
fn label(resource: &Yaml) -> String {
    let Yaml::Tagged(tagged) = resource else { return resource.as_str().unwrap_or_default().to_owned() };
    let text = tagged.value.as_str().unwrap_or_default();
    let text = text.replace("${", "").replace('}', "").replace("Arn.Value", "").replace(".Arn", "");
    text.rsplit(':').next().unwrap_or_default().to_owned()
}

/// One or many.
fn list(value: &Yaml) -> impl Iterator<Item = &Yaml> {
    match value {
        Yaml::Sequence(items) => items.iter(),
        Yaml::Null => [].iter(),
        one => std::slice::from_ref(one).iter(),
    }
}
