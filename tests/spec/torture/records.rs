//! Invariants that are checked after the simulation.

use std::collections::{BTreeMap, BTreeSet};

use domain::{ids::UserId, people::friendships};
use serde_json::{Value, json};
use tests::{Person, Post};

use super::{Network, actions::Outcome};
use crate::{
    recounts::drifts,
    scale::{Item, all_rows},
    setup::rows_of_all_pages,
};

/// Outcomes of the simulated actions, to compare with the final state.
#[derive(Default)]
pub(super) struct Records {
    /// Posts with their authors.
    posts: Vec<(String, Post)>,
    /// Pairs of users with a block between them at some time. Replies between them need not notify.
    blocked: BTreeSet<(String, String)>,
    /// Repliers by author and post, and whether each reply certainly took effect.
    replies: BTreeMap<(String, String), Vec<(String, bool)>>,
    /// Maximum number of posts that each user hid.
    hides: BTreeMap<String, i64>,
    /// Minimum and maximum expected karma by user.
    karma: BTreeMap<String, (i64, i64)>,
}

impl Records {
    pub(super) fn posts(&self) -> &[(String, Post)] {
        &self.posts
    }

    pub(super) fn note(&mut self, done: Outcome) {
        match done {
            Outcome::Wrote(author, post) => self.posts.push((author, post)),
            Outcome::Blocked(one, other) => {
                self.blocked.extend([(one.clone(), other.clone()), (other, one)]);
            }
            Outcome::Replied { author, post, user, certain } if author != user => {
                self.replies.entry((author, post)).or_default().push((user, certain));
            }
            Outcome::Hid(user) => *self.hides.entry(user).or_default() += 1,
            Outcome::Claimed { user, karma, certain } => {
                let (earned, possible) = self.karma.entry(user).or_default();
                *earned += if certain { karma } else { 0 };
                *possible += karma;
            }
            Outcome::Replied { .. } => {}
        }
    }

    pub(super) async fn check(&self, network: &Network) {
        assert_eq!(drifts(&network.world.app(), &[]).await, [], "counters that differ from their rows");
        check_likes_are_applied(network).await;
        self.check_hides(network).await;
        for person in &network.people {
            self.check_karma(person).await;
            check_list_lengths(network, person).await;
            self.check_reply_notifications(person).await;
        }
        for (number, group) in network.groups.iter().enumerate() {
            let pair = [&network.people[2 * number], &network.people[2 * number + 1]];
            check_conversations(pair, group).await;
        }
    }

    /// Checks that moderators see the hides of the attacker, and of no other user.
    async fn check_hides(&self, network: &Network) {
        let statistics = network.root.signs_in().await.get("/admin/statistics/moderation").await.ok();
        for hider in statistics.data()["topHiders"].as_array().unwrap() {
            let public = &hider["user"]["publicId"];
            let person = network.people.iter().find(|person| *public == *person.public_id).unwrap();
            let most = self.hides.get(&person.id).copied().unwrap_or_default();
            let hides = hider["hides"].as_i64().unwrap();
            assert!((1..=most).contains(&hides), "{}: {hides}, at most {most}", person.name);
        }
    }

