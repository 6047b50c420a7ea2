//! Chores of the person who runs the service, on the local stack or on a deployed table.

mod admin;
mod judge;
mod recount;
mod redrive;
mod republish;
mod seed;
mod target;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};
use target::Target;

/// Chores of the person who runs the service.
#[derive(Parser)]
#[command(name = "tools")]
struct Arguments {
    #[command(flatten)]
    target: Target,
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Makes somebody a SUPER_ADMIN; they sign in again.
    Admin {
        /// The e-mail of their account.
        email: String,
    },
    /// Compares counters with what they count, and mends those that drifted.
    Recount {
        /// Ids of posts and users; all when there are none.
        ids: Vec<String>,
    },
    /// Has the dead letters of a queue done again.
    Redrive {
        /// The queue: `liked-add`, or `social-prod-LikedAddQueue`, or its address.
        queue: String,
    },
    /// Has what follows from the writes of a time delivered again, after the stream lost something.
    Republish(republish::When),
    /// Fills the network with people, posts, follows and likes.
    Seed(seed::Size),
    /// Trains the embedded judge from its examples; build again to use what it learned.
    TrainJudge,
    /// Shows what the embedded judge makes of examples it did not learn from.
    TestJudge {
        /// A file of comments to show instead: a label (`0`, `clean`, or what is bad), a tab, a text.
        #[arg(long)]
        comments: Option<PathBuf>,
    },
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { target, chore } = Arguments::parse();
    match chore {
        Chore::Admin { email } => admin::appoint(&target.app().await?, email).await,
        Chore::Recount { ids } => recount::recount(&target.app().await?, &ids).await,
        Chore::Redrive { queue } => redrive::redrive(&target.queues().await?, &queue).await,
        Chore::Republish(when) => republish::again(&target.app().await?, when).await,
        Chore::Seed(size) => seed::seed(target.api(), size).await,
        Chore::TrainJudge => judge::train(),
        Chore::TestJudge { comments: None } => judge::test(),
        Chore::TestJudge { comments: Some(path) } => judge::test_comments(&path),
    }
}
