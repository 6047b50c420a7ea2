//! Detection and repair of counters that differ from the rows they count.

use domain::operations::recount::{Drift, Recount, fix_drift};
use platform::{
    App,
    table::{Key, Write},
};
use tests::World;

/// Returns the counters of the posts and users in `ids` that differ from the counted rows. Checks all counters if `ids`
/// is empty.
pub(crate) async fn drifts(app: &App, ids: &[&str]) -> Vec<Drift> {
    let mut recount = Recount::of(ids.iter().map(|id| (*id).to_owned()));
    let mut from = None;
    loop {
        from = recount.read(app, from).await.unwrap().1;
        if from.is_none() {
            return recount.drifts();
        }
    }
}

#[tokio::test]
async fn without_faults_counters_equal_the_number_of_rows() {
    let (world, [ann, bob, eve]) = World::with(["ann", "bob", "eve"]).await;
    let post = ann.writes("hello").await;
    bob.likes(&post).await;
    eve.likes(&post).await;
    eve.unlikes(&post).await;
    bob.replies(&post, "yes").await;
    let deleted = bob.replies(&post, "no").await;
    bob.deletes(&deleted).await;
    eve.quotes(&post, "look").await;
    eve.reposts(&post).await;
    bob.follows(&ann).await;
    eve.follows(&ann).await;
    eve.unfollows(&ann).await;
    world.settle().await;
    assert_eq!(drifts(&world.app(), &[]).await, []);
}

#[tokio::test]
async fn a_wrong_counter_is_repaired_unless_it_changes_meanwhile() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let (post, other) = (ann.writes("one").await, ann.writes("other").await);
    bob.likes(&post).await;
    world.settle().await;
    let app = world.app();
    let key = Key::new(format!("POST#{}", post.id), "POST");
    app.table.write(Write::update(key.clone()).add("likesCount", 6)).await.unwrap();
    assert_eq!(drifts(&app, &[&other.id]).await, []);
    let found = drifts(&app, &[&post.id]).await;
    let [drift] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((drift.counter, drift.stored, drift.actual), ("likesCount", 7, 1));
    app.table.write(Write::update(key.clone()).add("likesCount", 1)).await.unwrap();
    assert!(!fix_drift(&app, drift).await.unwrap(), "the counter changed");
    app.table.write(Write::update(key).add("likesCount", -1)).await.unwrap();
    assert!(fix_drift(&app, drift).await.unwrap());
    assert_eq!(bob.sees(&post).await["likesCount"], 1);
    assert_eq!(drifts(&app, &[]).await, []);
}
