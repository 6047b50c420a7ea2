//! Rewards for judged posts: progress in quests, and energy for the circle.

use platform::table::{KeyOnly, Query};
use serde_json::{Value, json};

use crate::{
    circles::{
        creates_circle,
        critic::{judged_world, text},
        joins,
        posts::{comments, id, judge_status, writes_in},
        with_circle, with_members,
    },
    quests::quest,
};

#[tokio::test]
async fn judged_posts_advance_quests() {
    let (world, [ann, bob], circle) = with_members(judged_world(["ann", "bob"])).await;
    let mut threads = Vec::new();
    for score in [7, 5, 9] {
        threads.push(id(&writes_in(&ann, &circle, &text(score, "thread")).await.ok()));
    }
    let own = id(&writes_in(&bob, &circle, &text("6.9", "own")).await.ok());
    for (thread, score, salt) in [(&threads[0], "5", 1), (&threads[0], "5.9", 2), (&threads[1], "4.9", 3)] {
        comments(&bob, &circle, thread, &text(score, salt)).await;
    }
    world.settle().await;
    assert_eq!(quest(&ann, "QUALITY_POST").await["progress"], 1);
    for (code, so_far) in [("QUALITY_POST", 0), ("DEEP_COMMENT", 0), ("HELP_OTHERS", 1)] {
        assert_eq!(quest(&bob, code).await["progress"], so_far, "{code}");
    }
    world.advance(3600).await;
    let bob = bob.signs_in().await;
    let below = comments(&bob, &circle, &threads[1], &text(6, 4)).await;
    comments(&bob, &circle, &below, &text(5, 5)).await;
    comments(&bob, &circle, &own, &text(5, 6)).await;
    world.settle().await;
    for (code, so_far) in [("QUALITY_POST", 0), ("DEEP_COMMENT", 1), ("HELP_OTHERS", 2)] {
        assert_eq!(quest(&bob, code).await["progress"], so_far, "{code}");
    }
    comments(&bob, &circle, &threads[2], &text(5, 7)).await;
    world.settle().await;
    assert_eq!(quest(&bob, "HELP_OTHERS").await["progress"], 3);
    let claimed = bob.post("/quests/HELP_OTHERS/claim", Value::Null).await.ok();
    assert_eq!(claimed.data(), &json!({ "karmaEarned": 1, "newTotal": 1, "capReached": false }));
}

#[tokio::test]
async fn a_quest_day_starts_at_7_am_in_vietnam() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    let thread = id(&writes_in(&ann, &circle, &text(3, "thread")).await.ok());
    world.settle().await;
    world.advance(24 * 3600 - 1).await;
    let ann = ann.signs_in().await;
    comments(&ann, &circle, &thread, &text(9, "at 06:59:59")).await;
    let now = ann.signs_in().await;
    assert_eq!(quest(&now, "DEEP_COMMENT").await["progress"], 0, "the comment is not judged yet");
    world.advance(1).await;
    comments(&ann, &circle, &thread, &text(9, "at 07:00:00")).await;
    comments(&ann, &circle, &thread, &text(9, "a moment later")).await;
    world.settle().await;
    let app = world.app();
    for (day, count) in [("2026-01-01", 1), ("2026-01-02", 2)] {
        let of_day = Query::partition(format!("USER#{}", ann.id));
        let of_day = of_day.prefix(format!("JUDGED#DEEP_COMMENT#{day}#"));
        let rows: Vec<KeyOnly> = app.table.query(&of_day).await.unwrap();
        assert_eq!(rows.len(), count, "{day}");
    }
    assert_eq!(quest(&ann, "DEEP_COMMENT").await["progress"], 1);
    ann.post("/quests/DEEP_COMMENT/claim", Value::Null).await.ok();
}

#[tokio::test]
async fn a_repeated_text_is_rewarded_once_an_hour_in_each_circle() {
    let (world, [ann, bob]) = judged_world(["ann", "bob"]).await;
    let (circle, other) = (creates_circle(&ann, "Night readers").await, creates_circle(&ann, "Other").await);
    joins(&bob, &circle, &ann).await;
    for each in [&circle, &other] {
        each.gains(&world, -100, 0).await;
    }
    let deep = text(9, "");
    let first = id(&writes_in(&ann, &circle, &deep).await.ok());
    let mut again = vec![id(&writes_in(&bob, &circle, &deep).await.ok())];
    world.settle().await;
    again.push(comments(&bob, &circle, &first, &deep).await);
    writes_in(&ann, &other, &deep).await.ok();
    world.settle().await;
    let mut gains = Vec::new();
    for post in [&first, &again[0], &again[1]] {
        let judged = judge_status(&world, post).await;
        assert_eq!(judged["score"], 9.0);
        gains.push((judged["hpDelta"].as_i64().unwrap(), judged["expDelta"].as_i64().unwrap()));
    }
    gains[..2].sort_unstable();
    assert_eq!(gains, [(0, 0), (5, 10), (0, 0)]);
    assert_eq!((circle.hp_and_exp(&world).await, other.hp_and_exp(&world).await), ((405, 15), (405, 10)));
    assert_eq!(quest(&bob, "DEEP_COMMENT").await["progress"], 0);
    world.advance_and_settle(3599).await;
    let bob = bob.signs_in().await;
    for (seconds, exp) in [(0, 15), (1, 25)] {
        world.advance(seconds).await;
        writes_in(&bob, &circle, &deep).await.ok();
        world.settle().await;
        assert_eq!(circle.hp_and_exp(&world).await.1, exp);
    }
}

#[tokio::test]
async fn each_bad_post_lowers_the_hp_of_its_circle() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    for _ in 0..2 {
        writes_in(&ann, &circle, &text(0, "")).await.ok();
    }
    world.settle().await;
    assert_eq!(circle.hp_and_exp(&world).await, (494, 0));
}

#[tokio::test]
async fn a_verdict_after_the_death_of_the_circle_advances_quests() {
    let (world, [ann, bob], circle) = with_members(judged_world(["ann", "bob"])).await;
    let post = id(&writes_in(&ann, &circle, &text(9, "the last")).await.ok());
    let comment = comments(&bob, &circle, &post, &text(9, "a comment")).await;
    circle.gains(&world, -500, 0).await;
    world.anyone.get(&circle.path("")).await.refused(404, "NOT_FOUND");
    world.settle().await;
    for written in [&post, &comment] {
        let judged = judge_status(&world, written).await;
        assert_eq!(json!([judged["score"], judged["hpDelta"], judged["expDelta"]]), json!([9.0, 0, 0]));
    }
    for (user, code) in [(&ann, "QUALITY_POST"), (&bob, "DEEP_COMMENT")] {
        assert_eq!(quest(user, code).await["progress"], 1, "{code}");
        let claimed = user.post(&format!("/quests/{code}/claim"), Value::Null).await.ok();
        assert_eq!(claimed.data()["karmaEarned"], 1, "{code}");
    }
}
