//! What reads take where there is ever more of what they read from. What does not grow is the promise.

use std::{collections::HashSet, time::Instant};

use anyhow::{Context, Result, ensure};
use local::Stack;
use rand::{SeedableRng, rngs::StdRng};
use reqwest::RequestBuilder;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    meter::Asked,
    mold::{Mold, Stamp},
    molds::mold,
    people::answer,
    processor::Taken,
    report::{Table, figure, plus},
    serve::{Command, Role},
    server::Server,
    spread::Spread,
    subjects::{self, Field, Subject},
    writer::Writer,
};

const COUNTED: usize = 5;
/// Requests before any is measured: they fill the memories of an instance.
const WARM: usize = 3;
/// The names of somebody new, where one more comes about by requests. The second is the one that is stamped.
const NAMES: [&str; 2] = ["firstspecimen", "secondspecimen"];
/// Nobody may search more often than 30 times a minute: after so many the clock is moved.
const TOGETHER: usize = 20;
const LIMIT_SECONDS: u64 = 61;
/// A page that is shown has as many.
const PAGE: usize = 10;
const SECOND: i64 = 1_000;

/// What grows in a stack, in the process of it.
#[derive(Default)]
pub(crate) struct Ground(Option<Grown>);

struct Grown {
    field: Field,
    mold: Mold,
    at: i64,
    rows: usize,
}

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
            self.0 = Some(Grown::plant(stack, &subject).await?);
        }
        let grown = self.0.as_mut().context("a ground")?;
        grown.stamp(stack, rows)?;
        let paths = subject.reads.iter().map(|(_, path)| path(&grown.field)).collect();
        Ok(Reads { token: grown.field.ann.token.clone(), paths })
    }
}

impl Grown {
    /// The first also writes what there is once; what the second writes is the mold.
    async fn plant(stack: &Stack, subject: &Subject) -> Result<Self> {
        let field = Field::of(stack).await?;
        (subject.one_more)(&field, NAMES[0]).await?;
        let at = stack.clock().now().as_millisecond();
        let (mold, ()) = mold(stack, at, &NAMES[1..], (subject.one_more)(&field, NAMES[1])).await?;
        Ok(Self { field, mold, at, rows: NAMES.len() })
    }

    /// Each is a second older than the one before.
    fn stamp(&mut self, stack: &Stack, rows: usize) -> Result<()> {
        let now = stack.clock().now().as_second();
        let mut writer = Writer::new(stack.database(), stack.table_name(), now);
        let mut random = StdRng::seed_from_u64(rows as u64);
        for number in self.rows..rows {
            let (at, name) = (self.at - SECOND * number as i64, format!("s{number:07}"));
            let stamp = Stamp { at, ids: &[], names: &[(NAMES[1], &name)] };
            writer.write(self.mold.stamp(&stamp, &mut random)?)?;
        }
        writer.end()?;
        self.rows = self.rows.max(rows);
        Ok(())
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
            for _ in 0..TOGETHER.min(requests - took.len()) {
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
