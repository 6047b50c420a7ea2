//! Tables for the terminal and for Markdown.

use comfy_table::presets::UTF8_FULL_CONDENSED;

/// A table with a title.
pub(crate) struct Table {
    title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: &str, head: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self { title: title.to_owned(), head: head.iter().map(|name| (*name).to_owned()).collect(), rows }
    }

    pub(crate) fn print(&self) {
        let mut table = comfy_table::Table::new();
        table.load_preset(UTF8_FULL_CONDENSED).set_header(&self.head).add_rows(&self.rows);
        println!("\n{}\n{table}", self.title);
    }

    /// Returns the table in Markdown. All columns except the first contain numbers, so they are aligned right.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = format!("|---{}|\n", "|--:".repeat(self.head.len().saturating_sub(1)));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("**{}**\n\n{}{rule}{rows}", self.title, line(&self.head))
    }
}

pub(crate) fn figure(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// Formats the values of a request and its follow-up work as `3 + 7.3`.
pub(crate) fn plus(value: f64, follow_up: f64) -> String {
    let short = |number: f64| format!("{number:.1}").trim_end_matches(".0").to_owned();
    match follow_up < 0.05 {
        true => short(value),
        false => format!("{} + {}", short(value), short(follow_up)),
    }
}
