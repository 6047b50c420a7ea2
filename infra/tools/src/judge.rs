//! Trains the embedded judge: from `training.tsv` to `weights.tsv`, the same bytes every time.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow};
use domain::moderation::judge::embedded::{LABELS, Label, Scores, features, fold, scale, verdict};

const ROUNDS: usize = 300;
const STEP: f64 = 2.0;
/// Pulls weights towards zero: what few examples say counts little.
const DECAY: f64 = 2e-4;
/// A feature of fewer examples is chance.
const EXAMPLES_MIN: usize = 2;
/// Hundredths below which a feature's weights say nothing.
const WEIGHT_MIN: i16 = 12;

struct Example {
    category: usize,
    features: Vec<usize>,
}

type Weights = Vec<[f64; LABELS]>;

/// Learns from the examples and writes the weights beside them.
pub(crate) fn train() -> Result<()> {
    let lines = read(&path("training.tsv"))?;
    let names = vocabulary(&lines);
    let examples: Vec<_> = lines.iter().map(|it| example(it, &names)).collect();
    let mut weights: Weights = vec![[0.0; LABELS]; names.len() + 1];
    for _ in 0..ROUNDS {
        for at in order(examples.len()) {
            learn(&mut weights, &examples[at]);
        }
    }
    let text = show(&names, &weights)?;
    println!("{} examples, {} features", examples.len(), text.lines().count());
    fs::write(path("weights.tsv"), text).context("weights.tsv")
}

/// What the judge that is built into this binary makes of the examples that it did not learn from.
pub(crate) fn test() -> Result<()> {
    println!("category   examples   ≥ 0.96   ≥ 0.5");
    let lines = read(&path("heldout.tsv"))?;
    for category in Label::ALL {
        let of_category = lines.iter().filter(|(it, _)| *it == category);
        let all: Vec<_> = of_category.map(|(_, text)| (verdict(text).confidence.value(), text)).collect();
        let above = |line: f64| all.iter().filter(|(confidence, _)| *confidence >= line).count();
        println!("{:<10} {:>8} {:>8} {:>7}", category.to_string(), all.len(), above(0.96), above(0.5));
        for (confidence, text) in &all {
            if (*confidence >= 0.5) == (category == Label::Normal) {
                println!("    {confidence:.2}  {text}");
            }
        }
    }
    Ok(())
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/domain/data/judge").join(file)
}

fn read(path: &Path) -> Result<Vec<(Label, String)>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let line = |line: &str| {
        let (category, text) = line.split_once('\t').with_context(|| format!("no tab: {line}"))?;
        Ok((category.parse().map_err(|why| anyhow!("{category} {why}"))?, text.to_owned()))
    };
    text.lines().map(line).collect()
}

/// The features that are learned, in order, with their places.
fn vocabulary(lines: &[(Label, String)]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::<_, usize>::new();
    for (_, text) in lines {
        for feature in features(&fold(text)) {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let common = counts.into_iter().filter(|(_, count)| *count >= EXAMPLES_MIN);
    common.enumerate().map(|(target, (feature, _))| (feature, target + 1)).collect()
}

fn example((category, text): &(Label, String), names: &BTreeMap<String, usize>) -> Example {
    let features = features(&fold(text)).iter().filter_map(|it| names.get(it).copied()).collect();
    Example { category: *category as usize, features }
}

/// Far steps through the examples, so that the categories take turns.
fn order(examples: usize) -> impl Iterator<Item = usize> {
    const STRIDE: usize = 7919;
    (0..examples).map(move |it| it * STRIDE % examples)
}

/// One step down the slope of the error. Target 0 is the bias.
fn learn(weights: &mut Weights, example: &Example) {
    let scale = scale(example.features.len());
    let mut sums = weights[0];
    for feature in &example.features {
        for (sum, weight) in sums.iter_mut().zip(weights[*feature]) {
            *sum += weight * scale;
        }
    }
    let scores = Scores::of_sums(sums);
    for (category, score) in scores.values().iter().enumerate() {
        let error = f64::from(u8::from(category == example.category)) - score;
        weights[0][category] += 0.1 * STEP * error * 0.1;
        for feature in &example.features {
            let weight = &mut weights[*feature][category];
            *weight += STEP * (error * scale - DECAY * *weight);
        }
    }
}

fn show(names: &BTreeMap<String, usize>, weights: &Weights) -> Result<String> {
    let mut text = String::new();
    let bias = [(String::new(), 0)];
    for (name, target) in bias.iter().map(|(name, target)| (name, target)).chain(names) {
        let hundredths = weights[*target].map(|it| (it * 100.0).round() as i16);
        if name.is_empty() || hundredths.iter().any(|it| it.abs() >= WEIGHT_MIN) {
            let cells: Vec<_> = hundredths.iter().map(i16::to_string).collect();
            writeln!(text, "{name}\t{}", cells.join("\t"))?;
        }
    }
    Ok(text)
}
