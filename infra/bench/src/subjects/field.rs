//! The people and things from which the benchmark reads, and the rows of more of them.

use std::ops::Range;

use anyhow::{Context, Result};
use domain::{
    circles::{
        self, Activity, Circle, Energy,
        posts::{CirclePost, CirclePostKind, Thread},
    },
    conversations::{self, Group, GroupType, Message},
    ids::{GroupId, Position, PostId, UserId},
    notifications::Notification,
    people::{friendships::FriendRequest, users::User},
    posts::{Post, PostType, engagements::Engagement},
    search,
};
use local::Stack;
use platform::table::{Query, Row};
use reqwest::Client;
use serde_json::{Value, json};
use ulid::Ulid;

use crate::{
    people::{Person, answer, http, id_of},
    rows::{Originals, row, time_of, user_of},
    seed::likes_of,
    texts,
};

/// People in one row of likers.
const LIKERS: usize = 97;

/// People and things that are there before, made by requests.
pub(crate) struct Field {
    originals: Originals,
    /// Milliseconds.
    now: i64,
    /// She reads.
    pub(crate) ann: Person,
    pub(super) ann_id: UserId,
    pub(super) bob: User,
    /// Bob's.
    pub(super) post: PostId,
    pub(super) group: GroupId,
    /// Ann's.
    pub(super) circle_post: CirclePost,
    notification: Notification,
}

impl Field {
    pub(crate) async fn of(stack: &Stack) -> Result<Self> {
        let (http, url) = (http()?, stack.url());
        let originals = Originals::of(stack).await?;
        let ann = Person::sign_up(&http, url, "ann").await?;
        let bob = Person::sign_up(&http, url, "bob").await?;
        let post = id_of(&answer(bob.post("/posts", json!({ "content": "Hello" }))).await?)?;
        let group = json!({ "type": "private", "members": ["bob"] });
        let group = id_of(&answer(ann.post("/message-group", group)).await?)?;
        let circle = id_of(&answer(ann.post("/circles", json!({ "name": "Ann's circle" }))).await?)?;
        let circle_post =
            answer(ann.post(&format!("/circles/{circle}/posts"), json!({ "content": "Hello" }))).await?;
        notify(stack, &http, &ann, &bob).await?;
        let app = &originals.app;
        let (ann_id, bob) = (user_of(app, &ann).await?.id, user_of(app, &bob).await?);
        let notifications = Query::partition(ann_id.partition()).prefix("NOTIF#");
        let notification = app.table.query(&notifications).await?.pop().context("no notification")?;
        let circle_post = circles::posts::key(id_of(&circle_post)?.parse()?);
        let circle_post = app.table.get(&circle_post).await?.context("no post of a circle")?;
        let now = stack.clock().now().as_millisecond();
        let (post, group) = (post.parse()?, group.parse()?);
        Ok(Self { originals, now, ann, ann_id, bob, post, group, circle_post, notification })
    }

    pub(super) async fn write<R: Row>(&self, rows: impl Iterator<Item = Result<R>>) -> Result<()> {
        self.originals.write(&rows.collect::<Result<Vec<_>>>()?).await.map(drop)
    }

    /// Returns an id for a number, which also fits a user.
    fn id<T: From<Ulid>>(&self, number: usize) -> T {
        let at = self.now - 1000 * (number as i64 + 1);
        Ulid::from_parts(at.max(0) as u64, (number as u128 + 1) << 1).into()
    }

    /// Writes people who have just their row.
    pub(super) async fn newcomers(&self, numbers: Range<usize>) -> Result<Vec<User>> {
        let people = numbers.map(|number| self.originals.user(self.id(number), &format!("s{number:07}")));
        let people = people.collect::<Result<Vec<_>>>()?;
        self.originals.write(&people).await?;
        Ok(people)
    }

    /// Writes posts of Bob's that are found by a word and a hashtag.
    pub(super) async fn posts(&self, numbers: Range<usize>) -> Result<Vec<Post>> {
        let post = |number: usize| {
            let content = format!("coffee {}", texts::of(number, 5));
            let post = self.originals.post(self.id(number), &self.bob, &content)?;
            Ok(Post { topic: "coffee".parse().ok(), ..post })
        };
        let posts = numbers.map(post).collect::<Result<Vec<_>>>()?;
        let words: Vec<_> = posts.iter().flat_map(search::words_of).collect();
        self.originals.write(&posts).await?;
        self.originals.write(&words).await?;
        Ok(posts)
    }

    pub(super) fn reply(&self, number: usize) -> Result<Post> {
        let post = self.originals.post(self.id(number), &self.bob, "So true")?;
        Ok(Post { kind: PostType::Reply, parent: Some(self.post), head: Some(self.post), ..post })
    }

    pub(super) async fn like(&self, numbers: Range<usize>) -> Result<()> {
        let fans: Vec<_> = self.newcomers(numbers).await?.into_iter().map(|it| it.id).collect();
        for fans in fans.chunks(LIKERS) {
            let (likers, likes) = likes_of(self.post, fans[0].into(), fans.to_vec())?;
            self.originals.write(&[likers]).await?;
            self.originals.write(&likes).await?;
        }
        Ok(())
    }

