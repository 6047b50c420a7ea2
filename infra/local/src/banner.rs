//! What the terminal shows.

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
/// Queue names per line, to fit 120 characters.
const QUEUES_PER_LINE: usize = 5;

/// What runs, where, and a first request to copy.
pub(crate) fn print(stack: &Stack, data: Option<&Path>) {
    let (url, running) = (stack.url(), stack.running());
    let kept = data.map_or("until it ends".to_owned(), |data| format!("kept in {}", data.display()));
    println!("{}", paint(BOLD, &format!("The social network runs on {url}, {kept}")));
    heading("functions");
    table(running.functions.iter().map(|(name, called_by)| (name.as_str(), called_by.join("  "))));
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
        ("page to try it", format!("{url}/app")),
        ("DynamoDB", format!("{}  table {}", stack.dynamodb_url(), stack.table_name())),
        ("SQS, events, SES", stack.aws_url().to_owned()),
    ]);
    heading("a first request");
    println!(
        "    curl -s {url}/auth/register -H 'content-type: application/json' \\\n      \
         -d '{{\"name\":\"Ann\",\"username\":\"ann\",\"email\":\"ann@example.com\",\"password\":\"correct horse\"}}'\n"
    );
}

/// Whether requests are logged: not into pipes and files.
pub(crate) fn wants_log() -> bool {
    stdout().is_terminal()
}

/// One line a request.
pub(crate) fn log(line: &RequestLine<'_>) {
    let status = line.status.as_u16();
    let colour = match status {
        500.. => RED,
        400.. => YELLOW,
        _ => GREEN,
    };
    let took = format!("{:.1} ms", line.took.as_secs_f64() * 1000.0);
    println!(
        "{:<7}{}  {}  {}",
        line.method,
        paint(colour, &status.to_string()),
        line.path,
        paint(DIM, &took)
    );
}

/// Prints names and texts in two columns.
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

fn paint(colour: &str, text: &str) -> String {
    if stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("\x1b[{colour}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}
