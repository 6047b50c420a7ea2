//! Checks that the stored release has rows of every kind and index in `keys.toml`, and a message in every queue.

use local::keys::{KEYS, KeyPattern};
use tests::World;

use super::STORED;

const INDEXES: [&str; 3] = ["gsi1pk", "gsi2pk", "gsi3pk"];

fn named() -> Vec<KeyPattern<'static>> {
    KEYS.row_kinds().flat_map(|(_, kind)| kind.keys()).collect()
}

fn items() -> Vec<(&'static str, &'static str)> {
    STORED.column("pk").zip(STORED.column("sk")).collect()
}

#[test]
fn a_release_stores_each_row_kind_that_keys_toml_lists() {
    let items = items();
    let is_stored = |key: &KeyPattern<'_>| items.iter().any(|(pk, sk)| key.fits(pk, sk));
    assert_eq!(named().into_iter().filter(|key| !is_stored(key)).collect::<Vec<_>>(), []);
}

#[test]
fn keys_toml_lists_every_kind_of_row_in_a_release() {
    let named = named();
    let is_named = |(pk, sk): &(&str, &str)| named.iter().any(|key| key.fits(pk, sk));
    assert_eq!(items().into_iter().filter(|item| !is_named(item)).collect::<Vec<_>>(), []);
}

#[test]
fn a_release_has_a_row_in_every_index_of_keys_toml() {
    for (number, index) in INDEXES.into_iter().enumerate() {
        let stored: Vec<_> = STORED.column(index).collect();
        let named = KEYS.row_kinds().flat_map(|(_, kind)| kind.index_keys().into_iter().nth(number).unwrap());
        let is_stored = |key: &KeyPattern<'_>| stored.iter().any(|pk| key.fits_partition(pk));
        assert_eq!(named.filter(|key| !is_stored(key)).collect::<Vec<_>>(), [], "{index}");
    }
}

#[tokio::test]
async fn a_release_has_a_message_in_every_queue() {
    // Messages arrive in these queues only if AWS cannot deliver an event or a batch.
    const OF_AWS: [&str; 3] = ["relay-dead-letters", "rules-dead-letters", "schedules-dead-letters"];
    let world = World::new().await;
    let left: Vec<_> = STORED.queues().collect();
    let queues = world.stack.queues().into_iter().map(|queue| queue.name);
    let queues = queues.filter(|name| !OF_AWS.contains(&name.as_str()));
    assert_eq!(queues.filter(|name| !left.contains(&name.as_str())).collect::<Vec<_>>(), [""; 0]);
}
