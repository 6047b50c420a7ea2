//! The stack that is measured, in a process of its own: it says where it is, and then does what it is told, a line each.

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

/// What the stack is to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Role {
    /// The network in it.
    pub(crate) size: Size,
    /// An empty directory for the table, which is kept nowhere otherwise.
    pub(crate) data: Option<PathBuf>,
}

/// What it says when it is there.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct There {
    pub(crate) url: String,
    pub(crate) network: Network,
}

/// What it is told. Each is answered with one line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Command {
    /// Says what was asked of AWS since the last time, and counts it from now on, or not.
    Count(bool),
    /// Works off every queue, one after the other.
    Drain,
}

/// What it answers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Done(Value),
    Failed(String),
}

/// Is the stack until its input ends.
pub(crate) async fn serve(role: Role) -> Result<()> {
    let meter = Meter::default();
    let watch = meter.clone();
    let options = Options {
        variables: without_limits(),
        data: role.data,
        // What follows from requests waits, so that the two are measured apart.
        delivery: Delivery::Manual,
        clients: Some(Arc::new(move |config| Clients::new(&watch.watch(config)))),
        ..Options::default()
    };
    let stack = Stack::start(options).await?;
    let network = seed(&stack, &role.size).await?;
    say(&There { url: stack.url().to_owned(), network })?;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let answer = match obey(&stack, &meter, serde_json::from_str(&line)?).await {
            Ok(value) => Answer::Done(value),
            Err(error) => Answer::Failed(format!("{error:#}")),
        };
        say(&answer)?;
    }
    Ok(())
}

async fn obey(stack: &Stack, meter: &Meter, command: Command) -> Result<Value> {
    Ok(match command {
        Command::Count(is_on) => serde_json::to_value(meter.read(is_on))?,
        Command::Drain => serde_json::to_value(drains::drain(stack, meter).await?)?,
    })
}

fn say(what: &impl Serialize) -> Result<()> {
    let mut output = std::io::stdout().lock();
    serde_json::to_writer(&mut output, what)?;
    output.write_all(b"\n")?;
    Ok(output.flush()?)
}

/// What is measured is the service, not its limits; and nobody signs in anew while it is.
pub(crate) fn without_limits() -> BTreeMap<String, String> {
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let limits = [
        "AUTH_LIMIT_PER_5_MIN",
        "AUTH_ADDRESS_LIMIT_PER_5_MIN",
        "WRITE_LIMIT_PER_5_MIN",
        "GATEWAY_RATE",
        "GATEWAY_BURST",
    ];
    limits
        .map(|name| set(name, "100000000"))
        .into_iter()
        .chain([set("ACCESS_TOKEN_MINUTES", "1000")])
        .collect()
}
