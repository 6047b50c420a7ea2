//! `make bench`: the embedded stack as a process of its own, under load by HTTP on loopback. Prints a table.

mod load;
mod people;
mod report;
mod server;
mod texts;

use std::{path::PathBuf, time::Duration};

use anyhow::Result;
use clap::Parser;
use load::Load;
use people::People;
use server::Server;

/// Longer than the feed is read anew for somebody who wrote: most readers have not.
const WRITING: Duration = Duration::from_secs(4);
/// Replies of the post whose replies are read.
const REPLIES: usize = 40;

/// Measures what requests take, and what follows from them: per second, and of a processor.
#[derive(Parser)]
struct Arguments {
    /// Posts that are written.
    #[arg(long, default_value_t = 10_000)]
    posts: usize,
    /// Likes, each of another post by the same person.
    #[arg(long, default_value_t = 40_000)]
    likes: usize,
    /// Requests of each other kind.
    #[arg(long, default_value_t = 4_000)]
    requests: usize,
    /// Clients that ask at the same time.
    #[arg(long, default_value_t = 8)]
    clients: usize,
    /// Keeps the table in this directory, which is to be empty, instead of in memory.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Is the stack that is measured.
    #[arg(long, hide = true)]
    serve: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.serve {
        true => server::serve(arguments.data).await,
        false => measure(&arguments).await,
    }
}

async fn measure(&Arguments { posts, likes, requests, clients, ref data, .. }: &Arguments) -> Result<()> {
    let server = Server::start(data.as_deref()).await?;
    let people = People::sign_up(&server.url, clients).await?;
    people.follow_each_other().await?;
    people.settle().await?;
    let mut measured = Vec::new();
    let load = Load { server: &server, people: &people, posts: &[] };
    measured.push(load.creates(posts).await?);
    let posts = load::ids(&measured[0]);
    let memory_with_posts = server.resident_mb()?;
    let load = Load { posts: &posts, ..load };
    measured.push(load.likes(likes).await?);
    let memory_with_likes = server.resident_mb()?;
    people.reply(&posts[0], REPLIES).await?;
    tokio::time::sleep(WRITING).await;
    measured.push(load.reads("GET /posts/news-feed", requests, |_| "/posts/news-feed".into()).await?);
    let following = |_: &str| "/posts/news-feed?type=FOLLOWING".into();
    measured.push(load.reads("the same, FOLLOWING", requests, following).await?);
    let replies = |_: &str| format!("/posts/{}/replies", posts[0]);
    measured.push(load.reads("GET /posts/{id}/replies", requests, replies).await?);
    measured.push(load.reads("GET /posts/{id}", requests, |post| format!("/posts/{post}")).await?);
    println!("{}", report::table(&measured));
    println!(
        "{memory_with_posts:.0} MB with {} posts, {memory_with_likes:.0} MB after {likes} likes",
        posts.len()
    );
    Ok(())
}
