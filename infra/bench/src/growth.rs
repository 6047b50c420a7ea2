//! What reads take where there is ever more of what they read from. What does not grow is the promise.

use std::{collections::HashSet, time::Instant};

use anyhow::{Context, Result, ensure};
use local::Stack;
use reqwest::RequestBuilder;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    meter::Asked,
    people::answer,
    processor::Taken,
    report::{Table, figure, plus},
    serve::{Command, Role},
    server::Server,
    spread::Spread,
    subjects::{self, Field},
};

const COUNTED: usize = 5;
/// Requests before any is measured: they fill the memories of an instance.
const WARM: usize = 3;
/// Nobody may search more often than 30 times a minute: after so many the clock is moved.
const SEARCHES: usize = 20;
const LIMIT_SECONDS: u64 = 61;
/// Rows that are made at the same time.
const TOGETHER: usize = 10_000;
/// A page that is shown has as many.
const PAGE: usize = 10;

/// What grows in a stack, in the process of it, and how many rows it has.
#[derive(Default)]
pub(crate) struct Ground(Option<(Field, usize)>);

/// Who asks, and what.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reads {
    token: String,
    paths: Vec<String>,
}

/// A read, where there are so many rows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Measured {
    pub(crate) subject: &'static str,
    pub(crate) read: &'static str,
    pub(crate) rows: usize,
    pub(crate) asked: Asked,
    pub(crate) processor: Taken,
    pub(crate) took: Spread,
}

impl Ground {
    /// Has so many rows of a subject there, and returns what reads from them.
    pub(crate) async fn grow(&mut self, stack: &Stack, subject: usize, rows: usize) -> Result<Reads> {
        let subject = subjects::all().into_iter().nth(subject).context("a subject")?;
        if self.0.is_none() {
            self.0 = Some((Field::of(stack).await?, 0));
        }
        let (field, grown) = self.0.as_mut().context("a ground")?;
        for first in (*grown..rows).step_by(TOGETHER) {
            (subject.grow)(field, first..rows.min(first + TOGETHER)).await?;
        }
        *grown = rows.max(*grown);
        let paths = subject.reads.iter().map(|(_, path)| path(field)).collect();
        Ok(Reads { token: field.ann.token.clone(), paths })
    }
}

/// Measures every read at each of the sizes.
pub(crate) async fn measure(sizes: &[usize], requests: usize, of: Option<&str>) -> Result<Vec<Measured>> {
    let mut measured = Vec::new();
    for (number, subject) in subjects::all().iter().enumerate() {
        if of.is_some_and(|of| !subject.name.contains(of)) {
            continue;
        }
        let server = Server::start(&Role::default()).await?;
        for rows in sizes {
            eprintln!("{rows} {} …", subject.name);
            let reads: Reads = server.tell(&Command::Grow { subject: number, rows: *rows }).await?;
            for (position, ((read, _), path)) in subject.reads.iter().zip(&reads.paths).enumerate() {
                let ask = || server.http.get(format!("{}{path}", server.url)).bearer_auth(&reads.token);
                if position == 0 {
                    shows_enough(&answer(ask()).await?, *rows).context(*read)?;
                }
                let of = Measured::of(&server, (subject.name, read), *rows, requests, ask).await;
                measured.push(of.with_context(|| format!("{rows} {}", subject.name))?);
            }
        }
    }
    Ok(measured)
}

impl Measured {
    async fn of(
        server: &Server,
        (subject, read): (&'static str, &'static str),
        rows: usize,
        requests: usize,
        ask: impl Fn() -> RequestBuilder,
    ) -> Result<Self> {
        for _ in 0..WARM {
            answer(ask()).await?;
        }
        server.asked(true).await?;
        for _ in 0..COUNTED {
            answer(ask()).await?;
        }
        let asked = server.asked(false).await?.each(COUNTED, Asked::default());
        let (mut processor, mut took) = (Taken::default(), Vec::new());
        while took.len() < requests {
            if read.contains("/search") {
                server.advance(LIMIT_SECONDS).await?;
            }
            let before = server.taken()?;
            for _ in 0..SEARCHES.min(requests - took.len()) {
                let begin = Instant::now();
                answer(ask()).await?;
                took.push(begin.elapsed());
            }
            processor = processor.and(server.taken()? - before);
        }
        let processor = processor.each(requests);
        Ok(Self { subject, read, rows, asked, processor, took: Spread::of(took) })
    }
}

/// A list of what has grown is a whole page.
fn shows_enough(answer: &Value, rows: usize) -> Result<()> {
    let shown = answer["data"].as_array().map(Vec::len);
    ensure!(shown.is_none_or(|it| it >= PAGE.min(rows)), "only {shown:?} of {rows} are shown");
    Ok(())
}

/// A line for each read: its figures at each size.
pub(crate) fn table(measured: &[Measured], sizes: &[usize]) -> Table {
    let of_size = |what: &str| sizes.iter().map(move |it| format!("{what} {it}")).collect::<Vec<_>>();
    let columns = ["CPU ms", "p50 ms", "calls", "RRU"];
    let head: Vec<_> = columns.into_iter().flat_map(of_size).collect();
    let head: Vec<_> = ["read", "of"].into_iter().chain(head.iter().map(String::as_str)).collect();
    let mut lines: Vec<(&str, &str)> = measured.iter().map(|it| (it.read, it.subject)).collect();
    let mut seen = HashSet::new();
    lines.retain(|it| seen.insert(*it));
    let rows = lines.into_iter().map(|(read, subject)| {
        let line: Vec<_> = measured.iter().filter(|it| (it.read, it.subject) == (read, subject)).collect();
        let figures = |of: &dyn Fn(&Measured) -> String| line.iter().map(|it| of(it)).collect::<Vec<_>>();
        let columns = [
            vec![read.to_owned(), subject.to_owned()],
            figures(&|it| figure(it.processor.together(), 2)),
            figures(&|it| figure(it.took.p50, 1)),
            figures(&|it| plus(it.asked.calls, 0.0)),
            figures(&|it| plus(it.asked.read_units, 0.0)),
        ];
        columns.concat()
    });
    Table::new("Growth: what reads take where there are so many rows", &head, rows.collect())
}
