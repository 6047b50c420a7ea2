//! What functions may do: the policies of their roles, and how the template puts it.

use anyhow::{Context, Result, bail};
use yaml_serde::Value as Yaml;

use super::intrinsics::{Resolver, referred, text};

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
        let document = policy?.get("PolicyDocument").and_then(|it| it.get("Statement"));
        for statement in list(document.context("a policy is not a list of statements")?) {
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
    let grant = |it: &Yaml| {
        let arn = resolver.resolve(it)?;
        Ok((!arn.is_null()).then(|| Grant { arn: text(&arn), label: label(it) }))
    };
    let grants = list(of("Resource")?).map(grant).filter_map(Result::transpose);
    Ok(Some(Statement {
        actions: list(of("Action")?).filter_map(Yaml::as_str).map(str::to_owned).collect(),
        grants: grants.collect::<Result<_>>()?,
        conditional,
    }))
}

fn chosen(parts: &[Yaml], resolver: &Resolver<'_>) -> Result<Option<Statement>> {
    let [condition, yes, no] = parts else { bail!("!If takes a condition and two statements") };
    let holds = resolver.condition(condition.as_str().context("a condition is a name")?)?;
    read(if holds { yes } else { no }, resolver, true)
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
