//! Notifications about many concurrent replies, while the flush job crashes.

use std::collections::HashSet;

use domain::{
    ids::{PostId, UserId},
    people::users::{self, User, Username},
    posts,
};
use futures::{StreamExt, stream};
use local::Chaos;
use platform::{App, idempotency::Once, table::Write};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::json;
use tests::{Fault, Person, World};

use super::{TICK, one, signing_app, ticks_once};

/// Number of concurrent replies.
const CONCURRENCY: usize = 16;

#[tokio::test]
async fn duplicate_replies_in_random_order_count_once() {
    crowd_replies(400, 150).await;
}

#[tokio::test]
#[ignore = "full size: takes up to two minutes"]
async fn ten_thousand_duplicate_replies_count_once() {
    crowd_replies(10_000, 500).await;
}

/// Sends each reply twice, in random order, while the notification job runs and crashes.
async fn crowd_replies(replies: usize, people: usize) {
    let (world, [ann]) = World::with(["ann"]).await;
    let post: PostId = ann.writes("hello").await.id.parse().unwrap();
    let app = signing_app(&world);
    let users = strangers(&app, &ann, people).await;
    let mut deliveries: Vec<_> = (0..replies).chain(0..replies).collect();
    deliveries.shuffle(&mut StdRng::seed_from_u64(7));
    let (mut written, mut faults) = (Vec::new(), 0);
    for (round, chunk) in deliveries.chunks(replies / 10).enumerate() {
        world.stack.fire(TICK).await.unwrap();
        let replies = chunk.iter().map(|number| reply(&app, users[number % people], post, *number));
        let sent = stream::iter(replies).buffer_unordered(CONCURRENCY).collect::<Vec<_>>();
        let (sent, _) = futures::join!(sent, world.stack.settle(None));
        written.extend(sent);
        world.stack.fire(TICK).await.unwrap();
        world.faults.storm(round as u64, 25, &[Fault::Crash, Fault::CrashAfter, Fault::LostAnswer]);
        world.stack.settle(Some(Chaos { seed: round as u64 })).await.unwrap();
        faults += world.faults.calm();
    }
    assert!(faults > 10, "too few injected faults: {faults}");
    ticks_once(&world).await;
    let group = one(&ann).await;
    assert_eq!(group["count"], replies);
    let actors: Vec<UserId> = serde_json::from_value(group["actorIds"].clone()).unwrap();
    let distinct: HashSet<_> = actors.iter().collect();
    assert_eq!((actors.len(), distinct.len()), (100, 100));
    // A reply that is written during a flush can be older than replies in an earlier flush.
    let newest = newest(written, 100 + 2 * CONCURRENCY);
    assert!(actors.iter().all(|actor| newest.contains(actor)), "{actors:?} of {newest:?}");
}

/// Returns the authors of the newest replies, without duplicates.
fn newest(mut written: Vec<(PostId, UserId)>, actors: usize) -> Vec<UserId> {
    written.sort_unstable();
    let mut newest = Vec::new();
    for (_, user) in written.into_iter().rev() {
        if newest.len() < actors && !newest.contains(&user) {
            newest.push(user);
        }
    }
    newest
}

/// Writes a reply, and retries it with the same idempotency key until it succeeds.
async fn reply(app: &App, user: UserId, post: PostId, number: usize) -> (PostId, UserId) {
    let once = Once::keyed(format!("r{number}").as_bytes(), "/reply", b"").unwrap();
    loop {
        let draft = serde_json::from_value(json!({ "content": number.to_string() })).unwrap();
        if let Ok(reply) = posts::reply(app, user, post, draft, &once).await {
            return (reply.id, user);
        }
    }
}

/// Creates users by copying `original`, because registrations are slow.
async fn strangers(app: &App, original: &Person, people: usize) -> Vec<UserId> {
    let model = users::find(app, original.id.parse().unwrap()).await.unwrap().unwrap();
    let mut ids = Vec::new();
    for number in 0..people {
        let username = Username::try_from(format!("user{number}")).unwrap();
        let user = User { id: UserId::random_at(app, app.now()), username, ..model.clone() };
        app.table.write(Write::create(&user)).await.unwrap();
        ids.push(user.id);
    }
    ids
}
