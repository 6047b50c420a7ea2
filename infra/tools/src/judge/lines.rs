//! Reads files of examples. Each line has tab-separated fields: a label, a theme (only in the project's own examples)
//! and a text.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow};
use domain::judge::embedded::Label;

/// A line of the project's own examples.
pub(super) struct Line {
    pub(super) label: Label,
    pub(super) theme: String,
    pub(super) text: String,
}

/// A comment of a public data set. Each data set has its own labels.
pub(super) struct Comment {
    pub(super) label: String,
    pub(super) text: String,
}

/// Returns the path of a file in the judge's data folder.
pub(super) fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/domain/judge/data").join(file)
}

/// Reads the project's own examples.
pub(super) fn read(path: &Path) -> Result<Vec<Line>> {
    let line = |line: &str| {
        let mut cells = line.splitn(3, '\t');
        let (label, theme, text) = (cells.next(), cells.next(), cells.next());
        let text = text.with_context(|| format!("expected a label, a theme and a text: {line}"))?.to_owned();
        let label = label.unwrap_or_default().parse().map_err(|reason| anyhow!("{line}: {reason}"))?;
        Ok(Line { label, theme: theme.unwrap_or_default().to_owned(), text })
    };
    text(path)?.lines().map(line).collect()
}

/// Reads a public data set. Error messages do not quote comments.
pub(super) fn comments(path: &Path) -> Result<Vec<Comment>> {
    text(path)?.lines().enumerate().map(|(index, line)| comment(index + 1, line)).collect()
}

fn comment(number: usize, line: &str) -> Result<Comment> {
    let cells = line.split_once('\t').with_context(|| format!("line {number}: expected a label and a text"));
    cells.map(|(label, text)| Comment { label: label.to_owned(), text: text.to_owned() })
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_comment_follows_the_first_tab() {
        let comment = comment(1, "2\tone\tmore").unwrap();
        assert_eq!((comment.label.as_str(), comment.text.as_str()), ("2", "one\tmore"));
    }

    #[test]
    fn an_error_does_not_quote_the_line() {
        let error = comment(7, "a private comment").err().unwrap().to_string();
        assert_eq!(error, "line 7: expected a label and a text");
    }
}
