//! Measures reads on networks of growing size. The cost of a read must not grow with posts, likes, followers or
//! messages.

use anyhow::Result;
use serde::Serialize;

use crate::{
    operations::Kind,
    report::{Table, figure, plus},
    requests::{self, Load},
    scene::Scene,
    seed::Size,
    serve::ServerOptions,
    server::Server,
};

/// Divisors of the full network size, one per measured network. The smallest network comes first.
const DIVISORS: [usize; 3] = [100, 10, 1];
/// Ratio of posts in the network to messages in each group.
const POSTS_PER_MESSAGE: usize = 250;

/// Results of the measured reads on a network with `posts` posts.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Measured {
    pub(crate) posts: usize,
    pub(crate) reads: Vec<requests::Measured>,
}

/// Measures reads at each network size. `filter` selects the reads whose name contains the text. `None` selects all.
pub(crate) async fn measure(whole: Size, load: &Load, filter: Option<&str>) -> Result<Vec<Measured>> {
    let mut measured = Vec::new();
    for divisor in DIVISORS {
        let Size { posts, likes, followers, .. } = whole;
        let size = Size {
            posts: posts.div_ceil(divisor),
            likes: likes / divisor,
            followers: followers.div_ceil(divisor),
            ..whole
        };
        eprintln!("{} posts …", size.posts);
        let server = Server::start(&ServerOptions { size, data: None }).await?;
        let scene = Scene::prepare(server, load.clients, size.posts / POSTS_PER_MESSAGE).await?;
        let reads = requests::measure(&scene, load, |operation| {
            operation.kind == Kind::Read && filter.is_none_or(|text| operation.name.contains(text))
        });
        measured.push(Measured { posts: size.posts, reads: reads.await? });
    }
    Ok(measured)
}

/// Returns a table with a row per read and a column per size.
pub(crate) fn table(measured: &[Measured]) -> Table {
    let headers = |unit: &str| {
        measured.iter().map(move |result| format!("{unit} {}", result.posts)).collect::<Vec<_>>()
    };
    let columns = ["CPU ms", "p50 ms", "calls", "RRU"];
    let head: Vec<_> = columns.into_iter().flat_map(headers).collect();
    let head: Vec<_> = ["read, by posts"].into_iter().chain(head.iter().map(String::as_str)).collect();
    let names = measured.first().map_or(&[][..], |result| &result.reads).iter().map(|read| read.operation);
    let rows = names.enumerate().map(|(index, name)| {
        let cells = |cell: fn(&requests::Measured) -> String| {
            measured.iter().map(|result| cell(&result.reads[index])).collect::<Vec<_>>()
        };
        let columns = [
            vec![name.to_owned()],
            cells(|read| figure(read.processor.total(), 2)),
            cells(|read| figure(read.throughput.latency.p50, 1)),
            cells(|read| plus(read.consumed.calls, 0.0)),
            cells(|read| plus(read.consumed.read_units, 0.0)),
        ];
        columns.concat()
    });
    Table::new("Growth: cost of reads by size of the network", &head, rows.collect())
}
