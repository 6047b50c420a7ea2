//! Measures the embedded judge on lines that it did not learn from.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;
use domain::judge::embedded::{Label, verdict};

use super::lines::{comments, path, read};

/// The confidences from which a post is hidden, and from which an administrator looks.
const THRESHOLDS: [f64; 2] = [0.96, 0.5];
/// What share of comments breaks the rules on a quiet page, among the public comments of ViHSD, among our own lines.
const PREVALENCES: [f64; 3] = [0.05, 0.17, 0.35];
/// How others call a harmless comment.
const HARMLESS: [&str; 3] = ["0", "clean", "normal"];

/// What the judge made of a line.
struct Judged {
    label: String,
    bad: bool,
    confidence: f64,
}

impl Judged {
    fn new(label: String, bad: bool, text: &str) -> Self {
        Self { label, bad, confidence: verdict(text).confidence.value() }
    }
}

/// Shows what the judge that is built into this binary makes of the lines that are held out.
pub(crate) fn test() -> Result<()> {
    let lines = read(&path("heldout.tsv"))?;
    let judged =
        lines.iter().map(|it| Judged::new(it.label.to_string(), it.label != Label::Normal, &it.text));
    show(&judged.collect::<Vec<_>>());
    Ok(())
}

/// Shows what it makes of a file of comments: totals, and none of the comments.
pub(crate) fn test_comments(path: &Path) -> Result<()> {
    let judged = comments(path)?.into_iter().map(|it| {
        let bad = !HARMLESS.contains(&it.label.as_str());
        Judged::new(it.label, bad, &it.text)
    });
    let judged: Vec<_> = judged.collect();
    show(&judged);
    Ok(())
}

fn show(judged: &[Judged]) {
    show_labels(judged);
    for at in THRESHOLDS {
        show_confusion(judged, at);
    }
}

/// Prints how many lines of each label there are and how many are above each threshold.
fn show_labels(judged: &[Judged]) {
    let mut counts = BTreeMap::<_, [usize; 3]>::new();
    for it in judged {
        let count = counts.entry((it.bad, it.label.as_str())).or_default();
        count[0] += 1;
        for (above, least) in count[1..].iter_mut().zip(THRESHOLDS) {
            *above += usize::from(it.confidence >= least);
        }
    }
    println!("label        lines   ≥ 0.96   ≥ 0.5");
    for ((_, label), [lines, hidden, suspected]) in counts {
        println!("{label:<10} {lines:>7} {hidden:>8} {suspected:>7}");
    }
}

/// Prints what is found and missed at a confidence, and the precision here and where fewer or more break the rules.
fn show_confusion(judged: &[Judged], at: f64) {
    let counts = |bad: bool| {
        let lines = judged.iter().filter(|it| it.bad == bad);
        let (all, above) = (lines.clone().count(), lines.filter(|it| it.confidence >= at).count());
        (above, all - above)
    };
    let ((found, missed), (wrong, right)) = (counts(true), counts(false));
    println!(
        "\n≥ {at:<6} called bad   left alone\nbad      {found:>10} {missed:>12}\nothers   {wrong:>10} {right:>12}"
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
        println!("precision where {:.0} of 100 are bad: {precision:.0} %", prevalence * 100.0);
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
