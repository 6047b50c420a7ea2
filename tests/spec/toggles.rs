//! A toggle takes effect once, even if its response is lost or other users toggle concurrently.

use futures::future::join_all;
use serde_json::Value;
use tests::{Fault, World};

#[tokio::test]
async fn a_toggle_survives_a_lost_response() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let toggles = [
        (post.path("/hide"), "isGhost"),
        (ann.path("/mute"), "isMuted"),
        (ann.path("/follower"), "isFollowing"),
        (ann.path("/block"), "isBlocked"),
    ];
    for (path, flag) in toggles {
        for on in [true, false] {
            // The first update of a request is for the session row.
            world.faults.plan("UpdateItem", Fault::LostAnswer, 1, 1);
            world.faults.plan("TransactWriteItems", Fault::LostAnswer, 0, 1);
            let answer = bob.post(&path, Value::Null).await.ok();
            assert_eq!(answer.data()[flag], on, "{path}");
            assert!(world.faults.calm() > 0, "{path} writes");
        }
    }
}

#[tokio::test]
async fn twenty_concurrent_toggles_all_succeed() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let names: [String; 20] = std::array::from_fn(|number| format!("fan{number}"));
    let fans = join_all(names.iter().map(|it| world.person(it))).await;
    let post = ann.writes("hello").await;
    let (hide, mute) = (post.path("/hide"), ann.path("/mute"));
    let hidden = join_all(fans.iter().map(|it| it.post(&hide, Value::Null))).await;
    let answers: Vec<_> = hidden.into_iter().map(|answer| answer.ok().data()["isGhost"].clone()).collect();
    assert!(answers.contains(&ann.sees(&post).await["isGhost"]));
    join_all((0..20).map(|_| fans[0].post(&mute, Value::Null)))
        .await
        .into_iter()
        .for_each(|answer| drop(answer.ok()));
}
