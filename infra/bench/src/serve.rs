//! Runs the measured stack in its own process. Commands and responses are lines of JSON on standard input and output.

use std::{collections::BTreeMap, io::Write, path::PathBuf, sync::Arc};

use anyhow::Result;
use local::{Delivery, Options, Stack};
use platform::app::Clients;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::{
    drains,
    meter::Meter,
    seed::{Network, Size, seed},
};

/// Options of the measured stack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ServerOptions {
    /// Size of the network.
    pub(crate) size: Size,
    /// Empty directory for the table. `None` uses a temporary database.
    pub(crate) data: Option<PathBuf>,
}

/// First line of output, printed when the stack is ready.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Started {
    pub(crate) url: String,
    pub(crate) network: Network,
}

/// One line of input.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Command {
    /// Returns the consumption since the previous `Count`. Counting continues only if the flag is true.
    Count(bool),
    /// Drains all queues, one after the other.
    Drain,
}

/// The response to a command, written as one line of output.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Done(Value),
    Failed(String),
}

/// Runs the stack until standard input ends.
pub(crate) async fn serve(server_options: ServerOptions) -> Result<()> {
    let meter = Meter::default();
    let watch = meter.clone();
    let options = Options {
        variables: without_limits(),
        data: server_options.data,
        // Follow-up work waits, so that it is measured separately from the requests.
        delivery: Delivery::Manual,
        clients: Some(Arc::new(move |config| Clients::new(&watch.watch(config)))),
        ..Options::default()
    };
    let stack = Stack::start(options).await?;
    let network = seed(&stack, &server_options.size).await?;
    print_line(&Started { url: stack.url().to_owned(), network })?;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let answer = match execute(&stack, &meter, serde_json::from_str(&line)?).await {
            Ok(value) => Answer::Done(value),
            Err(error) => Answer::Failed(format!("{error:#}")),
        };
        print_line(&answer)?;
    }
    Ok(())
}

async fn execute(stack: &Stack, meter: &Meter, command: Command) -> Result<Value> {
    Ok(match command {
        Command::Count(is_on) => serde_json::to_value(meter.read(is_on))?,
        Command::Drain => serde_json::to_value(drains::drain(stack, meter).await?)?,
    })
}

fn print_line(value: &impl Serialize) -> Result<()> {
    let mut output = std::io::stdout().lock();
    serde_json::to_writer(&mut output, value)?;
    output.write_all(b"\n")?;
    Ok(output.flush()?)
}

/// Returns settings without rate limits, and with sessions that last the whole run.
fn without_limits() -> BTreeMap<String, String> {
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let limits = [
        "AUTH_LIMIT_PER_5_MIN",
        "AUTH_ADDRESS_LIMIT_PER_5_MIN",
        "WRITE_LIMIT_PER_5_MIN",
        "READ_LIMIT_PER_5_MIN",
        "REGISTER_LIMIT_PER_HOUR",
        "POST_LIMIT_PER_5_MIN",
        "POST_LIMIT_PER_DAY",
        "PREVIEW_LIMIT_PER_HOUR",
        "GATEWAY_RATE",
        "GATEWAY_BURST",
    ];
    limits
        .map(|name| set(name, "100000000"))
        .into_iter()
        .chain([set("ACCESS_TOKEN_MINUTES", "1000")])
        .collect()
}
