//! The stack: the real program on a directory of its own, which can be killed and started again.

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

/// A stack that does not answer by then never will.
const STARTS_WITHIN: Duration = Duration::from_secs(120);
const ASK_EVERY: Duration = Duration::from_millis(20);
/// Longer than any message waits.
const WAITS_SECONDS: u64 = 120;
/// More rounds than any work needs that comes to an end.
const RESTS_MAX: usize = 100;
/// It is not its limits that are looked at.
const SETTINGS: [(&str, &str); 6] = [
    ("ACCESS_TOKEN_MINUTES", "10000"),
    ("AUTH_LIMIT_PER_5_MIN", "100000000"),
    ("AUTH_ADDRESS_LIMIT_PER_5_MIN", "100000000"),
    ("WRITE_LIMIT_PER_5_MIN", "100000000"),
    ("GATEWAY_RATE", "100000000"),
    ("GATEWAY_BURST", "100000000"),
];

/// A stack and its directory. Dropping it kills it.
pub(crate) struct Server {
    binary: PathBuf,
    directory: PathBuf,
    port: u16,
    process: Child,
}

impl Server {
    /// Starts a stack on a directory that is not there yet.
    pub(crate) async fn start(binary: PathBuf, directory: PathBuf) -> Result<Self> {
        std::fs::create_dir(&directory).with_context(|| directory.display().to_string())?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = spawn(&binary, &directory, port)?;
        let mut server = Self { binary, directory, port, process };
        server.until_ready().await?;
        Ok(server)
    }

    /// Starts another on the same directory.
    pub(crate) async fn start_again(&mut self) -> Result<()> {
        self.process = spawn(&self.binary, &self.directory, self.port)?;
        self.until_ready().await
    }

    /// Kills it, as `kill -9` does.
    pub(crate) fn kill(&mut self) -> Result<()> {
        let ended = self.process.try_wait()?;
        ensure!(ended.is_none(), "the stack ended by itself: {}", log(&self.directory).display());
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    /// A client that has spoken to no stack before.
    pub(crate) fn api(&self) -> Api {
        Api::new(format!("http://127.0.0.1:{}", self.port))
    }

    /// Lets what waits for a time come.
    pub(crate) async fn let_time_pass(&self) -> Result<()> {
        self.api().console("clock", json!({ "advanceSeconds": WAITS_SECONDS })).await.map(drop)
    }

    /// Lets work go on until nothing is under way.
    pub(crate) async fn rest(&self) -> Result<()> {
        let api = self.api();
        for _ in 0..RESTS_MAX {
            let report = api.console("settle", Value::Null).await?;
            let idle = |of: &Value| ["delivered", "failed", "left"].iter().all(|it| of[*it] == 0);
            if idle(&report) && idle(&report["stream"]) && report["stream"]["givenUp"] == 0 {
                return Ok(());
            }
        }
        bail!("the stack does not come to rest")
    }

    async fn until_ready(&mut self) -> Result<()> {
        let (api, asked) = (self.api(), Instant::now());
        while api.get(None, "/_local/queues").await.is_err() {
            let ended = self.process.try_wait()?;
            ensure!(
                ended.is_none() && asked.elapsed() < STARTS_WITHIN,
                "the stack does not start: {}",
                log(&self.directory).display()
            );
            tokio::time::sleep(ASK_EVERY).await;
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
