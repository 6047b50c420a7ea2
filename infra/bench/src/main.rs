//! `make bench`: the embedded stack as a process of its own, with a network in it, under load by HTTP on loopback.
//!
//! Start at [`operations`], the list of what is asked, and [`subjects`], that of what grows.

mod arrivals;
mod drains;
mod figures;
mod growth;
mod loops;
mod meter;
mod operations;
mod people;
mod plan;
mod plot;
mod processor;
mod report;
mod requests;
mod rows;
mod scene;
mod seed;
mod serve;
mod server;
mod spread;
mod startup;
mod subjects;
mod texts;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use figures::Figures;
use requests::Load;
use scene::Scene;
use seed::Size;
use serve::Role;
use server::Server;

/// Sizes of what grows.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Measures what requests take, and what follows from them: of a processor, of the table, of time, and in dollars.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    size: Size,
    #[command(flatten)]
    load: Load,
    /// Measures only this; may stand several times.
    #[arg(long, value_enum)]
    only: Vec<Phase>,
    /// Only operations, or things that grow, with this text in their names.
    #[arg(long)]
    of: Option<String>,
    /// Rows of each thing that grows.
    #[arg(long, value_delimiter = ',')]
    rows: Vec<usize>,
    /// Requests of each read at each size.
    #[arg(long, default_value_t = 60)]
    reads: usize,
    /// Requests of each kind whose messages wait to be worked off.
    #[arg(long, default_value_t = 2_000)]
    backlog: usize,
    /// How often each bootstrap is started: ten times with `--full`, else three times.
    #[arg(long)]
    starts: Option<usize>,
    /// Where bootstraps are.
    #[arg(long, default_value = "target/release", value_name = "DIR")]
    bootstraps: PathBuf,
    /// Where tables and plots are written.
    #[arg(long, default_value = "target/bench", value_name = "DIR")]
    out: PathBuf,
    /// A million rows of each thing too.
    #[arg(long)]
    full: bool,
    /// Keeps the table of the network in this directory, which is to be empty, and waits for the disk.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Is the stack that is measured.
    #[arg(long, hide = true)]
    serve: Option<String>,
}

/// What is measured, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Phase {
    Requests,
    Drains,
    Growth,
    Startup,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match &arguments.serve {
        Some(role) => serve::serve(serde_json::from_str(role)?).await,
        None => arguments.measure().await,
    }
}

impl Arguments {
    async fn measure(&self) -> Result<()> {
        let mut figures = Figures::begin(&self.out)?;
        if self.does(Phase::Requests) || self.does(Phase::Drains) {
            self.measure_network(&mut figures).await?;
        }
        if self.does(Phase::Growth) {
            let sizes = self.sizes();
            let measured = growth::measure(&sizes, self.reads, self.of.as_deref()).await?;
            figures.add("growth", &measured, &growth::table(&measured, &sizes))?;
            plot::draw(&measured, &self.out.join("growth.svg"))?;
        }
        if self.does(Phase::Startup) {
            let startup = startup::measure(&self.bootstraps, self.starts()).await?;
            figures.add("startup", &startup, &startup::table(&startup))?;
            if !startup.missing.is_empty() {
                figures.say(&format!("Not built, so not measured: {}.", startup.missing.join(", ")));
            }
        }
        figures.end()
    }

    async fn measure_network(&self, figures: &mut Figures) -> Result<()> {
        let begun = std::time::Instant::now();
        let role = Role { size: Some(self.size), data: self.data.clone() };
        let server = Server::start(&role).await?;
        let seconds = begun.elapsed().as_secs_f64();
        let Size { people, posts, likes, followers, .. } = self.size;
        figures.say(&format!(
            "A network of {people} people, {posts} posts, {likes} likes and an author with {followers} followers: {} \
             rows, written in {seconds:.0} seconds, {:.0} MB.",
            server.network.rows,
            server.resident_mb()?
        ));
        let scene = Scene::set(server, self.load.clients).await?;
        if self.does(Phase::Requests) {
            let measured = requests::measure(&scene, &self.load, self.of.as_deref()).await?;
            figures.add("requests", &measured, &requests::table(&measured))?;
        }
        if self.does(Phase::Drains) {
            let drained = drains::measure(&scene, self.backlog).await?;
            figures.add("drains", &drained, &drains::table(&drained))?;
        }
        figures.say(&format!("The stack takes {:.0} MB at the end.", scene.server.resident_mb()?));
        Ok(())
    }

    fn does(&self, phase: Phase) -> bool {
        self.only.is_empty() || self.only.contains(&phase)
    }

    fn starts(&self) -> usize {
        self.starts.unwrap_or(if self.full { 10 } else { 3 })
    }

    fn sizes(&self) -> Vec<usize> {
        match (self.rows.is_empty(), self.full) {
            (false, _) => self.rows.clone(),
            (true, true) => SIZES.to_vec(),
            (true, false) => SIZES[..SIZES.len() - 1].to_vec(),
        }
    }
}
