//! Trains the embedded judge: from `training.tsv` to `weights.tsv`, the same bytes every time.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
};

use anyhow::{Context, Result};
use domain::judge::embedded::{LABELS, Label, Scores, features, is_evidence, plain, scale};

use super::lines::{Line, path, read};

const ROUNDS: usize = 12;
const STEP: f64 = 0.25;
/// Pulls weights towards zero: what few examples say counts little.
const DECAY: f64 = 1e-3;
/// The same for words outside the lexicon, which say more about the theme than about the harm.
const WORD_DECAY: f64 = 2e-2;
/// A feature of fewer examples is chance.
const EXAMPLES_MIN: usize = 5;
/// Hundredths below which a feature's weights say nothing.
const WEIGHT_MIN: i16 = 15;
/// How many times the judge learns from all themes but some, and is measured on those.
const FOLDS: usize = 5;
/// After so many steps the weights count towards their mean.
const STRETCH: usize = 500;
/// A far step through a list that comes to every place.
const STRIDE: usize = 7919;
/// What share of the harmless lines, many of which were written to mislead, may be called bad. Of what strangers write,
/// half as many are.
const WRONG_MAX: f64 = 0.12;

struct Example {
    label: usize,
    fold: usize,
    evidence: Vec<usize>,
    words: Vec<usize>,
}

/// The weights of each feature and label.
type Weights = Vec<[f64; LABELS]>;

/// The weights, and the sums of their squared slopes, which shorten the steps.
struct Learned {
    weights: Weights,
    slopes: Weights,
}

/// Learns from the examples and writes the weights beside them.
pub(crate) fn train() -> Result<()> {
    let lines = read(&path("training.tsv"))?;
    let names = vocabulary(&lines);
    let examples = examples(&lines, &names);
    let shift = calibration(&examples, names.len());
    let learned = learn(examples.iter(), names.len());
    let text = show(&names, &learned, shift)?;
    println!("{} lines, {} features, shift {shift:.1}", lines.len(), text.lines().count());
    fs::write(path("weights.tsv"), text).context("weights.tsv")
}

/// Returns a text as it is and, where that is another text, without its diacritics: many write so.
fn spellings(text: &str) -> BTreeSet<String> {
    [text.to_owned(), plain(&text.to_lowercase())].into()
}

