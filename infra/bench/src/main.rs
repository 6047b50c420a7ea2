//! `make bench`: the embedded stack as a process of its own, with a network in it, under load by HTTP on loopback.
//!
//! Start at [`operations`], the list of what is asked.

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
    /// Only operations with this text in their names.
    #[arg(long)]
    of: Option<String>,
    /// Requests of each kind whose messages wait to be worked off.
    #[arg(long, default_value_t = 2_000)]
    backlog: usize,
    /// Where tables and plots are written.
    #[arg(long, default_value = "target/bench", value_name = "DIR")]
    out: PathBuf,
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
            let measured = growth::measure(self.size, &self.load, self.of.as_deref()).await?;
            figures.add("growth", &measured, &growth::table(&measured))?;
            plot::draw(&measured, &self.out.join("growth.svg"))?;
        }
        figures.end()
    }

    async fn measure_network(&self, figures: &mut Figures) -> Result<()> {
        let begun = std::time::Instant::now();
        let role = Role { size: self.size, data: self.data.clone() };
        let server = Server::start(&role).await?;
        let seconds = begun.elapsed().as_secs_f64();
        let Size { people, posts, likes, followers, .. } = self.size;
        figures.say(&format!(
            "A network of {people} people, {posts} posts, {likes} likes and an author with {followers} followers: {} \
             rows, written in {seconds:.0} seconds, {:.0} MB.",
            server.network.rows,
            server.resident_mb()?
        ));
        let scene = Scene::set(server, self.load.clients, scene::MESSAGES).await?;
        if self.does(Phase::Requests) {
            let measured = requests::measure(&scene, &self.load, |it| {
                self.of.as_deref().is_none_or(|of| it.name.contains(of))
            })
            .await?;
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
}
