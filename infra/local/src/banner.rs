//! Terminal output of `make dev`.

use std::{
    io::{IsTerminal, stdout},
    path::Path,
};

use local::{RequestLine, Stack};

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
/// Number of queue names that fit in a line of 120 columns.
const QUEUES_PER_LINE: usize = 5;

/// Prints the stack's resources and addresses, and an example request to copy.
pub(crate) fn print(stack: &Stack, data: Option<&Path>) {
    let (url, running) = (stack.url(), stack.running());
    let storage = data.map_or("in memory".to_owned(), |data| format!("data in {}", data.display()));
    println!("{}", paint(BOLD, &format!("The social network runs on {url}, {storage}")));
    heading("functions");
    table(running.functions.iter().map(|(name, triggers)| (name.as_str(), triggers.join("  "))));
    heading("queues");
    let queues: Vec<_> = stack.queues().into_iter().map(|queue| queue.name).collect();
    queues.chunks(QUEUES_PER_LINE).for_each(|names| println!("    {}", names.join("  ")));
    heading("schedules");
    table(running.schedules.iter().map(|(name, expression)| (name.as_str(), expression.clone())));
    if running.schedules.is_empty() {
        println!("    {}", paint(DIM, "none"));
    }
    heading("addresses");
    table([
        ("API reference", format!("{url}/docs")),
        ("console", format!("{url}/_local/")),
        ("sample app", format!("{url}/app")),
        ("moderators' desk", format!("{url}/desk")),
        ("DynamoDB", format!("{}  table {}", stack.dynamodb_url(), stack.table_name())),
        ("SQS, EventBridge, SES", stack.aws_url().to_owned()),
    ]);
    heading("a first request");
    println!(
        "    curl -s {url}/auth/register -H 'content-type: application/json' \\\n      \
         -d '{{\"name\":\"Ann\",\"username\":\"ann\",\"email\":\"ann@example.com\",\"password\":\"correct horse battery\"}}'\n"
    );
}

/// Returns whether to log requests: only if the output is a terminal.
pub(crate) fn wants_log() -> bool {
    stdout().is_terminal()
}

pub(crate) fn log(line: &RequestLine<'_>) {
    let status = line.status.as_u16();
    let color = match status {
        500.. => RED,
        400.. => YELLOW,
        _ => GREEN,
    };
    let took = format!("{:.1} ms", line.took.as_secs_f64() * 1000.0);
    println!("{:<7}{}  {}  {}", line.method, paint(color, &status.to_string()), line.path, paint(DIM, &took));
}

fn table<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) {
    let rows: Vec<_> = rows.into_iter().collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (name, text) in rows {
        println!("    {name:<width$}  {}", paint(DIM, &text));
    }
}

fn heading(text: &str) {
    println!("  {}", paint(BOLD, text));
}

fn paint(color: &str, text: &str) -> String {
    if stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("\x1b[{color}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}
