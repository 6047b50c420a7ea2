//! Starts and controls the measured stack in its own process.

use std::{
    process::Stdio,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result, bail};
use reqwest::Client;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command as Process},
};

use crate::{
    meter::Consumption,
    people::{answer, http},
    processor::{CpuTime, Processor},
    seed::Network,
    serve::{Answer, Command, ServerOptions, Started},
};

/// Interval of the most frequent schedules, in seconds.
const MINUTE_SECONDS: u64 = 60;

/// The running stack. Dropping the handle kills the process.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) http: Client,
    pub(crate) network: Network,
    process: u32,
    processor: Mutex<Processor>,
    line: tokio::sync::Mutex<(ChildStdin, Lines<BufReader<ChildStdout>>)>,
    _child: Child,
}

/// Numbers of messages and stream records that [`Server::settle`] delivered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) messages: f64,
    pub(crate) records: f64,
}

impl Server {
    pub(crate) async fn start(options: &ServerOptions) -> Result<Self> {
        let mut command = Process::new(std::env::current_exe()?);
        command.arg("--serve").arg(serde_json::to_string(options)?);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let process = child.id().context("the stack did not start")?;
        let input = child.stdin.take().context("no input")?;
        let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let started = lines.next_line().await?.context("the stack ended before it was ready")?;
        let Started { url, network } =
            serde_json::from_str(&started).context("failed to parse the URL of the stack")?;
        let processor = Mutex::new(Processor::of(process));
        let line = tokio::sync::Mutex::new((input, lines));
        Ok(Self { url, http: http()?, network, process, processor, line, _child: child })
    }

    /// Sends a command and returns its result.
    pub(crate) async fn send<T: DeserializeOwned>(&self, command: &Command) -> Result<T> {
        let mut line = self.line.lock().await;
        let request = serde_json::to_string(command)? + "\n";
        line.0.write_all(request.as_bytes()).await?;
        let answer = line.1.next_line().await?.context("the stack ended")?;
        match serde_json::from_str(&answer)? {
            Answer::Done(value) => Ok(serde_json::from_value(value)?),
            Answer::Failed(reason) => bail!("{command:?}: {reason}"),
        }
    }

    /// Returns the consumption since the previous `read_meter`. Counting continues only if `count` is true.
    pub(crate) async fn read_meter(&self, count: bool) -> Result<Consumption> {
        self.send(&Command::Count(count)).await
    }

    /// Delivers all follow-up work, including notifications, which are grouped for up to a minute. Returns the numbers of
    /// delivered messages and records.
    pub(crate) async fn settle(&self) -> Result<Delivered> {
        let first = self.deliver().await?;
        let second = self.advance(MINUTE_SECONDS).await?;
        Ok(Delivered { messages: first.messages + second.messages, records: first.records + second.records })
    }

    async fn deliver(&self) -> Result<Delivered> {
        let mut delivered = Delivered::default();
        loop {
            let report = self.console("settle", json!({})).await?["data"].take();
            let count = |value: &Value| value.as_f64().unwrap_or_default();
            delivered.messages += count(&report["delivered"]);
            delivered.records += count(&report["stream"]["delivered"]);
            if report["dead"] != 0 || report["stream"]["givenUp"] != 0 {
                bail!("failed to deliver all messages: {report}");
            }
            if report["left"] == 0 && report["stream"]["left"] == 0 {
                return Ok(delivered);
            }
        }
    }

    /// Advances the stack's clock, and delivers the work that is then due. Returns the numbers of delivered messages
    /// and records.
    pub(crate) async fn advance(&self, seconds: u64) -> Result<Delivered> {
        self.console("clock", json!({ "advanceSeconds": seconds })).await?;
        self.deliver().await
    }

    async fn console(&self, action: &str, body: Value) -> Result<Value> {
        answer(self.http.post(format!("{}/_local/{action}", self.url)).json(&body)).await
    }

    /// Returns the processor time since the process started.
    pub(crate) fn cpu_time(&self) -> Result<CpuTime> {
        self.processor.lock().unwrap_or_else(PoisonError::into_inner).cpu_time()
    }

    /// Returns the resident memory in MB.
    pub(crate) fn resident_mb(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1024.0)
    }
}