    pub(super) async fn notify(&self, numbers: Range<usize>) -> Result<()> {
        let notification = |number: usize| {
            let mut it = self.notification.clone();
            (it.subject.target_id, it.last_event) = (self.id(number), self.id(number));
            it.last_event_at = time_of(it.last_event)?;
            Ok(it)
        };
        let all = numbers.map(notification).collect::<Result<Vec<_>>>()?;
        self.originals.write(&all).await?;
        self.write(all.iter().map(|it| Ok(it.unread()))).await
    }

    pub(super) fn message(&self, group: GroupId, sender: UserId, number: usize) -> Result<Message> {
        let id = self.id::<Ulid>(number);
        let at = time_of(id)?;
        row(json!({
            "id": id, "group": group, "sender": sender, "content": "Hello", "type": "TEXT", "createdAt": at,
        }))
    }

    /// Writes groups of two, in each of which a newcomer wrote to Ann.
    pub(super) async fn conversations(&self, numbers: Range<usize>) -> Result<()> {
        let (mut groups, mut members, mut messages) = (Vec::new(), Vec::new(), Vec::new());
        for (other, number) in self.newcomers(numbers.clone()).await?.into_iter().zip(numbers) {
            let (id, people) = (self.id(number), [other.id, self.ann_id]);
            let message = self.message(id, other.id, number)?;
            let mut group = Group::new(id, GroupType::Private, &people, other.id, message.created_at);
            (group.last_message_id, group.last_sender_id) = (Some(message.id), Some(other.id));
            (group.last_message_at, group.last_message_preview) =
                (Some(message.created_at), Some("Hello".into()));
            group.messages_count = 1;
            groups.push(group);
            for (user, place) in people.into_iter().zip(0..) {
                members.push(conversations::Member::new(id, user, place));
            }
            messages.push(Ok(message));
        }
        self.originals.write(&groups).await?;
        self.originals.write(&members).await?;
        self.write(messages.into_iter()).await
    }

    pub(super) fn save(&self, post: &Post) -> Result<Engagement> {
        let position = Position::from(Ulid::from(post.id));
        row(json!({ "user": self.ann_id, "post": post.id, "saved": true, "savedAt": position }))
    }

    pub(super) fn circle_post(&self, number: usize) -> Result<CirclePost> {
        let id = self.id(number);
        Ok(CirclePost { id, created_at: time_of(id)?, ..self.circle_post.clone() })
    }

    pub(super) fn comment(&self, number: usize) -> Result<CirclePost> {
        let thread = Thread { post: self.circle_post.id, author: self.ann_id };
        let (kind, parent) = (CirclePostKind::Comment, Some(thread.post));
        Ok(CirclePost { kind, parent, thread: Some(thread), ..self.circle_post(number)? })
    }

    pub(super) async fn circles(&self, numbers: Range<usize>) -> Result<()> {
        let (mut all, mut members, mut energies) = (Vec::new(), Vec::new(), Vec::new());
        for (owner, number) in self.newcomers(numbers.clone()).await?.into_iter().zip(numbers) {
            let (id, at, name) = (self.id(number), owner.created_at, owner.username.to_string());
            all.push(row::<Circle>(json!({
                "id": id, "name": name, "description": "", "ownerId": owner.id, "membersCount": 1, "createdAt": at,
            })));
            members.push(circles::Member::new(
                id,
                owner.id,
                circles::Role::Owner,
                circles::Source::Founder,
                at,
            ));
            energies.push(Energy::new(id, at));
        }
        self.write(all.into_iter()).await?;
        self.originals.write(&members).await?;
        self.originals.write(&energies).await?;
        self.write(energies.iter().map(|it| Ok(Activity::founded(it)))).await
    }

    pub(super) fn friend(&self, other: &User, number: usize) -> Result<FriendRequest> {
        let at = self.id::<Position>(number);
        row(json!({
            "senderId": other.id, "receiverId": self.ann_id, "status": "ACCEPTED", "position": at, "friendsAt": at,
            "createdAt": other.created_at, "answeredAt": other.created_at,
        }))
    }
}

/// Ann is notified that Bob likes a post of hers.
async fn notify(stack: &Stack, http: &Client, ann: &Person, bob: &Person) -> Result<()> {
    let console = async |what: &str, body: Value| {
        answer(http.post(format!("{}/_local/{what}", stack.url())).json(&body)).await
    };
    let post = id_of(&answer(ann.post("/posts", json!({ "content": "Hello" }))).await?)?;
    answer(bob.post(&format!("/posts/{post}/like"), json!({ "isLiked": true }))).await?;
    console("settle", json!({})).await?;
    console("clock", json!({ "advanceSeconds": 60 })).await?;
    console("settle", json!({})).await.map(drop)
}
