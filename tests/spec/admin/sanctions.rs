//! Bans and locks, ordered by strength. A stronger sanction replaces a weaker one.

use std::cmp::Ordering;

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{account, change, entries, start_with_root};
use crate::setup::MANY_WRITES;

const DAY: u64 = 24 * 60 * 60;

/// A sanction: the action, the end of the ban, the resulting status, and the description in errors.
type Sanction = (&'static str, Option<&'static str>, &'static str, &'static str);

/// All sanctions, from the weakest to the strongest.
const SANCTIONS: [Sanction; 5] = [
    ("ban", Some("2026-01-02T00:00:00.000Z"), "BANNED", "banned until 2026-01-02T00:00:00.000Z"),
    ("temp-ban", None, "BANNED", "banned until 2026-01-08T00:00:00.000Z"),
    ("ban", Some("2027-01-01T00:00:00.000Z"), "BANNED", "banned until 2027-01-01T00:00:00.000Z"),
    ("lock", None, "LOCKED", "locked"),
    ("ban", None, "BANNED", "banned permanently"),
];

/// Starts a world without write limits for the administrator, and creates these users.
async fn world_with<const N: usize>(names: [&str; N]) -> (World, Person, [Person; N]) {
    start_with_root(World::builder().without_ticks().settings(MANY_WRITES), Role::Admin, names).await
}

async fn imposes(root: &Person, user: &Person, (action, until, ..): Sanction) -> Answer {
    change(root, user, action, until.map_or(Value::Null, |until| json!({ "bannedUntil": until }))).await
}

#[tokio::test]
async fn a_sanction_replaces_only_a_weaker_sanction() {
    let (world, root, []) = world_with([]).await;
    for (present, before) in SANCTIONS.into_iter().enumerate() {
        for (new, after) in SANCTIONS.into_iter().enumerate() {
            let user = world.person(&format!("user{present}{new}")).await;
            let first = imposes(&root, &user, before).await.ok();
            assert_eq!(first.data()["status"], before.2);
            let (account_before, entries_before) = (account(&root, &user).await, entries(&root).await);
            let answer = imposes(&root, &user, after).await;
            let new_entries = entries(&root).await - entries_before;
            let account_after = account(&root, &user).await;
            let name = format!("{} over {}", after.3, before.3);
            match new.cmp(&present) {
                Ordering::Less => {
                    let rule = "which is stronger. Unlock the account first.";
                    let reason = format!("userId: is already {}, {rule}", before.3);
                    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), reason, "{name}");
                    assert_eq!((new_entries, &account_after), (0, &account_before), "{name}");
                }
                Ordering::Equal => {
                    assert_eq!(answer.ok().data(), &account_before, "{name}");
                    assert_eq!((new_entries, &account_after), (0, &account_before), "{name}");
                }
                Ordering::Greater => {
                    assert_eq!(answer.ok().data(), &account_after, "{name}");
                    assert_eq!((new_entries, &account_after["status"]), (1, &json!(after.2)), "{name}");
                    assert_ne!(account_after, account_before, "{name}");
                }
            }
        }
    }
}

#[tokio::test]
async fn unlocking_ends_any_sanction_and_is_audited_once() {
    let (world, root, []) = world_with([]).await;
    for (index, sanction) in SANCTIONS.into_iter().enumerate() {
        let user = world.person(&format!("user{index}")).await;
        imposes(&root, &user, sanction).await.ok();
        let entries_before = entries(&root).await;
        for _ in 0..2 {
            let unlocked = change(&root, &user, "unlock", Value::Null).await.ok();
            let fields = ["status", "bannedUntil", "reason"].map(|field| &unlocked.data()[field]);
            assert_eq!(json!(fields), json!(["ACTIVE", null, null]));
            assert_eq!(entries(&root).await, entries_before + 1, "{}", sanction.3);
        }
        user.signs_in().await.get("/auth/me").await.ok();
    }
}

#[tokio::test]
async fn only_temporary_bans_expire() {
    let (world, root, [ann, bob, cleo, dan]) = world_with(["ann", "bob", "cleo", "dan"]).await;
    for user in [&ann, &bob, &cleo, &dan] {
        imposes(&root, user, SANCTIONS[0]).await.ok();
    }
    for (user, stronger) in [(&bob, SANCTIONS[1]), (&cleo, SANCTIONS[3]), (&dan, SANCTIONS[4])] {
        imposes(&root, user, stronger).await.ok();
    }
    world.settle().await;
    for (days, expected) in [
        (2, ["ACTIVE", "BANNED", "LOCKED", "BANNED"]),
        (7, ["ACTIVE", "ACTIVE", "LOCKED", "BANNED"]),
        (700, ["ACTIVE", "ACTIVE", "LOCKED", "BANNED"]),
    ] {
        world.advance_and_settle(days * DAY).await;
        let root = root.signs_in().await;
        for (user, status) in [&ann, &bob, &cleo, &dan].into_iter().zip(expected) {
            assert_eq!(account(&root, user).await["status"], status, "{} after {days} days", user.name);
        }
    }
}

#[tokio::test]
async fn audit_entries_have_the_reason_and_the_earlier_sanction() {
    let (world, root, [ann]) = world_with(["ann"]).await;
    // Entries of the same millisecond have no defined order.
    world.advance(1).await;
    let until = "2026-01-02T00:00:00.000Z";
    change(&root, &ann, "ban", json!({ "reason": "spam", "bannedUntil": until })).await.ok();
    change(&root, &ann, "lock", json!({ "reason": "hacked" })).await.ok();
    change(&root, &ann, "unlock", json!({ "reason": "recovered" })).await.ok();
    change(&root, &ann, "temp-ban", Value::Null).await.ok();
    let log = root.get("/admin/audit?take=4").await.ok();
    assert_eq!(log.column("action"), ["BAN_USER", "UNLOCK_USER", "LOCK_USER", "BAN_USER"]);
    assert_eq!(log.column("note"), [Value::Null, json!("recovered"), json!("hacked"), json!("spam")]);
    let active = json!({ "status": "ACTIVE", "bannedUntil": null, "reason": null });
    let locked = json!({ "status": "LOCKED", "bannedUntil": null, "reason": "hacked" });
    let banned = json!({ "status": "BANNED", "bannedUntil": until, "reason": "spam" });
    assert_eq!(log.column("before"), [active.clone(), locked, banned, active]);
}

#[tokio::test]
async fn concurrent_locks_write_one_audit_entry() {
    let (_world, root, [ann]) = world_with(["ann"]).await;
    let entries_before = entries(&root).await;
    let locks = (0..5).map(|_| change(&root, &ann, "lock", Value::Null));
    for answer in futures::future::join_all(locks).await {
        assert_eq!(answer.ok().data()["status"], "LOCKED");
    }
    assert_eq!(entries(&root).await, entries_before + 1);
}
