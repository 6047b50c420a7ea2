//! Measures the embedded judge on texts outside its training data.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Result, ensure};
use domain::judge::embedded::{self, Label, verdict};

use super::lines::{comments, path, read};

/// Minimum confidence of harm to hide a post, and minimum confidence to send a post to a moderator.
const THRESHOLDS: [f64; 2] = [0.96, 0.5];
/// Shares of harmful comments: on a quiet page, in the public data set ViHSD, and in the project's own examples.
const PREVALENCES: [f64; 3] = [0.05, 0.17, 0.35];
/// The project's own examples that are not used for training.
const FILES: [&str; 3] = ["heldout.tsv", "unseen.tsv", "independent.tsv"];

/// A line's label, the label that the judge chose, and the judge's confidence of harm.
struct Judged {
    label: String,
    found: String,
    is_harmful: bool,
    confidence: f64,
}

impl Judged {
    fn new(label: String, is_harmful: bool, text: &str) -> Self {
        let found = embedded::label(text).to_string();
        Self { label, found, is_harmful, confidence: verdict(text).confidence.value() }
    }
}

/// Measures the embedded judge on the project's own examples, and prints the results.
pub(crate) fn test() -> Result<()> {
    for file in FILES {
        let lines = read(&path(file))?;
        let judged = lines
            .iter()
            .map(|line| Judged::new(line.label.to_string(), line.label != Label::Normal, &line.text));
        println!("\n{file}");
        print(&judged.collect::<Vec<_>>());
    }
    Ok(())
}

/// Measures the embedded judge on a file of comments. `clean` has the labels of harmless comments. Prints the results,
/// but not the comments.
///
/// # Errors
/// Fails if all comments are harmless or if all are harmful, because then `clean` does not fit the file.
pub(crate) fn test_comments(path: &Path, clean: &[String]) -> Result<()> {
    let judged = comments(path)?.into_iter().map(|comment| {
        let is_harmful = !clean.contains(&comment.label);
        Judged::new(comment.label, is_harmful, &comment.text)
    });
    let judged: Vec<_> = judged.collect();
    check_labels(&judged, clean)?;
    print(&judged);
    Ok(())
}

fn check_labels(judged: &[Judged], clean: &[String]) -> Result<()> {
    let harmful = judged.iter().filter(|line| line.is_harmful).count();
    let names = clean.join(",");
    ensure!(harmful < judged.len(), "no comment has a clean label ({names}): pass CLEAN=label,label");
    ensure!(harmful > 0, "all comments have a clean label ({names}): pass CLEAN=label,label");
    Ok(())
}

fn print(judged: &[Judged]) {
    print_labels(judged);
    for threshold in THRESHOLDS {
        print_confusion(judged, threshold);
    }
}

/// Prints the number of lines per label, and the recall and precision at each threshold. Precision is the share of lines
/// with this label among the lines for which the judge chose the label.
fn print_labels(judged: &[Judged]) {
    let labels: BTreeSet<_> = judged.iter().map(|line| (line.is_harmful, line.label.as_str())).collect();
    println!("label        lines   recall: ≥ 0.96   ≥ 0.5   precision: ≥ 0.96   ≥ 0.5");
    for (is_harmful, label) in labels {
        let lines = judged.iter().filter(|line| line.label == label).count();
        let [hidden, suspected] = THRESHOLDS.map(|threshold| Rate::of(judged, label, threshold));
        println!(
            "{label:<10} {lines:>7} {:>16} {:>7} {:>19} {:>7}",
            hidden.recall(),
            suspected.recall(),
            if is_harmful { hidden.precision() } else { "-".to_owned() },
            if is_harmful { suspected.precision() } else { "-".to_owned() }
        );
    }
}

/// Numbers of lines for one label and one threshold.
struct Rate {
    /// Lines with the label.
    lines: usize,
    /// Lines that have the label, and whose confidence is at least the threshold.
    found: usize,
    /// Lines for which the judge chose the label, with at least the confidence of the threshold.
    chosen: usize,
    /// Lines in both `found` and `chosen`.
    right: usize,
}

impl Rate {
    fn of(judged: &[Judged], label: &str, threshold: f64) -> Self {
        let above = || judged.iter().filter(|line| line.confidence >= threshold);
        Self {
            lines: judged.iter().filter(|line| line.label == label).count(),
            found: above().filter(|line| line.label == label).count(),
            chosen: above().filter(|line| line.found == label).count(),
            right: above().filter(|line| line.found == label && line.label == label).count(),
        }
    }

    fn recall(&self) -> String {
        format!("{:.1} %", percent(self.found, self.lines))
    }

    /// Returns `-` if the judge never chose the label.
    fn precision(&self) -> String {
        match self.chosen {
            0 => "-".to_owned(),
            chosen => format!("{:.1} %", percent(self.right, chosen)),
        }
    }
}

/// Prints the confusion matrix, precision and recall at a threshold, and the precision for each of [`PREVALENCES`].
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

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(label: &str, found: &str, confidence: f64) -> Judged {
        Judged { label: label.to_owned(), found: found.to_owned(), is_harmful: label != "ok", confidence }
    }

    #[test]
    fn unknown_clean_labels_are_an_error() {
        let lines = [judged("ok", "normal", 0.1), judged("HATE", "hate", 0.9)];
        let harmful = lines.iter().map(|line| judged(&line.label.replace("ok", "OK"), &line.found, 0.5));
        let error = check_labels(&harmful.collect::<Vec<_>>(), &["0".to_owned(), "clean".to_owned()]);
        let error = error.unwrap_err().to_string();
        assert_eq!(error, "no comment has a clean label (0,clean): pass CLEAN=label,label");
        assert!(check_labels(&lines, &["ok".to_owned()]).is_ok());
    }

    #[test]
    fn recall_and_precision_are_per_label() {
        let lines = [judged("spam", "spam", 0.9), judged("spam", "normal", 0.2), judged("ok", "spam", 0.6)];
        let rate = Rate::of(&lines, "spam", 0.5);
        assert_eq!((rate.recall().as_str(), rate.precision().as_str()), ("50.0 %", "50.0 %"));
        assert_eq!(Rate::of(&lines, "hate", 0.5).precision(), "-");
    }
}
