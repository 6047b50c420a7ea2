//! Order of a user's message groups in lists.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};
use tests::World;

use super::{id, opens, says};
use crate::scale::{ids, put, renamed, row};

const HOUR: u64 = 3600;
/// Maximum number of groups that a list request reads.
const GROUPS_READ: usize = 1000;

#[tokio::test]
async fn a_new_message_moves_an_old_group_to_the_top() {
    let (world, [ann, bob, _cleo]) =
        World::builder().without_ticks().start_with(["ann", "bob", "cleo"]).await;
    let old = opens(&ann, &["bob"]).await;
    world.advance(2 * HOUR).await;
    let [ann, bob] = [ann.signs_in().await, bob.signs_in().await];
    let new = opens(&ann, &["cleo"]).await;
    let pk = format!("GROUP#{new}");
    let rows = [row(&world, &pk, "GROUP").await, row(&world, &pk, &format!("MEMBER#{}", ann.id)).await];
    let copies = ids(&world, GROUPS_READ);
    put(&world, copies.iter().flat_map(|copy| rows.each_ref().map(|row| renamed(row, &[(&new, copy)]))))
        .await;

    world.advance(1).await;
    let sent = id(&says(&bob, &old, "hi").await);
    world.settle().await;
    let listed = ann.get("/message-group?take=1").await.ok();
    assert_eq!(listed.column("publicId"), [json!(old)]);
    assert_eq!(ann.get("/notification/message").await.ok().column("publicId"), [json!(old)]);
    ann.patch(&format!("/chat/{sent}/seen"), Value::Null).await.ok();
    assert_eq!(ann.get("/notification/message").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn a_busy_group_changes_its_stored_position_once_an_hour() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let mut expected = group.clone();
    for (seconds, moves) in [(1, false), (HOUR, true), (HOUR, false), (1, true), (HOUR - 1, false)] {
        world.advance(seconds).await;
        let bob = bob.signs_in().await;
        let sent = id(&says(&bob, &group, "hi").await);
        world.settle().await;
        expected = if moves { sent } else { expected };
        for member in [&ann, &bob] {
            let row = row(&world, &format!("GROUP#{group}"), &format!("MEMBER#{}", member.id)).await;
            assert_eq!(row["gsi1sk"], AttributeValue::S(expected.clone()), "{seconds} seconds later");
        }
    }
}
