//! The hashtags that a user follows, in one row. A feed reads this row in the same query as the reader's follows of
//! popular authors.

use base::{Topic, UserId};
use platform::{App, Error, Index, Key, Once, Page, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{FollowRequest, follow::merged_partition};

/// Maximum number of hashtags that a user can follow. A feed may need one read for each hashtag.
const TOPICS_MAX: usize = 100;
const SORT_KEY: &str = "HASHTAGS";

/// A hashtag that a user follows.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = FollowedHashtag)]
#[serde(rename_all = "camelCase")]
pub struct FollowedTopic {
    /// The hashtag.
    pub name: Topic,
    /// The time at which the user followed the hashtag.
    pub created_at: Time,
}

/// The state after a request to follow or unfollow a hashtag.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = HashtagFollowState)]
#[serde(rename_all = "camelCase")]
pub struct TopicFollowing {
    /// The hashtag.
    pub name: Topic,
    /// Whether the caller follows the hashtag.
    pub is_following: bool,
}

/// The hashtags that a user follows. If the row is missing, the user follows none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FollowedTopics {
    user: UserId,
    /// Newest follow first.
    topics: Vec<FollowedTopic>,
    version: i64,
}

impl FollowedTopics {
    async fn read(app: &App, user: UserId) -> Result<Self> {
        let found = app.table.get(&key(user)).await?;
        Ok(found.unwrap_or(Self { user, topics: Vec::new(), version: 0 }))
    }

    fn has(&self, topic: &Topic) -> bool {
        self.topics.iter().any(|followed| followed.name == *topic)
    }

    /// Returns the hashtags with `topic` added or removed.
    fn changed(mut self, topic: &Topic, wanted: bool, now: Time) -> Result<Self> {
        self.version += 1;
        self.topics.retain(|followed| followed.name != *topic);
        if wanted {
            self.topics.insert(0, FollowedTopic { name: topic.clone(), created_at: now });
        }
        match self.topics.len() <= TOPICS_MAX {
            true => Ok(self),
            false => Err(Error::invalid(
                "tag",
                "the limit of 100 followed hashtags is reached. Unfollow one first.",
            )),
        }
    }
}

/// Follows or unfollows a hashtag. An empty request toggles the follow.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the user already follows 100 hashtags.
pub async fn follow_topic(
    app: &App,
    user: UserId,
    topic: Topic,
    request: FollowRequest,
    once: &Once,
) -> Result<TopicFollowing> {
    once.run(app, user, async || {
        let before = FollowedTopics::read(app, user).await?;
        let follows = before.has(&topic);
        let is_following = request.is_following.unwrap_or(!follows);
        let answer = TopicFollowing { name: topic.clone(), is_following };
        if is_following == follows {
            return Ok((Vec::new(), answer));
        }
        let version = before.version;
        let after = before.changed(&topic, is_following, app.now())?;
        Ok((vec![Write::put(&after).equals_or_lacks("version", version).marked()], answer))
    })
    .await
}

/// Returns all hashtags that a user follows, at most 100, newest follow first.
pub async fn followed_topics(app: &App, user: UserId) -> Result<Page<FollowedTopic>> {
    Ok(Page { rows: FollowedTopics::read(app, user).await?.topics, after: None })
}

fn key(user: UserId) -> Key {
    Key::new(user.partition(), SORT_KEY)
}

/// `USER#u / HASHTAGS`. While the user follows hashtags: gsi3 `MERGES#u / HASHTAGS`. Feeds read the index in descending
/// order, so this row comes before all follows.
impl Row for FollowedTopics {
    fn key(&self) -> Key {
        key(self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let key = Key::new(merged_partition(self.user), SORT_KEY);
        (!self.topics.is_empty()).then_some((Index::Gsi3, key)).into_iter().collect()
    }
}
