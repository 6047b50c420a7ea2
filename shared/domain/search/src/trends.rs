//! Trends are the hashtags with the most posts in the last 24 hours. Recent posts have more weight.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use base::Topic;
use futures::future::try_join_all;
use platform::{App, Error, HOUR_SECONDS, Index, Key, Query, Result, Row, Time, Write, retry_on_conflict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const HOURS: i64 = 24;
/// Age at which a post has half the weight of a new post.
const HALF_LIFE_HOURS: f64 = 6.0;
/// Maximum number of hashtags that are read for each hour. The hashtags with the most posts come first.
const HOUR_TOPICS_MAX: usize = 50;
const TRENDS_MAX: usize = 20;
const FRESH_SECONDS: i64 = 60;

/// Hours since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hour(i64);

impl Hour {
    /// Returns the hour that contains `at`.
    pub fn of(at: Time) -> Self {
        Self(at.seconds().div_euclid(HOUR_SECONDS))
    }
}

/// A trending hashtag.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Trend {
    /// The hashtag.
    pub name: Topic,
    /// The number of public posts with the hashtag in the last 24 hours.
    pub count: i64,
    /// The sum of the posts' weights. A new post has weight 1, and the weight halves every 6 hours.
    #[schema(example = 12.75)]
    pub score: f64,
}

/// The number of posts with a hashtag in an hour.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct HourlyCount {
    topic: Topic,
    hour: Hour,
    count: i64,
    /// The count with which the hashtag is stored in the hour's ranking. `None` if the hashtag was never ranked.
    ranked: Option<i64>,
}

/// The cached trends, and the time when they were read.
#[derive(Default)]
struct CachedTrends(Mutex<Option<(Time, Vec<Trend>)>>);

/// Returns the current trends, for administrators. Returns no trends if proposed features are off.
pub async fn trending(app: &App) -> Result<Vec<Trend>> {
    match app.has_proposed_features() {
        true => read(app).await,
        false => Ok(Vec::new()),
    }
}

/// Returns the trends for all users. The trends are cached for a minute.
pub async fn remembered(app: &App) -> Result<Vec<Trend>> {
    let (cache, now) = (app.memory.of::<CachedTrends>(), app.now());
    if let Some((read_at, trends)) = &*cache.lock()
        && now < read_at.plus_seconds(FRESH_SECONDS)
    {
        return Ok(trends.clone());
    }
    let trends = read(app).await?;
    *cache.lock() = Some((now, trends.clone()));
    Ok(trends)
}

/// Returns the 20 hashtags with the highest score. Considers the top 50 hashtags of each hour.
async fn read(app: &App) -> Result<Vec<Trend>> {
    let Hour(now) = Hour::of(app.now());
    let hours = (0..HOURS).map(|age| top_of(app, Hour(now - age)));
    let hourly = try_join_all(hours).await?.into_iter().flatten();
    let mut trends = sum_by_topic(hourly, now);
    trends.sort_by(|one, two| two.score.total_cmp(&one.score).then(one.name.as_str().cmp(two.name.as_str())));
    trends.truncate(TRENDS_MAX);
    trends.iter_mut().for_each(|trend| trend.score = (trend.score * 1000.0).round() / 1000.0);
    Ok(trends)
}

impl CachedTrends {
    fn lock(&self) -> MutexGuard<'_, Option<(Time, Vec<Trend>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sum_by_topic(hourly: impl Iterator<Item = HourlyCount>, now: i64) -> Vec<Trend> {
    let mut trends: HashMap<Topic, Trend> = HashMap::new();
    for HourlyCount { topic, hour, count, .. } in hourly {
        let empty = Trend { name: topic.clone(), count: 0, score: 0.0 };
        let trend = trends.entry(topic).or_insert(empty);
        let age = (now - hour.0) as f64;
        trend.count += count;
        trend.score += count as f64 * 0.5_f64.powf(age / HALF_LIFE_HOURS);
    }
    trends.into_values().collect()
}

async fn top_of(app: &App, hour: Hour) -> Result<Vec<HourlyCount>> {
    let query = Query::index(Index::Gsi1, ranking_partition(hour)).newest_first().limit(HOUR_TOPICS_MAX);
    app.table.query(&query).await
}

pub(super) fn count_write(topic: &Topic, hour: Hour, by: i64) -> Write {
    let end = (hour.0 + HOURS + 2) * HOUR_SECONDS;
    Write::update(key(topic, hour)).set("topic", topic).set("hour", hour).set("ttl", end).add("count", by)
}

/// Updates the position of a hashtag in the hour's ranking to match the count.
pub(super) async fn rank(app: &App, topic: &Topic, hour: Hour) -> Result<()> {
    let ranked = retry_on_conflict(async || {
        let found = app.table.get::<HourlyCount>(&key(topic, hour)).await?;
        match found.filter(|hourly| hourly.ranked != Some(hourly.count)) {
            Some(hourly) => app.table.write(rank_write(&hourly)).await,
            None => Ok(()),
        }
    });
    match ranked.await {
        // The workers that caused the conflicts also rank the hashtag.
        Err(Error::LimitReached { .. }) => Ok(()),
        done => done,
    }
}

fn rank_write(hourly: &HourlyCount) -> Write {
    let HourlyCount { topic, hour, count, .. } = hourly;
    let index_key = Key::new(ranking_partition(*hour), format!("{count:012}#{}", topic.as_str()));
    let index_key = Some(index_key).filter(|_| *count > 0);
    Write::update(hourly.key()).set("ranked", count).index_key(Index::Gsi1, index_key).equals("count", count)
}

fn ranking_partition(hour: Hour) -> String {
    format!("TREND#{}", hour.0)
}

fn key(topic: &Topic, hour: Hour) -> Key {
    Key::new(format!("{}#{}", ranking_partition(hour), topic.as_str()), "COUNT")
}

/// `TREND#hour#tag / COUNT`, gsi1 `TREND#hour / count#tag`, expires after a day
impl Row for HourlyCount {
    fn key(&self) -> Key {
        key(&self.topic, self.hour)
    }
}
