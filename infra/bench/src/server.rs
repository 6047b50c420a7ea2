//! The process that is measured, as whoever measures sees it.

use std::{path::Path, process::Stdio};

use anyhow::{Context, Result, bail};
use reqwest::Client;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command as Process},
    sync::Mutex,
};

use crate::{
    meter::Asked,
    people::{answer, http},
    processor::{Processor, Taken},
    seed::Network,
    serve::{Answer, Command, Role, There},
};

/// Every schedule by the minute fires once in it.
const MINUTE_SECONDS: u64 = 60;

/// The running stack. Dropping it ends it.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) http: Client,
    pub(crate) network: Network,
    process: u32,
    processor: std::sync::Mutex<Processor>,
    line: Mutex<(ChildStdin, Lines<BufReader<ChildStdout>>)>,
    _child: Child,
}

/// What settling delivered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) messages: f64,
    pub(crate) records: f64,
}

impl Server {
    pub(crate) async fn start(role: &Role) -> Result<Self> {
        let mut command = Process::new(std::env::current_exe()?);
        command.arg("--serve").arg(serde_json::to_string(role)?);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let process = child.id().context("the stack did not start")?;
        let input = child.stdin.take().context("no input")?;
        let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let there = lines.next_line().await?.context("the stack did not say where it is")?;
        let There { url, network } = serde_json::from_str(&there).context("where the stack is")?;
        let processor = std::sync::Mutex::new(Processor::of(process));
        let line = Mutex::new((input, lines));
        Ok(Self { url, http: http()?, network, process, processor, line, _child: child })
    }

    /// Tells it to do something, and returns what it answers.
    pub(crate) async fn tell<T: DeserializeOwned>(&self, command: &Command) -> Result<T> {
        let mut line = self.line.lock().await;
        let told = serde_json::to_string(command)? + "\n";
        line.0.write_all(told.as_bytes()).await?;
        let answer = line.1.next_line().await?.context("the stack ended")?;
        match serde_json::from_str(&answer)? {
            Answer::Done(value) => Ok(serde_json::from_value(value)?),
            Answer::Failed(why) => bail!("{command:?}: {why}"),
        }
    }

    /// What was asked of AWS since the last time.
    pub(crate) async fn asked(&self, count_on: bool) -> Result<Asked> {
        self.tell(&Command::Count(count_on)).await
    }

    /// Delivers what follows, lets the minute pass in which notifications gather, and tells everybody of them, so that
    /// nothing is measured together with what came before.
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
                bail!("something cannot be delivered: {report}");
            }
            if report["left"] == 0 && report["stream"]["left"] == 0 {
                return Ok(delivered);
            }
        }
    }

    /// Moves its clock, and delivers what falls due.
    pub(crate) async fn advance(&self, seconds: u64) -> Result<Delivered> {
        self.console("clock", json!({ "advanceSeconds": seconds })).await?;
        self.deliver().await
    }

    async fn console(&self, what: &str, body: Value) -> Result<Value> {
        answer(self.http.post(format!("{}/_local/{what}", self.url)).json(&body)).await
    }

    /// What it has taken of the processor.
    pub(crate) fn taken(&self) -> Result<Taken> {
        self.processor.lock().unwrap_or_else(std::sync::PoisonError::into_inner).taken()
    }

    /// Resident memory now, in MB.
    pub(crate) fn resident_mb(&self) -> Result<f64> {
        resident_mb(Path::new(&format!("/proc/{}/status", self.process)))
    }
}

fn resident_mb(status: &Path) -> Result<f64> {
    let status = std::fs::read_to_string(status)?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}
