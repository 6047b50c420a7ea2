//! Files of examples: a label, a theme and a text in each line, or a label and a text, with tabs between them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow};
use domain::judge::embedded::Label;

/// A line of our own.
pub(super) struct Line {
    pub(super) label: Label,
    pub(super) theme: String,
    pub(super) text: String,
}

/// A comment under a label of whoever collected it.
pub(super) struct Comment {
    pub(super) label: String,
    pub(super) text: String,
}

/// Returns the path of a file of the judge.
pub(super) fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/domain/judge/data").join(file)
}

/// Reads lines of our own.
pub(super) fn read(path: &Path) -> Result<Vec<Line>> {
    let line = |line: &str| {
        let mut cells = line.splitn(3, '\t');
        let (label, theme, text) = (cells.next(), cells.next(), cells.next());
        let text = text.with_context(|| format!("not a label, a theme and a text: {line}"))?.to_owned();
        let label = label.unwrap_or_default().parse().map_err(|why| anyhow!("{line}: {why}"))?;
        Ok(Line { label, theme: theme.unwrap_or_default().to_owned(), text })
    };
    text(path)?.lines().map(line).collect()
}

/// Reads comments of strangers. No error shows one of them.
pub(super) fn comments(path: &Path) -> Result<Vec<Comment>> {
    text(path)?.lines().enumerate().map(|(at, line)| comment(at + 1, line)).collect()
}

fn comment(number: usize, line: &str) -> Result<Comment> {
    let cells = line.split_once('\t').with_context(|| format!("line {number}: not a label and a text"));
    cells.map(|(label, text)| Comment { label: label.to_owned(), text: text.to_owned() })
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_a_label_and_the_rest_of_the_line() {
        let comment = comment(1, "2\tone\tmore").unwrap();
        assert_eq!((comment.label.as_str(), comment.text.as_str()), ("2", "one\tmore"));
    }

    #[test]
    fn a_line_without_a_label_is_named_by_its_number_and_not_shown() {
        let error = comment(7, "somebody's words").err().unwrap().to_string();
        assert_eq!(error, "line 7: not a label and a text");
    }
}