    async fn check_karma(&self, person: &Person) {
        let karma = person.get("/users/me/karma").await.ok().data().clone();
        let changes = karma["transactions"].as_array().unwrap();
        let for_reason =
            |reason: &'static str| changes.iter().filter(move |change| change["reason"] == reason);
        let sum = |reason: &'static str| {
            for_reason(reason).map(|change| change["delta"].as_i64().unwrap()).sum::<i64>()
        };
        let (name, balance) = (&person.name, karma["balance"].as_i64().unwrap());
        assert!(balance >= 0, "{name}: {karma}");
        assert_eq!(balance, sum("QUEST") + sum("KARMA_SACRIFICE"), "{name}: {karma}");
        let (earned, possible) = self.karma.get(&person.id).copied().unwrap_or_default();
        let is_right = (earned..=possible).contains(&sum("QUEST"));
        assert!(is_right, "{name}: {earned} to {possible}: {karma}");
        let day = |change: &Value| change["createdAt"].as_str().unwrap()[..10].to_owned();
        let days: BTreeSet<_> = for_reason("QUEST").map(day).collect();
        assert_eq!(days.len(), for_reason("QUEST").count(), "{name} claimed a quest twice on a day: {karma}");
    }

    /// Checks the notification about replies to each post: it counts each reply once, and lists all users whose reply
    /// succeeded.
    async fn check_reply_notifications(&self, person: &Person) {
        let notifications = rows_of_all_pages(person, "/notification?take=100").await;
        for ((author, post), by) in self.replies.iter().filter(|((author, _), _)| *author == person.id) {
            let is_blocked = |user: &String| self.blocked.contains(&(author.clone(), user.clone()));
            let mut expected = by.clone();
            expected.retain(|(user, certain)| *certain && !is_blocked(user));
            let found = notifications.iter().find(|notification| {
                notification["targetType"] == "REPLY" && notification["targetId"] == **post
            });
            let count = found.map_or(0, |notification| notification["count"].as_u64().unwrap()) as usize;
            let is_right = (expected.len()..=by.len()).contains(&count);
            assert!(is_right, "{post}: {count}, not {} to {}: {found:?}", expected.len(), by.len());
            for (user, _) in expected {
                let public = json!(user.parse::<UserId>().unwrap().public());
                let actors = found.unwrap()["actorIds"].as_array().unwrap();
                assert!(actors.contains(&public), "{user}: {found:?}");
            }
        }
    }
}

/// Checks that every like and unlike is counted: `liked` equals `counted` in each row.
async fn check_likes_are_applied(network: &Network) {
    let rows = all_rows(&network.world).await;
    let flag = |row: &Item, name: &str| {
        row.get(name).and_then(|value| value.as_bool().ok()).copied().unwrap_or_default()
    };
    let likes = rows.iter().filter(|row| row.contains_key("liked"));
    let unapplied: Vec<_> = likes.filter(|row| flag(row, "liked") != flag(row, "counted")).collect();
    assert!(unapplied.is_empty(), "{unapplied:?}");
}

async fn check_list_lengths(network: &Network, person: &Person) {
    let profile = person.meets(person).await;
    for (count, list) in [("followersCount", "/followers"), ("followingCount", "/following")] {
        let rows = person.get(&format!("{}?take=100", person.path(list))).await.ok().rows().len();
        assert_eq!(profile[count], json!(rows), "{}: {count}", person.name);
    }
    let asked = person.get("/me/friend-requests/received?take=100").await.ok().rows().len();
    let counted = friendships::count_pending(&network.world.app(), person.id.parse().unwrap()).await.unwrap();
    assert_eq!(json!(counted), json!(asked), "{}: friend requests", person.name);
}

/// Checks the unread counts of both users, and the preview of the newest message in their group.
async fn check_conversations([one, other]: [&Person; 2], group: &str) {
    let messages = rows_of_all_pages(one, &format!("/message-group/{group}/messages?take=100")).await;
    for (reader, writer) in [(one, other), (other, one)] {
        let conversations = rows_of_all_pages(reader, "/chat/conversations?take=100").await;
        let mine = conversations.iter().find(|row| row["publicId"] == *group).unwrap();
        let mark = mine["lastSeenMessageId"].as_str().unwrap_or_default();
        let newer = messages.iter().filter(|message| message["publicId"].as_str().unwrap() > mark);
        let unread = newer.filter(|message| message["senderId"] == *writer.public_id).count();
        assert_eq!(mine["unreadCount"], unread, "{} of {group}: {mine}", reader.name);
        if let Some(newest) = messages.first() {
            assert_eq!(mine["lastMessageAt"], newest["createdAt"], "{mine}");
            assert_eq!(mine["lastMessagePreview"], newest["content"], "{mine}");
        }
    }
}
