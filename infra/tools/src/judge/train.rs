//! Trains the embedded judge. Reads `training.tsv` and writes `weights.tsv`. The result is the same in every run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
};

use anyhow::{Context, Result};
use domain::judge::embedded::{LABELS, Label, Scores, features, is_evidence, plain, scale};

use super::lines::{Line, path, read};

const EPOCHS: usize = 12;
const LEARNING_RATE: f64 = 0.25;
/// Weight decay, which reduces the weight of features with few examples.
const DECAY: f64 = 1e-3;
/// Weight decay of words outside the lexicon, which indicate a theme rather than harm.
const WORD_DECAY: f64 = 1e-2;
/// Minimum number of texts that contain a feature.
const EXAMPLES_MIN: usize = 4;
/// Minimum absolute weight of a feature in the output, in hundredths.
const WEIGHT_MIN: i16 = 25;
/// Number of folds of the cross-validation by theme.
const FOLDS: usize = 5;
/// Number of training steps per sample of the weights. The result is the mean of the samples.
const SAMPLE_STEPS: usize = 500;
/// Distance between consecutive indexes in [`order`]. A prime number, so that all indexes occur.
const STRIDE: usize = 7919;
/// Maximum share of harmless lines that are judged harmful. It is high, because many of these lines mislead the judge on
/// purpose.
const WRONG_MAX: f64 = 0.1;

struct Example {
    label: usize,
    fold: usize,
    evidence: Vec<usize>,
    words: Vec<usize>,
}

/// Weights by index of the feature, and by label.
type Weights = Vec<[f64; LABELS]>;

/// State of the training with AdaGrad.
struct Trainer {
    weights: Weights,
    /// Sum of the squared gradients of each weight.
    squares: Weights,
}

/// Trains on `training.tsv`, and writes `weights.tsv`.
pub(crate) fn train() -> Result<()> {
    let lines = read(&path("training.tsv"))?;
    let names = vocabulary(&lines);
    let examples = examples(&lines, &names);
    let shift = calibration(&examples, names.len());
    let learned = learn(examples.iter(), names.len());
    let text = format_weights(&names, &learned, shift)?;
    println!("{} lines, {} features, shift {shift:.1}", lines.len(), text.lines().count());
    fs::write(path("weights.tsv"), text).context("weights.tsv")
}

/// Returns a text with and without diacritics, because many users omit diacritics.
fn spellings(text: &str) -> BTreeSet<String> {
    [text.to_owned(), plain(&text.to_lowercase())].into()
}

