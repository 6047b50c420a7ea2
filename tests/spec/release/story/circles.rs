//! Circles on the second day of the story: members, posts, a CPR, and circles near a change of health.

use serde_json::Value;
use tests::Person;

use super::Past;
use crate::circles::{
    Circle, answers, appoints, asks, cpr, creates_circle,
    critic::text,
    invitations::{accepts, invites},
    joins, posts, sacrifice,
};

/// Slightly more than the lifetime of cached memberships, in seconds.
const CACHE_SECONDS: u64 = 31;

pub(super) async fn run(past: &mut Past) {
    people_come_and_go(past).await;
    members_write(past).await;
    a_cpr_runs(past).await;
    circles_are_near_a_stage_limit(past).await;
}

async fn people_come_and_go(past: &mut Past) {
    let [ann, bob, cleo, dan] = ["ann", "bob", "cleo", "dan"].map(|name| past.user(name));
    let [eve, fay, gil, max] = ["eve", "fay", "gil", "max"].map(|name| past.user(name));
    let circle = past.circle("readers");
    for newcomer in [&bob, &cleo, &max] {
        joins(newcomer, &circle, &ann).await;
    }
    appoints(&ann, &circle, &cleo, "ADMIN").await.ok();
    max.post(&circle.path("/leave"), Value::Null).await.ok();
    ann.post(&circle.path(&format!("/members/{}/ban", max.id)), Value::Null).await.ok();
    for asker in [&dan, &eve] {
        asks(asker, &circle).await.ok();
    }
    answers(&ann, &circle, &eve, "REJECT").await.ok();
    for guest in [&fay, &gil] {
        invites(&ann, &circle, &guest.name).await.ok();
    }
    accepts(&gil, &circle).await.ok();
    past.world.advance(CACHE_SECONDS).await;
}

/// Cleo writes a post, and bob comments on it. Ann gives karma, so she gets a badge and cannot post for 48 hours.
async fn members_write(past: &mut Past) {
    let [ann, bob, cleo] = ["ann", "bob", "cleo"].map(|name| past.user(name));
    let circle = past.circle("readers");
    let post = posts::id(&posts::writes_in(&cleo, &circle, &text(8, "a post")).await.ok());
    past.world.settle().await;
    let comment = posts::comments(&bob, &circle, &post, &text("7.5", "a comment")).await;
    sacrifice::gives(&ann, &circle, 1).await.ok();
    past.saves("circlePost", post);
    past.saves("circleComment", comment);
}

async fn a_cpr_runs(past: &mut Past) {
    let cleo = past.user("cleo");
    let circle = weak(&cleo, past, "saved", "Saved").await;
    let post = cpr::post_of(&cpr::begins(&cleo, &circle, 5).await.ok());
    posts::comments(&cleo, &circle, &post, &text(8, "the first of five")).await;
    past.saves("cprPost", post);
}

/// Creates a circle that a gift of karma can heal, and a circle that can start a CPR.
async fn circles_are_near_a_stage_limit(past: &mut Past) {
    let (bob, dan) = (past.user("bob"), past.user("dan"));
    let circle = creates_circle(&bob, "On the edge").await;
    circle.gains(&past.world, -455, 0).await;
    past.saves_circle("edge", circle);
    weak(&dan, past, "begun", "Just begun").await;
}

/// Creates a level 2 circle with 40 of 650 HP.
async fn weak(owner: &Person, past: &mut Past, key: &str, name: &str) -> Circle {
    let circle = creates_circle(owner, name).await;
    circle.gains(&past.world, 0, 200).await;
    circle.gains(&past.world, -460, 0).await;
    past.saves_circle(key, circle)
}
