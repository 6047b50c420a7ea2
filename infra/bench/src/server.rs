//! The stack in a process of its own, so that what it takes of the processor is its own too.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result};
use local::{Delivery, Options, Stack};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// What the system counts processor time in: `getconf CLK_TCK` on Linux.
const TICKS_PER_SECOND: f64 = 100.0;

/// The running stack. Dropping it ends it.
pub(crate) struct Server {
    pub(crate) url: String,
    process: u32,
    _child: Child,
}

/// Is the stack, until it is killed. What follows from requests waits until it is asked for, so that the two are
/// measured apart.
pub(crate) async fn serve(data: Option<PathBuf>) -> Result<()> {
    let options =
        Options { variables: without_limits(), data, delivery: Delivery::Manual, ..Options::default() };
    let stack = Stack::start(options).await?;
    println!("{}", stack.url());
    std::future::pending().await
}

/// What is measured is the service, not its limits.
fn without_limits() -> BTreeMap<String, String> {
    let limits = [
        "AUTH_LIMIT_PER_5_MIN",
        "AUTH_ADDRESS_LIMIT_PER_5_MIN",
        "WRITE_LIMIT_PER_5_MIN",
        "GATEWAY_RATE",
        "GATEWAY_BURST",
    ];
    limits.map(|name| (name.to_owned(), "100000000".to_owned())).into()
}

impl Server {
    pub(crate) async fn start(data: Option<&Path>) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--serve").stdout(Stdio::piped()).kill_on_drop(true);
        command.args(data.into_iter().flat_map(|it| [Path::new("--data"), it]));
        let mut child = command.spawn()?;
        let process = child.id().context("the stack did not start")?;
        let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let url = lines.next_line().await?.context("the stack did not say where it is")?;
        Ok(Self { url, process, _child: child })
    }

    /// The processor time that the stack has taken so far, by its functions, its table and its gateway.
    pub(crate) fn processor_time(&self) -> Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process))
            .context("processor time is only measured on Linux")?;
        // The name of the program, in brackets, may have spaces; user and system time are 12 and 13 behind it.
        let fields = stat.rsplit_once(") ").context("no stat")?.1;
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<f64>);
        let ticks: f64 = ticks.sum::<Result<f64, _>>()?;
        Ok(Duration::from_secs_f64(ticks / TICKS_PER_SECOND))
    }

    /// Resident memory now, in MB.
    pub(crate) fn resident_mb(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1024.0)
    }
}
