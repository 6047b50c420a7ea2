//! Start-up, size and memory of the bootstraps that are built: `startup.py` stands in for Lambda.

use std::{path::Path, process::Stdio};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use crate::report::{Table, figure};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/startup.py");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// One bootstrap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Started {
    pub(crate) function: String,
    pub(crate) zip_mb: f64,
    /// Milliseconds from the start of the process until it asks for its first event.
    pub(crate) poll_ms: f64,
    pub(crate) poll_p90_ms: f64,
    pub(crate) request_ms: f64,
    pub(crate) resident_mb: f64,
}

/// What was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Startup {
    pub(crate) started: Vec<Started>,
    /// Functions that are not built.
    pub(crate) missing: Vec<String>,
}

/// Starts each bootstrap in a directory so often.
pub(crate) async fn measure(bootstraps: &Path, starts: usize) -> Result<Startup> {
    let mut command = Command::new("python3");
    command.args(["-B", SCRIPT, "--root", ROOT, "--json", "--starts", &starts.to_string(), "--all"]);
    let output = command.arg(bootstraps).stderr(Stdio::inherit()).output().await.context("python3")?;
    ensure!(output.status.success(), "startup.py failed");
    Ok(serde_json::from_slice(&output.stdout)?)
}

pub(crate) fn table(startup: &Startup) -> Table {
    let head = ["function", "zip MB", "to its first poll ms", "p90", "first request ms", "RSS MB"];
    let row = |it: &Started| {
        let figures = [it.zip_mb, it.poll_ms, it.poll_p90_ms, it.request_ms, it.resident_mb];
        [it.function.clone()].into_iter().chain(figures.map(|it| figure(it, 1))).collect()
    };
    Table::new("Start-up of each function", &head, startup.started.iter().map(row).collect())
}
