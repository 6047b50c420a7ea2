//! `make dev`: starts the stack, prints an example request, and logs requests.

mod banner;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result, anyhow};
use clap::Parser;
use local::{Options, Recorder, Stack};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

/// Setting for the base URL of links in emails.
const APP_URL: &str = "APP_URL";

/// Runs the service on 127.0.0.1. Settings come from the environment variables that infra/SETTINGS.md lists.
#[derive(Parser)]
#[command(name = "local")]
struct Arguments {
    /// Port of the API.
    #[arg(long, env = "PORT", default_value_t = 3000)]
    port: u16,
    /// Stores all data in this directory.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Uses this template instead of the checkout's.
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// Uses the fixed clock, seed and secrets of the examples in the API reference.
    #[arg(long, conflicts_with_all = ["data", "runtime"])]
    story: bool,
    /// Calls functions at this URL with Lambda's Invoke API, instead of running the functions in this process.
    #[arg(long, value_name = "URL")]
    runtime: Option<String>,
    /// Writes the environment for functions at `--runtime`, including secrets, to this file when the stack is ready.
    #[arg(long, value_name = "FILE", requires = "runtime")]
    environment: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    // The table logs a warning for each failed condition, but failed conditions are normal here.
    let quiet = || EnvFilter::new("warn,dynoxide=error");
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| quiet());
    let terminal = tracing_subscriber::fmt::layer().compact().with_writer(std::io::stderr);
    let recorder = Recorder::default();
    tracing_subscriber::registry().with(terminal.with_filter(filter)).with(recorder.layer()).init();
    match run(Arguments::parse(), recorder).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments, recorder: Recorder) -> Result<()> {
    let template = match &arguments.template {
        Some(path) => Some(std::fs::read_to_string(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let mut options = if arguments.story { Options::story() } else { Options::default() };
    options.variables.extend(settings(template.as_deref(), arguments.port)?);
    let options = Options {
        port: arguments.port,
        aws_port: if arguments.story { next(arguments.port) } else { 0 },
        data: arguments.data.clone(),
        template,
        runtime: arguments.runtime.clone(),
        log: banner::wants_log().then(|| Arc::new(banner::log) as local::RequestLog),
        recorder,
        ..options
    };
    let stack = Stack::start(options).await.map_err(|error| hint(error, arguments.port))?;
    if let Some(file) = &arguments.environment {
        let lines = stack.environment().iter().map(|(name, value)| format!("{name}={value}\n"));
        write_atomically(file, &lines.collect::<String>())?;
    }
    banner::print(&stack, arguments.data.as_deref());
    wait_for_signal().await?;
    eprintln!("stopping");
    stack.stop().await;
    Ok(())
}

/// Returns the port after `port`. URLs of files in the examples have this port. 0 is any free port.
fn next(port: u16) -> u16 {
    if port == 0 { 0 } else { port.saturating_add(1) }
}

/// Returns the settings from this process's environment. By default, links in emails lead to the console.
fn settings(template: Option<&str>, port: u16) -> Result<BTreeMap<String, String>> {
    let mut settings = BTreeMap::new();
    if local::is_setting(template, APP_URL)? {
        // With port 0, the system chooses the port later. Then links in emails and passkeys do not work.
        let host = if port == 0 { "127.0.0.1".to_owned() } else { format!("127.0.0.1:{port}") };
        settings.insert(APP_URL.to_owned(), format!("http://{host}/_local/console"));
    }
    for (name, value) in std::env::vars_os() {
        let Ok(name) = name.into_string() else { continue };
        let is_variable = name.chars().all(|letter| matches!(letter, 'A'..='Z' | '0'..='9' | '_'));
        if is_variable && local::is_setting(template, &name)? {
            let value = value.into_string().map_err(|_| anyhow!("{name} must be UTF-8"))?;
            settings.insert(name, value);
        }
    }
    Ok(settings)
}

/// Writes a new file and renames it, so that readers never see an incomplete file.
fn write_atomically(file: &Path, text: &str) -> Result<()> {
    let new = file.with_extension("new");
    std::fs::write(&new, text).with_context(|| new.display().to_string())?;
    std::fs::rename(&new, file).with_context(|| file.display().to_string())
}

fn hint(error: anyhow::Error, port: u16) -> anyhow::Error {
    let taken = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    if taken == Some(std::io::ErrorKind::AddrInUse) {
        return anyhow!(
            "port {port} is in use. Stop the program that listens there, or choose another port: PORT=3001 make dev"
        );
    }
    error
}

async fn wait_for_signal() -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted?,
        _ = terminate.recv() => {}
    }
    Ok(())
}
