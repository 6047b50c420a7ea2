//! A linear model. The model sums the weights of a text's features for each label, and converts the sums to
//! probabilities.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    str::FromStr,
    sync::LazyLock,
};

use super::features;

/// The number of labels.
pub const LABELS: usize = 9;

/// The kind of a text. All kinds except `Normal` violate the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Ordinary talk.
    Normal,
    /// Unwanted bulk advertising.
    Spam,
    /// An attempt to get money or secrets by deceit.
    Scam,
    /// Hate against a group of people.
    Hate,
    /// A threat of violence.
    Threat,
    /// Sexual content, or offers to sell it.
    Sexual,
    /// Insults against a person.
    Abuse,
    /// Swearing without a target.
    Profanity,
    /// Incitement of a person to suicide or self-harm.
    SelfHarm,
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
        Self::SelfHarm,
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
            Self::SelfHarm => "self-harm",
        })
    }
}

impl FromStr for Label {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|label| label.to_string() == name);
        found.ok_or("is not a label")
    }
}

/// The probability of each label. The sum of the probabilities is 1.
#[derive(Clone, Copy, Debug)]
pub struct Scores([f64; LABELS]);

impl Scores {
    /// Returns the probability that the text violates the rules.
    pub fn harm(&self) -> f64 {
        1.0 - self.0[0]
    }

    /// Returns the probability that the text is harmful to others. Swearing without a target is not harmful.
    pub fn malice(&self) -> f64 {
        self.harm() - self.0[Label::Profanity as usize]
    }

    /// Returns the most probable label.
    pub fn likeliest(&self) -> Label {
        let best = self.0.iter().zip(Label::ALL).max_by(|(left, _), (right, _)| left.total_cmp(right));
        best.map_or(Label::Normal, |(_, label)| label)
    }

    /// Converts the sum of weights for each label to a probability, by softmax.
    pub fn of_sums(sums: [f64; LABELS]) -> Self {
        let highest = sums.iter().copied().fold(f64::MIN, f64::max);
        let powers = sums.map(|sum| (sum - highest).exp());
        let total: f64 = powers.iter().sum();
        Self(powers.map(|power| power / total))
    }

    /// Returns the probabilities, in the order of [`Label::ALL`].
    pub fn values(&self) -> &[f64; LABELS] {
        &self.0
    }
}

/// The weights of each feature, in hundredths. The empty feature is the bias.
pub struct Model(HashMap<&'static str, [i16; LABELS]>);

static OURS: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("../../data/weights.tsv")));

impl Model {
    /// Returns the model that `make judge` trained. The model is parsed once per process.
    pub fn ours() -> &'static Self {
        &OURS
    }

    /// Parses a model. Each line contains a feature and its weights, separated by tabs.
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
        self.scores_of(&features(text))
    }

    pub(super) fn scores_of(&self, features: &BTreeSet<String>) -> Scores {
        let known =
            features.iter().filter_map(|feature| Some((is_evidence(feature), self.0.get(feature.as_str())?)));
        let known: Vec<_> = known.collect();
        let scale = scale(known.iter().filter(|(evidence, _)| !evidence).count());
        let bias = self.0.get("").copied().unwrap_or_default().map(f64::from);
        let mut sums = bias.map(|weight| weight / 100.0);
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

/// Returns whether a feature is a match of the lexicon. The weights of matches are not scaled by the length of the
/// text.
pub fn is_evidence(feature: &str) -> bool {
    feature.starts_with('@')
}

/// Returns the factor for the weights of features that are not matches of the lexicon. `features` is the number of
/// these features in a text.
pub fn scale(features: usize) -> f64 {
    1.0 / (features.max(1) as f64).sqrt()
}