/// Returns the features that are learned, in order, with their places.
fn vocabulary(lines: &[Line]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::<_, usize>::new();
    for text in lines.iter().flat_map(|it| spellings(&it.text)) {
        for feature in features(&text) {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let common = counts.into_iter().filter(|(_, count)| *count >= EXAMPLES_MIN);
    common.enumerate().map(|(place, (feature, _))| (feature, place + 1)).collect()
}

/// Returns each line in its spellings, alone, behind a harmless line of its fold, and behind a curse: what is bad stays
/// as bad there.
fn examples(lines: &[Line], names: &BTreeMap<String, usize>) -> Vec<Example> {
    let themes: BTreeSet<_> = lines.iter().map(|it| it.theme.as_str()).collect();
    let fold = |line: &Line| themes.iter().position(|it| *it == line.theme).unwrap_or_default() % FOLDS;
    let texts_of = |label: Label| -> Vec<Vec<&str>> {
        let texts = |at: usize| lines.iter().filter(move |it| it.label == label && fold(it) == at);
        (0..FOLDS).map(|at| texts(at).map(|it| it.text.as_str()).collect()).collect()
    };
    let (harmless, curses) = (texts_of(Label::Normal), texts_of(Label::Profanity));
    let of_line = |(at, line): (usize, &Line)| {
        let behind = |texts: &[Vec<&str>]| {
            let before = &texts[fold(line)];
            before.get(at * STRIDE % before.len().max(1)).map(|it| format!("{it} {}", line.text))
        };
        let cursed = if is_aimed(line.label) { behind(&curses) } else { None };
        let texts = [Some(line.text.clone()), behind(&harmless), cursed].into_iter().flatten();
        let texts: Vec<_> = texts.flat_map(|it| spellings(&it)).collect();
        texts.iter().map(|it| example(line.label, fold(line), it, names)).collect::<Vec<_>>()
    };
    lines.iter().enumerate().flat_map(of_line).collect()
}

fn is_aimed(label: Label) -> bool {
    matches!(label, Label::Abuse | Label::Hate | Label::Threat)
}

fn example(label: Label, fold: usize, text: &str, names: &BTreeMap<String, usize>) -> Example {
    let (evidence, words): (Vec<_>, Vec<_>) = features(text).into_iter().partition(|it| is_evidence(it));
    let places = |of: Vec<String>| of.iter().filter_map(|it| names.get(it).copied()).collect();
    Example { label: label as usize, fold, evidence: places(evidence), words: places(words) }
}

impl Example {
    /// Returns the places of its weights, each with the factor by which it counts.
    fn factors(&self) -> impl Iterator<Item = (usize, f64)> {
        let scale = scale(self.words.len());
        let evidence = self.evidence.iter().map(|it| (*it, 1.0));
        std::iter::once((0, 1.0)).chain(evidence).chain(self.words.iter().map(move |it| (*it, scale)))
    }

    fn sums(&self, weights: &[[f64; LABELS]]) -> [f64; LABELS] {
        let mut sums = [0.0; LABELS];
        for (place, factor) in self.factors() {
            for (sum, weight) in sums.iter_mut().zip(weights[place]) {
                *sum += weight * factor;
            }
        }
        sums
    }
}

/// Learns weights for so many features, and for the bias in front of them: their mean over the second half of the rounds,
/// so that little hangs on which example came last.
fn learn<'a>(examples: impl Iterator<Item = &'a Example>, features: usize) -> Weights {
    let examples: Vec<_> = examples.collect();
    let zeros = vec![[0.0; LABELS]; features + 1];
    let mut learned = Learned { weights: zeros.clone(), slopes: zeros.clone() };
    let mut mean = zeros;
    let order: Vec<_> = (0..ROUNDS).flat_map(|_| order(examples.len())).collect();
    let (first, second) = order.split_at(order.len() / 2);
    first.iter().for_each(|at| learned.step(examples[*at]));
    let stretches = second.chunks(STRETCH);
    let share = 1.0 / stretches.len() as f64;
    for stretch in stretches {
        stretch.iter().for_each(|at| learned.step(examples[*at]));
        for (mean, weight) in mean.iter_mut().flatten().zip(learned.weights.iter().flatten()) {
            *mean += weight * share;
        }
    }
    mean
}

/// Far steps through the examples, so that the labels take turns.
fn order(examples: usize) -> impl Iterator<Item = usize> {
    (0..examples).map(move |it| it * STRIDE % examples)
}

impl Learned {
    /// One step down the slope of the error.
    fn step(&mut self, example: &Example) {
        let scores = Scores::of_sums(example.sums(&self.weights));
        for (place, factor) in example.factors() {
            let decay = if factor < 1.0 { WORD_DECAY } else { DECAY };
            for (label, score) in scores.values().iter().enumerate() {
                let error = f64::from(u8::from(label == example.label)) - score;
                let weight = &mut self.weights[place][label];
                let slope = error * factor - decay * *weight;
                let past = &mut self.slopes[place][label];
                *past += slope * slope;
                *weight += STEP * slope / (past.sqrt() + 1e-6);
            }
        }
    }
}

/// What themes made of the model that had not learned from them: whether a line is bad, and its sums.
type Measured = Vec<(bool, [f64; LABELS])>;

/// Returns what to add to the sum of `normal`, so that as many of the harmless lines as may be are called bad on themes
/// that were not learned from.
fn calibration(examples: &[Example], features: usize) -> f64 {
    let mut measured = Measured::new();
    for fold in 0..FOLDS {
        let learned = learn(examples.iter().filter(|it| it.fold != fold), features);
        let held_out = examples.iter().filter(|it| it.fold == fold);
        measured.extend(held_out.map(|it| (it.label != 0, it.sums(&learned))));
    }
    let mut shifts = (-40..=40).map(|it| f64::from(it) / 10.0);
    let shift = shifts.find(|it| share(&measured, *it, false) <= WRONG_MAX).unwrap_or_default();
    let (found, wrong) = (share(&measured, shift, true), share(&measured, shift, false));
    println!(
        "on themes held out, the model alone calls {found:.2} of the bad bad and {wrong:.3} of the others"
    );
    shift
}

/// Returns the share of the bad lines, or of the others, that the shifted model calls bad.
fn share(measured: &Measured, shift: f64, bad: bool) -> f64 {
    let lines: Vec<_> = measured.iter().filter(|(it, _)| *it == bad).collect();
    let above = lines.iter().filter(|(_, sums)| {
        let mut sums = *sums;
        sums[0] += shift;
        Scores::of_sums(sums).harm() >= 0.5
    });
    above.count() as f64 / lines.len().max(1) as f64
}

fn show(names: &BTreeMap<String, usize>, weights: &[[f64; LABELS]], shift: f64) -> Result<String> {
    let mut text = String::new();
    let bias = [(String::new(), 0)];
    for (name, place) in bias.iter().map(|(name, place)| (name, place)).chain(names) {
        let mut sums = weights[*place];
        if name.is_empty() {
            sums[0] += shift;
        }
        let hundredths = sums.map(|it| (it * 100.0).round() as i16);
        if name.is_empty() || hundredths.iter().any(|it| it.abs() >= WEIGHT_MIN) {
            let cells: Vec<_> = hundredths.iter().map(i16::to_string).collect();
            writeln!(text, "{name}\t{}", cells.join("\t"))?;
        }
    }
    Ok(text)
}
