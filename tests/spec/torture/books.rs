//! What must be true at the end, whatever happened.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{operations::recount::Recount, people::friendships};
use serde_json::{Value, json};
use tests::{Person, Post};

use super::{Network, deeds::Done};

/// What was answered on the way.
#[derive(Default)]
pub(super) struct Books {
    /// Posts and their authors.
    posts: Vec<(String, Post)>,
    /// Of whom one blocked the other at some time: what they did is not told.
    blocked: BTreeSet<(String, String)>,
    /// Replies by the author and the post that they answer: who, and whether that is known.
    replies: BTreeMap<(String, String), Vec<(String, bool)>>,
    /// Karma that was earned for certain, and that may have been, by person.
    karma: BTreeMap<String, (i64, i64)>,
}

impl Books {
    pub(super) fn posts(&self) -> &[(String, Post)] {
        &self.posts
    }

    pub(super) fn note(&mut self, done: Done) {
        match done {
            Done::Wrote(author, post) => self.posts.push((author, post)),
            Done::Blocked(one, other) => {
                self.blocked.extend([(one.clone(), other.clone()), (other, one)]);
            }
            Done::Replied { author, post, user, known } if author != user => {
                self.replies.entry((author, post)).or_default().push((user, known));
            }
            Done::Claimed { user, karma, known } => {
                let (certain, possible) = self.karma.entry(user).or_default();
                *certain += if known { karma } else { 0 };
                *possible += karma;
            }
            Done::Replied { .. } | Done::Other => {}
        }
    }

    pub(super) async fn check(&self, network: &Network) {
        counters_are_what_they_count(network).await;
        every_like_is_applied(network).await;
        for person in &network.people {
            self.karma_is_what_was_earned(person).await;
            lists_are_as_long_as_counted(network, person).await;
            self.no_reply_goes_untold(person).await;
        }
        for (number, group) in network.groups.iter().enumerate() {
            let pair = [&network.people[2 * number], &network.people[2 * number + 1]];
            conversations_are_counted(pair, group).await;
        }
    }

    async fn karma_is_what_was_earned(&self, person: &Person) {
        let karma = person.get("/users/me/karma").await.ok().data().clone();
        let changes: Vec<_> = karma["transactions"].as_array().unwrap().iter().collect();
        let sum = |reason: &str| -> i64 {
            changes
                .iter()
                .filter(|change| change["reason"] == reason)
                .map(|change| change["delta"].as_i64().unwrap())
                .sum()
        };
        let balance = karma["balance"].as_i64().unwrap();
        assert!(balance >= 0, "{}: {karma}", person.name);
        assert_eq!(balance, sum("QUEST") + sum("KARMA_SACRIFICE"), "{}: {karma}", person.name);
        let (certain, possible) = self.karma.get(&person.id).copied().unwrap_or_default();
        assert!(
            (certain..=possible).contains(&sum("QUEST")),
            "{}: {certain} to {possible}: {karma}",
            person.name
        );
        let days: Vec<_> =
            changes.iter().filter(|change| change["reason"] == "QUEST").map(|it| day(it)).collect();
        let distinct: BTreeSet<_> = days.iter().collect();
        assert_eq!(days.len(), distinct.len(), "{} claimed one quest twice on a day: {karma}", person.name);
    }

    /// Who replied is in the notification of the post, and is counted once.
    async fn no_reply_goes_untold(&self, person: &Person) {
        let told = all(person, "/notification").await;
        for ((author, post), by) in self.replies.iter().filter(|((author, _), _)| *author == person.id) {
            let mut certain = by.clone();
            certain.retain(|(user, known)| *known && !self.blocked.contains(&(author.clone(), user.clone())));
            let told = told.iter().find(|notification| {
                notification["targetType"] == "REPLY" && notification["targetId"] == **post
            });
            let count = told.map_or(0, |notification| notification["count"].as_u64().unwrap()) as usize;
            let right = (certain.len()..=by.len()).contains(&count);
            assert!(right, "{post}: {count}, not {} to {}: {told:?}", certain.len(), by.len());
            for (user, _) in certain {
                assert!(
                    told.unwrap()["actorIds"].as_array().unwrap().contains(&json!(user)),
                    "{user}: {told:?}"
                );
            }
        }
    }
}

/// Every counter of posts and people.
async fn counters_are_what_they_count(network: &Network) {
    let (app, mut recount, mut from) = (network.world.app(), Recount::default(), None);
    loop {
        let (_, next) = recount.read(&app, from).await.unwrap();
        if next.is_none() {
            break;
        }
        from = next;
    }
    let drifts = recount.drifts();
    assert!(drifts.is_empty(), "{drifts:?}");
}

/// What is wished is what is counted, on every row.
async fn every_like_is_applied(network: &Network) {
    let client = network.world.unwatched_dynamodb();
    let pages = client.scan().table_name(network.world.table_name()).into_paginator().items().send();
    let rows: Vec<_> = pages.collect::<Result<_, _>>().await.unwrap();
    let flag = |row: &HashMap<String, AttributeValue>, name: &str| {
        row.get(name).and_then(|it| it.as_bool().ok()).copied().unwrap_or_default()
    };
    let likes = rows.iter().filter(|it| it.contains_key("liked"));
    let unapplied: Vec<_> = likes.filter(|row| flag(row, "liked") != flag(row, "counted")).collect();
    assert!(unapplied.is_empty(), "{unapplied:?}");
}

async fn lists_are_as_long_as_counted(network: &Network, person: &Person) {
    let profile = person.meets(person).await;
    for (count, list) in [("followersCount", "/followers"), ("followingCount", "/following")] {
        let rows = person.get(&format!("{}?take=100", person.path(list))).await.ok().rows().len();
        assert_eq!(profile[count], json!(rows), "{}: {count}", person.name);
    }
    let asked = person.get("/me/friend-requests/received?take=100").await.ok().rows().len();
    let counted = friendships::count_pending(&network.world.app(), person.id.parse().unwrap()).await.unwrap();
    assert_eq!(json!(counted), json!(asked), "{}: friend requests", person.name);
}

/// What is unread is what the other wrote behind one's own mark; the newest message is the last.
async fn conversations_are_counted([one, other]: [&Person; 2], group: &str) {
    let messages = all(one, &format!("/message-group/{group}/messages")).await;
    for (reader, writer) in [(one, other), (other, one)] {
        let conversations = all(reader, "/chat/conversations").await;
        let mine = conversations.iter().find(|row| row["publicId"] == *group).unwrap();
        let mark = mine["lastSeenMessageId"].as_str().unwrap_or_default();
        let newer = messages.iter().filter(|message| message["publicId"].as_str().unwrap() > mark);
        let unread = newer.filter(|message| message["senderId"] == *writer.id).count();
        assert_eq!(mine["unreadCount"], unread, "{} of {group}: {mine}", reader.name);
        if let Some(newest) = messages.first() {
            assert_eq!(mine["lastMessageAt"], newest["createdAt"], "{mine}");
            assert_eq!(mine["lastMessagePreview"], newest["content"], "{mine}");
        }
    }
}

/// All pages of a list.
async fn all(person: &Person, path: &str) -> Vec<Value> {
    let (mut rows, mut query) = (Vec::new(), "?take=100".to_owned());
    loop {
        let page = person.get(&format!("{path}{query}")).await.ok();
        rows.extend_from_slice(page.rows());
        match page.after() {
            Some(after) => query = format!("?take=100&after={after}"),
            None => return rows,
        }
    }
}

fn day(change: &Value) -> String {
    change["createdAt"].as_str().unwrap().chars().take(10).collect()
}
