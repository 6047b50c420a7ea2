//! `make bench`: measures a local stack with the data of a whole network, over HTTP on loopback.
//!
//! Start at [`operations`], the list of measured requests.

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
mod texts;
mod turn;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use figures::Figures;
use requests::Load;
use scene::Scene;
use seed::Size;
use serve::ServerOptions;
use server::Server;

/// Measures processor time, capacity units, latency and price of requests and their follow-up work.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    size: Size,
    #[command(flatten)]
    load: Load,
    /// Measures only this phase. The option can be repeated.
    #[arg(long, value_enum)]
    only: Vec<Phase>,
    /// Measures only operations whose name contains this text.
    #[arg(long)]
    of: Option<String>,
    /// Number of requests of each kind that fill the queues for the drains phase.
    #[arg(long, default_value_t = 2_000)]
    backlog: usize,
    /// Output directory for tables and plots.
    #[arg(long, default_value = "target/bench", value_name = "DIR")]
    out: PathBuf,
    /// Stores the table in this empty directory. Writes then wait for the disk.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Only runs the measured stack. The value is the stack's options as JSON.
    #[arg(long, hide = true)]
    serve: Option<String>,
}

/// Parts of the benchmark, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Phase {
    Requests,
    Drains,
    Growth,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match &arguments.serve {
        Some(options) => serve::serve(serde_json::from_str(options)?).await,
        None => arguments.measure().await,
    }
}

impl Arguments {
    async fn measure(&self) -> Result<()> {
        let mut figures = Figures::begin(&self.out)?;
        if self.includes(Phase::Requests) || self.includes(Phase::Drains) {
            self.measure_network(&mut figures).await?;
        }
        if self.includes(Phase::Growth) {
            let measured = growth::measure(self.size, &self.load, self.of.as_deref()).await?;
            figures.add("growth", &measured, &growth::table(&measured))?;
            plot::draw(&measured, &self.out.join("growth.svg"))?;
        }
        figures.finish()
    }

    async fn measure_network(&self, figures: &mut Figures) -> Result<()> {
        let start = std::time::Instant::now();
        let options = ServerOptions { size: self.size, data: self.data.clone() };
        let server = Server::start(&options).await?;
        let seconds = start.elapsed().as_secs_f64();
        let Size { people, posts, likes, followers, .. } = self.size;
        figures.note(&format!(
            "The network has {people} users, {posts} posts, {likes} likes and an author with {followers} followers. \
             Writing its {} rows took {seconds:.0} seconds. They use {:.0} MB.",
            server.network.rows,
            server.resident_mb()?
        ));
        let scene = Scene::prepare(server, self.load.clients, scene::MESSAGES).await?;
        if self.includes(Phase::Requests) {
            let measured = requests::measure(&scene, &self.load, |operation| {
                self.of.as_deref().is_none_or(|text| operation.name.contains(text))
            })
            .await?;
            figures.add("requests", &measured, &requests::table(&measured))?;
        }
        if self.includes(Phase::Drains) {
            let drained = drains::measure(&scene, self.backlog).await?;
            figures.add("drains", &drained, &drains::table(&drained))?;
        }
        figures.note(&format!("At the end, the stack uses {:.0} MB of memory.", scene.server.resident_mb()?));
        Ok(())
    }

    fn includes(&self, phase: Phase) -> bool {
        self.only.is_empty() || self.only.contains(&phase)
    }
}
