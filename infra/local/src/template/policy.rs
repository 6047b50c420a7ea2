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
        for statement in list(policy.get("Statement").context("a policy is not a list of statements")?) {
            statements.extend(read(statement, resolver, false)?);
        }
    }
    Ok(statements)
}

fn read(statement: &Yaml, resolver: &Resolver<'_>, conditional: bool) -> Result<Option<Statement>> {
    if let Yaml::Tagged(tagged) = statement {
        return match (tagged.tag.to_string().as_str(), &tagged.value) {
            ("!If", Yaml::Sequence(parts)) => chosen(parts, resolver),
            ("!Ref", _) => Ok(None),
            (other, _) => bail!("{other} is no statement"),
        };
    }
    let of = |name: &str| statement.get(name).with_context(|| format!("a statement has no {name}"));
    let grant = |it: &Yaml| Ok(Grant { arn: text(&resolver.resolve(it)?), label: label(it) });
    Ok(Some(Statement {
        actions: list(of("Action")?).filter_map(Yaml::as_str).map(str::to_owned).collect(),
        grants: list(of("Resource")?).map(grant).collect::<Result<_>>()?,
        conditional,
    }))
}

fn chosen(parts: &[Yaml], resolver: &Resolver<'_>) -> Result<Option<Statement>> {
    let [condition, yes, no] = parts else { bail!("!If takes a condition and two statements") };
    let holds = resolver.condition(condition.as_str().context("a condition is a name")?)?;
    read(if holds { yes } else { no }, resolver, true)
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
