//! Runs the real executable of the stack with its own data directory. The process can be killed and restarted.

use std::{
    fs::File,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::api::Api;

/// Maximum time until a started stack is ready.
const START_TIMEOUT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Seconds to advance the clock. Longer than the delay of any message.
const DELAY_MAX_SECONDS: u64 = 120;
/// Maximum number of attempts to finish all work.
const ATTEMPTS_MAX: usize = 100;
/// Settings without rate limits, and with sessions that last the whole run.
const SETTINGS: [(&str, &str); 10] = [
    ("ACCESS_TOKEN_MINUTES", "10000"),
    ("AUTH_LIMIT_PER_5_MIN", "100000000"),
    ("AUTH_ADDRESS_LIMIT_PER_5_MIN", "100000000"),
    ("WRITE_LIMIT_PER_5_MIN", "100000000"),
    ("READ_LIMIT_PER_5_MIN", "100000000"),
    ("REGISTER_LIMIT_PER_HOUR", "100000000"),
    ("POST_LIMIT_PER_5_MIN", "100000000"),
    ("POST_LIMIT_PER_DAY", "100000000"),
    ("GATEWAY_RATE", "100000000"),
    ("GATEWAY_BURST", "100000000"),
];

/// A running stack and its directory. Dropping the value kills the process.
pub(crate) struct Server {
    binary: PathBuf,
    directory: PathBuf,
    port: u16,
    process: Child,
}

impl Server {
    /// Creates the directory and starts a stack in it.
    pub(crate) async fn start(binary: PathBuf, directory: PathBuf) -> Result<Self> {
        std::fs::create_dir(&directory).with_context(|| directory.display().to_string())?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = spawn(&binary, &directory, port)?;
        let mut server = Self { binary, directory, port, process };
        server.wait_until_ready().await?;
        Ok(server)
    }

    /// Starts a new process in the same directory.
    pub(crate) async fn restart(&mut self) -> Result<()> {
        self.process = spawn(&self.binary, &self.directory, self.port)?;
        self.wait_until_ready().await
    }

    /// Kills the process, as `kill -9` does. Fails if the process has already ended.
    pub(crate) fn kill(&mut self) -> Result<()> {
        let ended = self.process.try_wait()?;
        ensure!(ended.is_none(), "the stack ended by itself: {}", log(&self.directory).display());
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    /// Returns a new client without open connections.
    pub(crate) fn api(&self) -> Api {
        Api::new(format!("http://127.0.0.1:{}", self.port))
    }

    /// Advances the clock, so that all delayed messages are due.
    pub(crate) async fn advance_clock(&self) -> Result<()> {
        self.api().console("clock", json!({ "advanceSeconds": DELAY_MAX_SECONDS })).await.map(drop)
    }

    /// Delivers messages until none is left. Fails if work remains after the last attempt.
    pub(crate) async fn finish_work(&self) -> Result<()> {
        let api = self.api();
        for _ in 0..ATTEMPTS_MAX {
            let report = api.console("settle", Value::Null).await?;
            let idle =
                |report: &Value| ["delivered", "failed", "left"].iter().all(|count| report[*count] == 0);
            if idle(&report) && idle(&report["stream"]) && report["stream"]["givenUp"] == 0 {
                return Ok(());
            }
        }
        bail!("work remains after {ATTEMPTS_MAX} attempts")
    }

    async fn wait_until_ready(&mut self) -> Result<()> {
        let (api, start) = (self.api(), Instant::now());
        while api.get(None, "/_local/queues").await.is_err() {
            let ended = self.process.try_wait()?;
            ensure!(
                ended.is_none() && start.elapsed() < START_TIMEOUT,
                "the stack did not start: {}",
                log(&self.directory).display()
            );
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(binary: &Path, directory: &Path, port: u16) -> Result<Child> {
    let log = File::options().create(true).append(true).open(log(directory))?;
    let mut command = Command::new(binary);
    command.arg("--data").arg(directory).arg("--port").arg(port.to_string()).envs(SETTINGS);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    command.spawn().with_context(|| binary.display().to_string())
}

fn log(directory: &Path) -> PathBuf {
    directory.join("log")
}
