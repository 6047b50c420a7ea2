//! Measures the effects of requests on the table, without IDs and times.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;

use crate::{matrix::scene::Scene, scale::all_rows};

/// Effects that are not compared, because they depend on the number of requests or on random choices.
const IGNORED: [&str; 5] = ["RATE", "IDEMPOTENCY", "USER SESSION: writes", ": shard", "MEMBER: place"];
/// The kind of rows that is not compared, because counters are spread over a random number of shards.
const SHARDED: &str = "STATS COUNTS";
/// Larger numbers are not compared, because they are times.
const NUMBER_MAX: f64 = 1e6;

/// Delivers all messages. Returns the number of rows of each kind, and the sum of each numeric attribute per kind.
pub(super) async fn effects(scene: &Scene) -> BTreeMap<String, f64> {
    scene.world.settle().await;
    let mut effects = BTreeMap::new();
    for row in all_rows(&scene.world).await {
        let kind = format!("{} {}", prefix(&row["pk"]), prefix(&row["sk"]));
        for (name, value) in &row {
            let number = value.as_n().ok().and_then(|number| number.parse().ok());
            if let Some(number) = number.filter(|number: &f64| *number < NUMBER_MAX) {
                *effects.entry(format!("{kind}: {name}")).or_default() += number;
            }
        }
        *effects.entry(kind).or_default() += 1.0;
    }
    effects.remove(SHARDED);
    effects.retain(|effect, _| !IGNORED.iter().any(|ignored| effect.contains(ignored)));
    effects
}

/// Returns a message with both values for each effect that differs.
pub(super) fn differences(one: &BTreeMap<String, f64>, many: &BTreeMap<String, f64>) -> Vec<String> {
    let names = one.keys().chain(many.keys().filter(|name| !one.contains_key(*name)));
    let differing = names.filter(|name| one.get(*name) != many.get(*name));
    differing
        .map(|name| {
            format!("{name}: {:?} after one request, {:?} after copies", one.get(name), many.get(name))
        })
        .collect()
}

/// Returns the part of a key before the first `#`, or an empty string if that part is an ID.
fn prefix(key: &AttributeValue) -> &str {
    let first = key.as_s().unwrap().split('#').next().unwrap_or_default();
    let is_id = first.contains(|char: char| char.is_ascii_lowercase() || char.is_ascii_digit());
    if is_id { "" } else { first }
}
