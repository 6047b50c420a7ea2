//! Tables, for the terminal and for a page.

use comfy_table::presets::UTF8_FULL_CONDENSED;

/// A table with a title.
pub(crate) struct Table {
    title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: &str, head: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self { title: title.to_owned(), head: head.iter().map(|it| (*it).to_owned()).collect(), rows }
    }

    pub(crate) fn print(&self) {
        let mut table = comfy_table::Table::new();
        table.load_preset(UTF8_FULL_CONDENSED).set_header(&self.head).add_rows(&self.rows);
        println!("\n{}\n{table}", self.title);
    }

    /// The first column is text, all others are figures.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = format!("|---{}|\n", "|--:".repeat(self.head.len().saturating_sub(1)));
        let rows: String = self.rows.iter().map(|it| line(it)).collect();
        format!("**{}**\n\n{}{rule}{rows}", self.title, line(&self.head))
    }
}

pub(crate) fn figure(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// A figure of a request, and one of what follows from it.
pub(crate) fn plus(value: f64, follows: f64) -> String {
    let short = |it: f64| format!("{it:.1}").trim_end_matches(".0").to_owned();
    match follows < 0.05 {
        true => short(value),
        false => format!("{} + {}", short(value), short(follows)),
    }
}
