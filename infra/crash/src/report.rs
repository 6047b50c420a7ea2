//! The table that is printed, and the differences below it.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};

use crate::books::Books;

/// More differences of one kind say no more.
const SHOWN_MAX: usize = 10;

/// One thing that must hold.
pub(crate) struct Finding {
    pub(crate) what: &'static str,
    pub(crate) checked: usize,
    /// Where it does not.
    pub(crate) wrong: Vec<String>,
}

impl Finding {
    pub(crate) fn is_good(&self) -> bool {
        self.wrong.is_empty()
    }
}

/// What was checked, and where it does not hold.
pub(crate) fn table(findings: &[Finding], books: &[Books]) -> String {
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED);
    table.set_header(["checked", "of them", "wrong"]);
    for it in findings {
        table.add_row([it.what.to_owned(), it.checked.to_string(), it.wrong.len().to_string()]);
    }
    let sum = |of: fn(&Books) -> usize| books.iter().map(of).sum::<usize>();
    let (answered, failed) = (sum(|it| it.answered), sum(|it| it.failed));
    let (unanswered, repeated) = (sum(|it| it.unanswered), sum(|it| it.repeated));
    let wrong = findings.iter().flat_map(|it| it.wrong.iter().take(SHOWN_MAX).map(move |why| (it.what, why)));
    let wrong: String = wrong.map(|(what, why)| format!("\n{what}: {why}")).collect();
    format!(
        "requests: {answered} answered, {failed} failed, {unanswered} without an answer, \
         {repeated} of them repeated with their key\n{table}{wrong}"
    )
}
