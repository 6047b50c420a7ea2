//! What people write about: posts a hashtag and hour, the last 24 hours, the recent ones worth more.

use std::collections::HashMap;

use futures::future::try_join_all;
use platform::{
    App, Result,
    table::{Attempt, Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::posts::Topic;

const HOUR_SECONDS: i64 = 60 * 60;
const HOURS: i64 = 24;
/// After so many hours a post is worth half.
const HALF_LIFE_HOURS: f64 = 6.0;
/// What is read of each hour, most posts first.
const TOPICS_AN_HOUR: usize = 50;
const SHOWN_MAX: usize = 20;
const TRIES: usize = 8;

/// An hour, counted from 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hour(i64);

impl Hour {
    /// The hour that a moment lies in.
    pub fn of(at: Time) -> Self {
        Self(at.seconds().div_euclid(HOUR_SECONDS))
    }
}

/// A hashtag that people write about.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Trend {
    /// The hashtag.
    pub name: Topic,
    /// Public posts with it in the last 24 hours.
    pub count: i64,
    /// The same, each post worth half after 6 hours, a quarter after 12.
    #[schema(example = 12.75)]
    pub score: f64,
}

/// The posts of a hashtag in an hour.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Bucket {
    topic: Topic,
    hour: Hour,
    count: i64,
    /// The count by which its hour ranks it.
    ranked: Option<i64>,
}

/// The 20 hashtags with the highest score, out of the 50 with most posts of each hour. 24 calls at
/// a time, 0.5 RRU for each 4 KB. While proposed features are off, none and nothing is read.
///
/// # Errors
/// Internal only.
pub async fn trending(app: &App) -> Result<Vec<Trend>> {
    if !*app.settings.proposed_features {
        return Ok(Vec::new());
    }
    let Hour(now) = Hour::of(app.now());
    let hours = (0..HOURS).map(|age| top_of(app, Hour(now - age)));
    let mut trends: HashMap<Topic, Trend> = HashMap::new();
    for bucket in try_join_all(hours).await?.into_iter().flatten() {
        let trend = Trend { name: bucket.topic.clone(), count: 0, score: 0.0 };
        let trend = trends.entry(bucket.topic).or_insert(trend);
        trend.count += bucket.count;
        let age = (now - bucket.hour.0) as f64;
        trend.score += bucket.count as f64 * 0.5_f64.powf(age / HALF_LIFE_HOURS);
    }
    let mut trends: Vec<_> = trends.into_values().collect();
    trends.sort_by(|one, two| two.score.total_cmp(&one.score).then(one.name.as_str().cmp(two.name.as_str())));
    trends.truncate(SHOWN_MAX);
    trends.iter_mut().for_each(|it| it.score = (it.score * 1000.0).round() / 1000.0);
    Ok(trends)
}

async fn top_of(app: &App, hour: Hour) -> Result<Vec<Bucket>> {
    let query = Query::index(Index::Gsi1, ranking(hour)).newest_first().limit(TOPICS_AN_HOUR);
    app.table.query(&query).await
}

/// A step that counts a post of a hashtag and hour.
pub fn count(topic: &Topic, hour: Hour, by: i64) -> Write {
    let end = (hour.0 + HOURS + 2) * HOUR_SECONDS;
    Write::update(key(topic, hour)).set("topic", topic).set("hour", hour).set("ttl", end).add("count", by)
}

/// Ranks a hashtag among those of its hour by its count. 2 calls: 1 RRU, 2 WRU.
///
/// # Errors
/// Internal only.
pub async fn rank(app: &App, topic: &Topic, hour: Hour) -> Result<()> {
    for _ in 0..TRIES {
        let Some(bucket) = app.table.get::<Bucket>(&key(topic, hour)).await? else { return Ok(()) };
        if bucket.ranked == Some(bucket.count) {
            return Ok(());
        }
        let place = Key::new(ranking(hour), format!("{:012}#{}", bucket.count, topic.as_str()));
        let place = Some(place).filter(|_| bucket.count > 0);
        let rank = Write::update(bucket.key()).set("ranked", bucket.count).index_key(Index::Gsi1, place);
        if let Attempt::Done(_) = app.table.attempt::<Bucket>(rank.equals("count", bucket.count)).await? {
            return Ok(());
        }
    }
    // Whoever changed the count so often ranks it too.
    Ok(())
}

fn ranking(hour: Hour) -> String {
    format!("TREND#{}", hour.0)
}

fn key(topic: &Topic, hour: Hour) -> Key {
    Key::new(format!("TREND#{}#{}", hour.0, topic.as_str()), "COUNT")
}

/// `TREND#hour#tag / COUNT`, gsi1 `TREND#hour / count#tag`, swept after a day
impl Row for Bucket {
    fn key(&self) -> Key {
        key(&self.topic, self.hour)
    }
}
