//! A linear model: a weight for each feature and category, added up and made probabilities.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use super::features;

/// How many categories there are.
pub const CATEGORIES: usize = 6;

/// What a text can be; all but the first break the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Ordinary talk.
    Normal,
    /// Unasked advertising, the same to everybody.
    Spam,
    /// A trick to get money or secrets.
    Scam,
    /// Contempt for people for what they are.
    Hate,
    /// An announcement of violence.
    Threat,
    /// Sexual content or its sale.
    Sexual,
}

impl Category {
    /// All, in the order of the weights.
    pub const ALL: [Self; CATEGORIES] =
        [Self::Normal, Self::Spam, Self::Scam, Self::Hate, Self::Threat, Self::Sexual];
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Spam => "spam",
            Self::Scam => "scam",
            Self::Hate => "hate",
            Self::Threat => "threat",
            Self::Sexual => "sexual",
        })
    }
}

impl FromStr for Category {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|it| it.to_string() == name);
        found.ok_or("is no category")
    }
}

/// How likely each category is; together 1.
#[derive(Clone, Copy, Debug)]
pub struct Scores([f64; CATEGORIES]);

impl Scores {
    /// How likely the text breaks the rules.
    pub fn harm(&self) -> f64 {
        1.0 - self.0[0]
    }

    /// The likeliest category.
    pub fn likeliest(&self) -> Category {
        let best = self.0.iter().zip(Category::ALL).max_by(|(left, _), (right, _)| left.total_cmp(right));
        best.map_or(Category::Normal, |(_, it)| it)
    }

    /// Of the sums of weights.
    pub fn of_sums(sums: [f64; CATEGORIES]) -> Self {
        let highest = sums.iter().copied().fold(f64::MIN, f64::max);
        let powers = sums.map(|it| (it - highest).exp());
        let total: f64 = powers.iter().sum();
        Self(powers.map(|it| it / total))
    }

    /// The likelihoods, in the order of [`Category::ALL`].
    pub fn values(&self) -> &[f64; CATEGORIES] {
        &self.0
    }
}

/// The weights, in hundredths; the feature `` is the bias.
pub struct Model(HashMap<&'static str, [i16; CATEGORIES]>);

static OURS: LazyLock<Model> =
    LazyLock::new(|| Model::read(include_str!("../../../../data/judge/weights.tsv")));

impl Model {
    /// The one that `make judge` trained, read once a process.
    pub fn ours() -> &'static Self {
        &OURS
    }

    /// A line a feature: its name and its weights, with tabs between them.
    pub fn read(text: &'static str) -> Self {
        let line = |line: &'static str| {
            let mut cells = line.split('\t');
            let feature = cells.next()?;
            let mut weights = [0; CATEGORIES];
            for weight in &mut weights {
                *weight = cells.next()?.parse().ok()?;
            }
            Some((feature, weights))
        };
        Self(text.lines().filter_map(line).collect())
    }

    /// Judges a folded text.
    pub fn scores(&self, folded: &str) -> Scores {
        let features = features(folded);
        let known: Vec<_> = features.iter().filter_map(|it| self.0.get(it.as_str())).collect();
        let scale = scale(known.len());
        let bias = self.0.get("").copied().unwrap_or_default().map(f64::from);
        let mut sums = bias.map(|it| it / 100.0);
        for weights in known {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += f64::from(*weight) / 100.0 * scale;
            }
        }
        Scores::of_sums(sums)
    }

    /// How many features it knows.
    pub fn features(&self) -> usize {
        self.0.len()
    }
}

/// What each feature of a text that has so many counts for.
pub fn scale(features: usize) -> f64 {
    1.0 / (features.max(1) as f64).sqrt()
}
