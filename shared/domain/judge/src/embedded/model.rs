//! A linear model: a weight for each feature and label, summed and turned into probabilities.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use super::features;

/// The number of labels.
pub const LABELS: usize = 8;

/// The kind of a text. All but the first break the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Ordinary talk.
    Normal,
    /// Unwanted advertising, the same to everybody.
    Spam,
    /// An attempt to get money or secrets by deceit.
    Scam,
    /// Contempt for people for what they are.
    Hate,
    /// An announcement of violence.
    Threat,
    /// Sexual content or its sale.
    Sexual,
    /// Insults at somebody.
    Abuse,
    /// Swearing at nobody.
    Profanity,
}

impl Label {
    /// All labels, in the order of the weights.
    pub const ALL: [Self; LABELS] = [
        Self::Normal,
        Self::Spam,
        Self::Scam,
        Self::Hate,
        Self::Threat,
        Self::Sexual,
        Self::Abuse,
        Self::Profanity,
    ];
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Spam => "spam",
            Self::Scam => "scam",
            Self::Hate => "hate",
            Self::Threat => "threat",
            Self::Sexual => "sexual",
            Self::Abuse => "abuse",
            Self::Profanity => "profanity",
        })
    }
}

impl FromStr for Label {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|it| it.to_string() == name);
        found.ok_or("is no label")
    }
}

/// The probability of each label. Their sum is 1.
#[derive(Clone, Copy, Debug)]
pub struct Scores([f64; LABELS]);

impl Scores {
    /// Returns the probability that the text breaks the rules.
    pub fn harm(&self) -> f64 {
        1.0 - self.0[0]
    }

    /// Returns the probability that the text does somebody harm: swearing at nobody does none.
    pub fn malice(&self) -> f64 {
        self.harm() - self.0[Label::Profanity as usize]
    }

    /// Returns the most probable label.
    pub fn likeliest(&self) -> Label {
        let best = self.0.iter().zip(Label::ALL).max_by(|(left, _), (right, _)| left.total_cmp(right));
        best.map_or(Label::Normal, |(_, it)| it)
    }

    /// Returns the probabilities for the sums of weights: their softmax.
    pub fn of_sums(sums: [f64; LABELS]) -> Self {
        let highest = sums.iter().copied().fold(f64::MIN, f64::max);
        let powers = sums.map(|it| (it - highest).exp());
        let total: f64 = powers.iter().sum();
        Self(powers.map(|it| it / total))
    }

    /// Returns the probabilities, in the order of [`Label::ALL`].
    pub fn values(&self) -> &[f64; LABELS] {
        &self.0
    }
}

/// The weights of each feature in hundredths. The empty feature is the bias.
pub struct Model(HashMap<&'static str, [i16; LABELS]>);

static OURS: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("../../data/weights.tsv")));

impl Model {
    /// Returns the model that `make judge` trained. It is parsed once a process.
    pub fn ours() -> &'static Self {
        &OURS
    }

    /// Parses lines of a feature and its weights, with tabs between them.
    pub fn read(text: &'static str) -> Self {
        let line = |line: &'static str| {
            let mut cells = line.split('\t');
            let feature = cells.next()?;
            let mut weights = [0; LABELS];
            for weight in &mut weights {
                *weight = cells.next()?.parse().ok()?;
            }
            Some((feature, weights))
        };
        Self(text.lines().filter_map(line).collect())
    }

    /// Returns the scores of a text.
    pub fn scores(&self, text: &str) -> Scores {
        let features = features(text);
        let known = features.iter().filter_map(|it| Some((is_evidence(it), self.0.get(it.as_str())?)));
        let known: Vec<_> = known.collect();
        let scale = scale(known.iter().filter(|(evidence, _)| !evidence).count());
        let bias = self.0.get("").copied().unwrap_or_default().map(f64::from);
        let mut sums = bias.map(|it| it / 100.0);
        for (evidence, weights) in known {
            let scale = if evidence { 1.0 } else { scale };
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += f64::from(*weight) / 100.0 * scale;
            }
        }
        Scores::of_sums(sums)
    }

    /// Returns the number of features that the model knows.
    pub fn features(&self) -> usize {
        self.0.len()
    }
}

/// Returns whether a feature is the lexicon's. Those count in full, however long the text is.
pub fn is_evidence(feature: &str) -> bool {
    feature.starts_with('@')
}

/// Returns the factor for each other feature of a text that has so many.
pub fn scale(features: usize) -> f64 {
    1.0 / (features.max(1) as f64).sqrt()
}
