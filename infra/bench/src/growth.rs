//! What the same reads take on a network with ever more posts, likes, followers and messages. What does not grow is the
//! promise.

use anyhow::Result;
use serde::Serialize;

use crate::{
    operations::Kind,
    report::{Table, figure, plus},
    requests::{self, Load},
    scene::Scene,
    seed::Size,
    serve::Role,
    server::Server,
};

/// The parts of the network, the smallest first.
const PARTS: [usize; 3] = [100, 10, 1];
/// For so many posts each group has one more message.
const POSTS_A_MESSAGE: usize = 250;

/// All reads, on a network with so many posts.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Measured {
    pub(crate) posts: usize,
    pub(crate) reads: Vec<requests::Measured>,
}

/// Measures every read on each part of a network.
pub(crate) async fn measure(whole: Size, load: &Load, of: Option<&str>) -> Result<Vec<Measured>> {
    let mut measured = Vec::new();
    for part in PARTS {
        let Size { posts, likes, followers, .. } = whole;
        let size = Size {
            posts: posts.div_ceil(part),
            likes: likes / part,
            followers: followers.div_ceil(part),
            ..whole
        };
        eprintln!("{} posts …", size.posts);
        let server = Server::start(&Role { size, data: None }).await?;
        let scene = Scene::set(server, load.clients, size.posts / POSTS_A_MESSAGE).await?;
        let reads = requests::measure(&scene, load, |it| {
            it.kind == Kind::Read && of.is_none_or(|of| it.name.contains(of))
        });
        measured.push(Measured { posts: size.posts, reads: reads.await? });
    }
    Ok(measured)
}

/// A line for each read: its figures at each size.
pub(crate) fn table(measured: &[Measured]) -> Table {
    let of_size =
        |what: &str| measured.iter().map(move |it| format!("{what} {}", it.posts)).collect::<Vec<_>>();
    let columns = ["CPU ms", "p50 ms", "calls", "RRU"];
    let head: Vec<_> = columns.into_iter().flat_map(of_size).collect();
    let head: Vec<_> = ["read, of posts"].into_iter().chain(head.iter().map(String::as_str)).collect();
    let names = measured.first().map_or(&[][..], |it| &it.reads).iter().map(|it| it.operation);
    let rows = names.enumerate().map(|(position, name)| {
        let at_each = |of: fn(&requests::Measured) -> String| {
            measured.iter().map(|it| of(&it.reads[position])).collect::<Vec<_>>()
        };
        let columns = [
            vec![name.to_owned()],
            at_each(|it| figure(it.processor.together(), 2)),
            at_each(|it| figure(it.looped.took.p50, 1)),
            at_each(|it| plus(it.asked.calls, 0.0)),
            at_each(|it| plus(it.asked.read_units, 0.0)),
        ];
        columns.concat()
    });
    Table::new("Growth: what reads take on a larger network", &head, rows.collect())
}