/// Returns each frequent feature, with its index in the weights. Index 0 is the bias.
fn vocabulary(lines: &[Line]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::<_, usize>::new();
    for text in lines.iter().flat_map(|line| spellings(&line.text)) {
        for feature in features(&text) {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let common = counts.into_iter().filter(|(_, count)| *count >= EXAMPLES_MIN);
    common.enumerate().map(|(index, (feature, _))| (feature, index + 1)).collect()
}

/// Returns the training examples. Each line results in two texts: the line alone, and the line after a harmless line.
/// If the line attacks a person, a third text has the line after a curse. Each text occurs in both spellings.
fn examples(lines: &[Line], names: &BTreeMap<String, usize>) -> Vec<Example> {
    let themes: BTreeSet<_> = lines.iter().map(|line| line.theme.as_str()).collect();
    let fold = |line: &Line| themes.iter().position(|theme| *theme == line.theme).unwrap_or_default() % FOLDS;
    let texts_of = |label: Label| -> Vec<Vec<&str>> {
        let in_fold =
            |index: usize| lines.iter().filter(move |line| line.label == label && fold(line) == index);
        (0..FOLDS).map(|index| in_fold(index).map(|line| line.text.as_str()).collect()).collect()
    };
    let (harmless, curses) = (texts_of(Label::Normal), texts_of(Label::Profanity));
    let of_line = |(index, line): (usize, &Line)| {
        let after = |texts: &[Vec<&str>]| {
            let prefixes = &texts[fold(line)];
            prefixes
                .get(index * STRIDE % prefixes.len().max(1))
                .map(|prefix| format!("{prefix} {}", line.text))
        };
        let cursed = if is_attack(line.label) { after(&curses) } else { None };
        let texts = [Some(line.text.clone()), after(&harmless), cursed].into_iter().flatten();
        let texts: Vec<_> = texts.flat_map(|text| spellings(&text)).collect();
        texts.iter().map(|text| example(line.label, fold(line), text, names)).collect::<Vec<_>>()
    };
    lines.iter().enumerate().flat_map(of_line).collect()
}

fn is_attack(label: Label) -> bool {
    matches!(label, Label::Abuse | Label::Hate | Label::Threat)
}

fn example(label: Label, fold: usize, text: &str, names: &BTreeMap<String, usize>) -> Example {
    let (evidence, words): (Vec<_>, Vec<_>) =
        features(text).into_iter().partition(|feature| is_evidence(feature));
    let indexes =
        |features: Vec<String>| features.iter().filter_map(|name| names.get(name).copied()).collect();
    Example { label: label as usize, fold, evidence: indexes(evidence), words: indexes(words) }
}

impl Example {
    /// Returns the index and the factor of each weight that the example uses.
    fn factors(&self) -> impl Iterator<Item = (usize, f64)> {
        let scale = scale(self.words.len());
        let evidence = self.evidence.iter().map(|index| (*index, 1.0));
        std::iter::once((0, 1.0)).chain(evidence).chain(self.words.iter().map(move |index| (*index, scale)))
    }

    fn sums(&self, weights: &[[f64; LABELS]]) -> [f64; LABELS] {
        let mut sums = [0.0; LABELS];
        for (index, factor) in self.factors() {
            for (sum, weight) in sums.iter_mut().zip(weights[index]) {
                *sum += weight * factor;
            }
        }
        sums
    }
}

/// Trains the weights of the bias and of `features` features. Returns the mean weights of the second half of the
/// training.
fn learn<'a>(examples: impl Iterator<Item = &'a Example>, features: usize) -> Weights {
    let examples: Vec<_> = examples.collect();
    let zeros = vec![[0.0; LABELS]; features + 1];
    let mut trainer = Trainer { weights: zeros.clone(), squares: zeros.clone() };
    let mut mean = zeros;
    let order: Vec<_> = (0..EPOCHS).flat_map(|_| order(examples.len())).collect();
    let (first, second) = order.split_at(order.len() / 2);
    first.iter().for_each(|index| trainer.step(examples[*index]));
    let samples = second.chunks(SAMPLE_STEPS);
    let share = 1.0 / samples.len() as f64;
    for sample in samples {
        sample.iter().for_each(|index| trainer.step(examples[*index]));
        for (mean, weight) in mean.iter_mut().flatten().zip(trainer.weights.iter().flatten()) {
            *mean += weight * share;
        }
    }
    mean
}

/// Returns the indexes of all examples in steps of [`STRIDE`], so that labels alternate.
fn order(examples: usize) -> impl Iterator<Item = usize> {
    (0..examples).map(move |step| step * STRIDE % examples)
}

impl Trainer {
    /// Makes one step of gradient descent with an example.
    fn step(&mut self, example: &Example) {
        let scores = Scores::of_sums(example.sums(&self.weights));
        for (index, factor) in example.factors() {
            let decay = if factor < 1.0 { WORD_DECAY } else { DECAY };
            for (label, score) in scores.values().iter().enumerate() {
                let error = f64::from(u8::from(label == example.label)) - score;
                let weight = &mut self.weights[index][label];
                let gradient = error * factor - decay * *weight;
                let square = &mut self.squares[index][label];
                *square += gradient * gradient;
                *weight += LEARNING_RATE * gradient / (square.sqrt() + 1e-6);
            }
        }
    }
}

/// Whether an example is harmful, and its sum of weights for each label. The model was trained without the example's
/// fold.
type Measured = Vec<(bool, [f64; LABELS])>;

/// Returns the number to add to the sum for the label `normal`, so that at most [`WRONG_MAX`] of the harmless held-out
/// lines are judged harmful.
fn calibration(examples: &[Example], features: usize) -> f64 {
    let mut measured = Measured::new();
    for fold in 0..FOLDS {
        let learned = learn(examples.iter().filter(|example| example.fold != fold), features);
        let held_out = examples.iter().filter(|example| example.fold == fold);
        measured.extend(held_out.map(|example| (example.label != 0, example.sums(&learned))));
    }
    let mut shifts = (-40..=40).map(|tenths| f64::from(tenths) / 10.0);
    let shift = shifts.find(|shift| share(&measured, *shift, false) <= WRONG_MAX).unwrap_or_default();
    let (found, wrong) = (share(&measured, shift, true), share(&measured, shift, false));
    println!(
        "held-out themes: the model alone finds {found:.2} of the harmful lines, and judges {wrong:.3} of the harmless lines harmful"
    );
    shift
}

/// Returns the share of harmful or harmless lines that are judged harmful. Adds `shift` to the sum for the label
/// `normal`.
fn share(measured: &Measured, shift: f64, is_harmful: bool) -> f64 {
    let lines: Vec<_> = measured.iter().filter(|(harmful, _)| *harmful == is_harmful).collect();
    let above = lines.iter().filter(|(_, sums)| {
        let mut sums = *sums;
        sums[0] += shift;
        Scores::of_sums(sums).harm() >= 0.5
    });
    above.count() as f64 / lines.len().max(1) as f64
}

fn format_weights(names: &BTreeMap<String, usize>, weights: &[[f64; LABELS]], shift: f64) -> Result<String> {
    let mut text = String::new();
    let bias = [(String::new(), 0)];
    for (name, index) in bias.iter().map(|(name, index)| (name, index)).chain(names) {
        let mut sums = weights[*index];
        if name.is_empty() {
            sums[0] += shift;
        }
        let hundredths = sums.map(|weight| (weight * 100.0).round() as i16);
        if name.is_empty() || hundredths.iter().any(|weight| weight.abs() >= WEIGHT_MIN) {
            let cells: Vec<_> = hundredths.iter().map(i16::to_string).collect();
            writeln!(text, "{name}\t{}", cells.join("\t"))?;
        }
    }
    Ok(text)
}
