//! Measures the embedded judge on texts outside the training data.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;
use domain::judge::embedded::{Label, verdict};

use super::lines::{comments, path, read};

/// Minimum confidence to hide a post, and minimum confidence to send a post to a moderator.
const THRESHOLDS: [f64; 2] = [0.96, 0.5];
/// Shares of harmful comments: on a quiet page, in the public data set ViHSD, and in the project's own examples.
const PREVALENCES: [f64; 3] = [0.05, 0.17, 0.35];
/// Labels for harmless comments in public data sets.
const HARMLESS: [&str; 3] = ["0", "clean", "normal"];

/// A line's label, and the judge's confidence of harm.
struct Judged {
    label: String,
    is_harmful: bool,
    confidence: f64,
}

impl Judged {
    fn new(label: String, is_harmful: bool, text: &str) -> Self {
        Self { label, is_harmful, confidence: verdict(text).confidence.value() }
    }
}

/// Measures the embedded judge on the project's held-out lines, and prints the results.
pub(crate) fn test() -> Result<()> {
    let lines = read(&path("heldout.tsv"))?;
    let judged =
        lines.iter().map(|line| Judged::new(line.label.to_string(), line.label != Label::Normal, &line.text));
    print(&judged.collect::<Vec<_>>());
    Ok(())
}

/// Measures the embedded judge on a file of comments. Prints the results, but not the comments.
pub(crate) fn test_comments(path: &Path) -> Result<()> {
    let judged = comments(path)?.into_iter().map(|comment| {
        let is_harmful = !HARMLESS.contains(&comment.label.as_str());
        Judged::new(comment.label, is_harmful, &comment.text)
    });
    let judged: Vec<_> = judged.collect();
    print(&judged);
    Ok(())
}

fn print(judged: &[Judged]) {
    print_labels(judged);
    for threshold in THRESHOLDS {
        print_confusion(judged, threshold);
    }
}

/// For each label, prints the number of lines, and the numbers of lines that reach each threshold.
fn print_labels(judged: &[Judged]) {
    let mut counts = BTreeMap::<_, [usize; 3]>::new();
    for line in judged {
        let count = counts.entry((line.is_harmful, line.label.as_str())).or_default();
        count[0] += 1;
        for (above, threshold) in count[1..].iter_mut().zip(THRESHOLDS) {
            *above += usize::from(line.confidence >= threshold);
        }
    }
    println!("label        lines   ≥ 0.96   ≥ 0.5");
    for ((_, label), [lines, hidden, suspected]) in counts {
        println!("{label:<10} {lines:>7} {hidden:>8} {suspected:>7}");
    }
}

/// Prints the confusion matrix, precision and recall at a threshold. Also prints the precision for each of
/// [`PREVALENCES`].
fn print_confusion(judged: &[Judged], threshold: f64) {
    let counts = |is_harmful: bool| {
        let lines = judged.iter().filter(|line| line.is_harmful == is_harmful);
        let total = lines.clone().count();
        let above = lines.filter(|line| line.confidence >= threshold).count();
        (above, total - above)
    };
    let ((found, missed), (wrong, right)) = (counts(true), counts(false));
    println!(
        "\n≥ {threshold:<6} judged harmful  harmless\nharmful  {found:>14} {missed:>9}\nharmless {wrong:>14} {right:>9}"
    );
    println!(
        "precision {:.1} %, recall {:.1} %",
        percent(found, found + wrong),
        percent(found, found + missed)
    );
    for prevalence in PREVALENCES {
        let found = prevalence * percent(found, found + missed);
        let wrong = (1.0 - prevalence) * percent(wrong, wrong + right);
        let precision = 100.0 * found / (found + wrong).max(f64::MIN_POSITIVE);
        println!("precision if {:.0} % are harmful: {precision:.0} %", prevalence * 100.0);
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
