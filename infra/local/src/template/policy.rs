//! The policies of functions: what is granted, and how the template puts it.

use anyhow::{Context, Result, bail};
use yaml_serde::Value as Yaml;

use super::intrinsics::{Resolver, text};

/// Some actions on some resources.
pub(crate) struct Statement {
    actions: Vec<String>,
    grants: Vec<Grant>,
    /// Whether it is there under a condition only.
    pub(crate) conditional: bool,
}

/// One resource of a statement.
pub(crate) struct Grant {
    arn: String,
    /// The resource as the template names it: `Table/index/gsi1`.
    pub(crate) label: String,
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

/// The statements of a function's `Policies`.
pub(super) fn statements(policies: &Yaml, resolver: &Resolver<'_>) -> Result<Vec<Statement>> {
    let mut statements = Vec::new();
    for policy in list(policies) {
        let Some((policy, sometimes)) = chosen(policy, resolver)? else { continue };
        for statement in list(policy.get("Statement").context("a policy is not a list of statements")?) {
            let Some((statement, conditional)) = chosen(statement, resolver)? else { continue };
            statements.push(read(statement, resolver, sometimes || conditional)?);
        }
    }
    Ok(statements)
}

fn read(statement: &Yaml, resolver: &Resolver<'_>, conditional: bool) -> Result<Statement> {
    let of = |name: &str| statement.get(name).with_context(|| format!("a statement has no {name}"));
    let grant = |it: &Yaml| Ok(Grant { arn: text(&resolver.resolve(it)?), label: label(it) });
    Ok(Statement {
        actions: list(of("Action")?).filter_map(Yaml::as_str).map(str::to_owned).collect(),
        grants: list(of("Resource")?).map(grant).collect::<Result<_>>()?,
        conditional,
    })
}

/// A policy or a statement, and whether it is there under a condition only; none where that does not hold.
fn chosen<'a>(value: &'a Yaml, resolver: &Resolver<'_>) -> Result<Option<(&'a Yaml, bool)>> {
    let Yaml::Tagged(tagged) = value else { return Ok(Some((value, false))) };
    match (tagged.tag.to_string().as_str(), &tagged.value) {
        ("!If", Yaml::Sequence(parts)) => {
            let [condition, yes, no] = parts.as_slice() else {
                bail!("!If takes a condition and two values")
            };
            let holds = resolver.condition(condition.as_str().context("a condition is a name")?)?;
            Ok(chosen(if holds { yes } else { no }, resolver)?.map(|(it, _)| (it, true)))
        }
        ("!Ref", _) => Ok(None),
        (other, _) => bail!("{other} is no policy and no statement"),
    }
}

/// `!GetAtt Table.Arn` is `Table`, `!Sub "${Table.Arn}/index/gsi1"` is `Table/index/gsi1`.
fn label(resource: &Yaml) -> String {
    let Yaml::Tagged(tagged) = resource else { return resource.as_str().unwrap_or_default().to_owned() };
    let text = tagged.value.as_str().unwrap_or_default();
    let text = text.replace("${", "").replace('}', "").replace(".Arn", "");
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
