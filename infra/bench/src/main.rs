//! `make bench`: the embedded stack under load, in one process, over HTTP on loopback. Prints a table.

mod load;
mod memory;
mod people;
mod report;

use std::{collections::BTreeMap, time::Duration};

use anyhow::Result;
use clap::Parser;
use load::{Load, Order};
use local::{Options, Stack};
use memory::Memory;
use people::People;

/// Measures likes and reads a second, and the memory that posts take.
#[derive(Parser)]
struct Arguments {
    /// Posts that are there before anything is measured.
    #[arg(long, default_value_t = 10_000)]
    posts: usize,
    /// Clients that ask at the same time.
    #[arg(long, default_value_t = 8)]
    clients: usize,
    /// Seconds that each load lasts.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { posts, clients, seconds } = Arguments::parse();
    let stack = Stack::start(Options { variables: without_limits(), ..Options::default() }).await?;
    eprintln!("writing {posts} posts …");
    let people = People::sign_up(stack.url(), clients).await?;
    let posts = people.write(posts).await?;
    people.settle().await?;
    let with_posts = memory::resident_mb()?;
    let (feed, others) = posts.split_at(posts.len() / 2);
    let load = Load { people: &people, posts: feed, lasts: Duration::from_secs(seconds), order: Order::Feed };
    let apart = Load { posts: others, order: Order::Apart, ..load };
    let likes = load.likes("POST /posts/{id}/like, of one feed", Some(1500.0)).await?;
    people.settle().await?;
    let likes_apart = apart.likes("POST /posts/{id}/like, of different posts", None).await?;
    people.settle().await?;
    let measured = [likes, likes_apart, apart.reads().await?, load.feeds().await?];
    let memory = Memory { posts: posts.len(), with_posts, in_the_end: memory::resident_mb()? };
    println!("{}", report::table(&measured, &memory));
    Ok(())
}

/// What is measured is the service, not its limits.
fn without_limits() -> BTreeMap<String, String> {
    let limits = ["AUTH_LIMIT_PER_5_MIN", "WRITE_LIMIT_PER_5_MIN", "GATEWAY_RATE", "GATEWAY_BURST"];
    limits.map(|name| (name.to_owned(), "100000000".to_owned())).into()
}
