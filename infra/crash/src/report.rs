//! The printed table of checks, followed by the problems.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};

use crate::journal::Journal;

/// Maximum number of printed problems per check.
const PRINTED_MAX: usize = 10;

/// Result of one check.
pub(crate) struct Finding {
    /// The rule that the data must satisfy.
    pub(crate) rule: &'static str,
    pub(crate) checked: usize,
    /// One line per violation.
    pub(crate) problems: Vec<String>,
}

impl Finding {
    pub(crate) fn is_good(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Returns a text with the table of checks, the problems, and the numbers of requests.
pub(crate) fn table(findings: &[Finding], journals: &[Journal]) -> String {
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED);
    table.set_header(["rule", "checked", "wrong"]);
    for finding in findings {
        let counts = [finding.checked, finding.problems.len()].map(|count| count.to_string());
        table.add_row([finding.rule.to_owned()].into_iter().chain(counts));
    }
    let sum = |count: fn(&Journal) -> usize| journals.iter().map(count).sum::<usize>();
    let (acknowledged, failed) = (sum(|journal| journal.acknowledged), sum(|journal| journal.failed));
    let (lost, repeated) = (sum(|journal| journal.lost), sum(|journal| journal.repeated));
    let problems = findings.iter().flat_map(|finding| {
        finding.problems.iter().take(PRINTED_MAX).map(move |problem| (finding.rule, problem))
    });
    let problems: String = problems.map(|(rule, problem)| format!("\n{rule}: {problem}")).collect();
    format!(
        "requests: {acknowledged} acknowledged, {failed} failed, {lost} without a response, \
         {repeated} of these repeated with their key\n{table}{problems}"
    )
}
