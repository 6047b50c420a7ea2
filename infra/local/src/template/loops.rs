//! Unrolls `Fn::ForEach` loops.
//!
//! As in CloudFormation, the loop variable is replaced in keys, in `!Sub`, and in `!Ref`.

use anyhow::{Context, Result, bail};
use yaml_serde::{
    Mapping, Value as Yaml,
    value::{Tag, TaggedValue},
};

const LOOP: &str = "Fn::ForEach::";

/// Replaces each loop with the resources of all iterations.
pub(super) fn unroll(resources: Mapping) -> Result<Mapping> {
    let mut unrolled = Mapping::new();
    for (key, value) in resources {
        match key.as_str().and_then(|key| key.strip_prefix(LOOP)) {
            None => add(&mut unrolled, key, value)?,
            Some(name) => repeat(&mut unrolled, value).with_context(|| format!("the loop {name}"))?,
        }
    }
    Ok(unrolled)
}

fn repeat(unrolled: &mut Mapping, body: Yaml) -> Result<()> {
    let Yaml::Sequence(parts) = body else { bail!("is not a list") };
    let [Yaml::String(variable), Yaml::Sequence(names), Yaml::Mapping(resources)] = parts.as_slice() else {
        bail!("is not a variable, a list of names, and resources");
    };
    for name in names {
        let iteration = Iteration { variable, name: name.as_str().context("a name is not text")? };
        for (key, value) in resources {
            add(unrolled, iteration.key(key), iteration.fill(value))?;
        }
    }
    Ok(())
}

fn add(resources: &mut Mapping, key: Yaml, value: Yaml) -> Result<()> {
    let name = key.as_str().unwrap_or_default().to_owned();
    match resources.insert(key, value) {
        None => Ok(()),
        Some(_) => bail!("there are two resources {name}"),
    }
}

struct Iteration<'a> {
    variable: &'a str,
    name: &'a str,
}

impl Iteration<'_> {
    fn fill(&self, value: &Yaml) -> Yaml {
        match value {
            Yaml::Tagged(tagged) => self.function(&tagged.tag, &tagged.value),
            Yaml::Sequence(items) => items.iter().map(|item| self.fill(item)).collect::<Vec<_>>().into(),
            Yaml::Mapping(fields) => {
                let fields = fields.iter().map(|(key, value)| (self.key(key), self.fill(value)));
                Yaml::Mapping(fields.collect())
            }
            plain => plain.clone(),
        }
    }

    fn function(&self, tag: &Tag, argument: &Yaml) -> Yaml {
        match (tag.to_string().as_str(), argument.as_str()) {
            ("!Ref", Some(variable)) if variable == self.variable => self.name.into(),
            ("!Sub", Some(pattern)) => match self.text(pattern) {
                text if text.contains("${") => tagged(tag, text.into()),
                text => text.into(),
            },
            _ => tagged(tag, self.fill(argument)),
        }
    }

    fn key(&self, key: &Yaml) -> Yaml {
        key.as_str().map_or_else(|| key.clone(), |pattern| self.text(pattern).into())
    }

    fn text(&self, pattern: &str) -> String {
        pattern.replace(&format!("${{{}}}", self.variable), self.name)
    }
}

fn tagged(tag: &Tag, value: Yaml) -> Yaml {
    Yaml::Tagged(Box::new(TaggedValue { tag: tag.clone(), value }))
}
