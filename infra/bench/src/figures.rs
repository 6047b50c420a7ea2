//! Output of the results: on the terminal, as Markdown and as JSON.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Result;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::report::Table;

/// All results of a run.
pub(crate) struct Figures {
    out: PathBuf,
    heading: String,
    json: Map<String, Value>,
    page: String,
}

impl Figures {
    #[expect(clippy::disallowed_methods, reason = "the real date of the measurement")]
    pub(crate) fn begin(out: &Path) -> Result<Self> {
        fs::create_dir_all(out)?;
        let (day, machine) = (Timestamp::now().strftime("%F").to_string(), machine());
        let heading = format!("Measured on {day}, on {machine}.");
        println!("{heading}");
        let json = Map::from_iter([("day".to_owned(), json!(day)), ("machine".to_owned(), json!(machine))]);
        Ok(Self { out: out.to_owned(), page: format!("{heading}\n"), heading, json })
    }

    pub(crate) fn add(&mut self, phase: &str, measured: &impl Serialize, table: &Table) -> Result<()> {
        table.print();
        self.page += &format!("\n{}", table.markdown());
        self.json.insert(phase.to_owned(), serde_json::to_value(measured)?);
        // Writes these results now, in case a later phase fails or is stopped.
        self.write()
    }

    pub(crate) fn note(&mut self, sentence: &str) {
        println!("\n{sentence}");
        self.page += &format!("\n{sentence}\n");
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.write()?;
        println!("\n{} Tables, figures and plots are in {}.", self.heading, self.out.display());
        Ok(())
    }

    fn write(&self) -> Result<()> {
        fs::write(self.out.join("table.md"), &self.page)?;
        Ok(fs::write(self.out.join("figures.json"), serde_json::to_string_pretty(&self.json)? + "\n")?)
    }
}

fn machine() -> String {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    format!(
        "{processors} processors ({}, {})",
        model.map_or("unknown", |(_, name)| name),
        std::env::consts::ARCH
    )
}
