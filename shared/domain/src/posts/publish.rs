//! Writing: a post, a reply, a quote, a repost. Each is one transaction, then its messages.

use platform::{App, Result, error::Error, idempotency::Once, table::Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::feed_index;
use super::notices;
use super::{
    Content, GONE, MediaList, Mentions, Post, PostType, ReplyPermission, Topic, Visibility, find, key,
};
use crate::{
    ids::{PostId, UserId},
    jobs::{IndexJob, TimelineJob},
    ledger::{
        action_log::{Action, ActionType},
        statistics::{self, Count},
    },
    notifications::NotificationEvent,
    people::{
        follows, relationships,
        users::{self, User},
    },
    posts::{engagements, timeline},
};

/// A post to be written.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PostDraft)]
pub struct Draft {
    /// The text.
    pub content: Content,
    /// Files that were uploaded before.
    pub media: Option<MediaList>,
    /// People it speaks of, by either id.
    pub mentions: Option<Mentions>,
    /// Its hashtag; the first of the text unless it is said.
    pub topic: Option<Topic>,
    /// Whom it is meant for.
    pub visibility: Option<Visibility>,
    /// Who may reply.
    pub reply_permission: Option<ReplyPermission>,
}

/// A reply to be written: as a post, below its parent.
pub type ReplyDraft = Draft;

/// A quote to be written: as a post, about its original.
pub type QuoteDraft = Draft;

/// Writes a post. 4 calls, 1 RRU and 14 WRU for 1 KB with a topic, the session's and a message
/// included; mentions add 1 call, and 2 RRU each.
///
/// # Errors
/// [`Error::NotFound`] when the author does not exist; [`Error::Invalid`] for an unknown mention,
/// [`Error::Forbidden`] for one that a block stands before.
pub async fn create(app: &App, author: UserId, draft: Draft, once: &Once) -> Result<Post> {
    let post = once.run(app, author, creation(app, author, draft)).await?;
    let index = IndexJob::Post { post: post.id };
    futures::try_join!(app.queues.send(&index), fan_out(app, &post))?;
    feed_index::bump(app, &post).await;
    Ok(post)
}

async fn creation(app: &App, author: UserId, draft: Draft) -> Result<(Vec<Write>, Post)> {
    let author = author_of(app, author, &draft.mentions).await?;
    let post = written(app, &author, PostType::Post, draft);
    let log = Action::on_post(post.author, ActionType::PostCreated, post.id, post.created_at);
    let writes = [Write::create(&post), timeline::own(app, &post), log.log()];
    let told = told(app, notices::mentions(app, &post)).await?;
    Ok((writes.into_iter().chain(told).collect(), post))
}

/// Writes a reply. 6 calls, 4 RRU and 21 WRU for 1 KB with a topic; to one's own post 4 calls and 16 WRU;
/// further down a thread, to tell whoever began it, 1 call, 1 RRU and 5 WRU more.
///
/// # Errors
/// [`Error::NotFound`] when the parent does not exist, [`Error::Forbidden`] when it takes no
/// replies from this author or a block stands between them, and those of [`create`].
pub async fn reply(
    app: &App,
    author: UserId,
    parent: PostId,
    draft: ReplyDraft,
    once: &Once,
) -> Result<Post> {
    once.run(app, author, answer(app, author, parent, draft)).await
}

async fn answer(app: &App, author: UserId, parent: PostId, draft: ReplyDraft) -> Result<(Vec<Write>, Post)> {
    let (author, parent) = futures::try_join!(author_of(app, author, &draft.mentions), find(app, parent))?;
    may_reply(app, &author, &parent).await?;
    let post = Post {
        parent: Some(parent.id),
        head: parent.head.or(Some(parent.id)),
        head_author: parent.head_author.or(Some(parent.author)),
        ..written(app, &author, PostType::Reply, draft)
    };
    let count = counted_on(parent.id, "repliesCount");
    let tally = statistics::count(post.id.random(), Count::Replies, 1);
    let replied = [notices::reply(&post, &parent)].into_iter().chain(notices::comment(&post, &parent));
    let told = told(app, replied.chain(notices::mentions(app, &post)).collect()).await?;
    Ok(([Write::create(&post), count, tally].into_iter().chain(told).collect(), post))
}

/// Writes a quote of a post; quoting a repost quotes its original. 4 calls, 2 RRU, 20 WRU.
///
/// # Errors
/// [`Error::NotFound`] when the original does not exist, and those of [`create`].
pub async fn quote(
    app: &App,
    author: UserId,
    quoted: PostId,
    draft: QuoteDraft,
    once: &Once,
) -> Result<Post> {
    let post = once.run(app, author, quotation(app, author, quoted, draft)).await?;
    fan_out(app, &post).await?;
    Ok(post)
}

async fn quotation(
    app: &App,
    author: UserId,
    quoted: PostId,
    draft: QuoteDraft,
) -> Result<(Vec<Write>, Post)> {
    let (author, quoted) = futures::try_join!(author_of(app, author, &draft.mentions), find(app, quoted))?;
    let origin = quoted.root();
    let post = Post {
        origin: Some(origin),
        origin_author: Some(quoted.root_author()),
        ..written(app, &author, PostType::Quote, draft)
    };
    let writes = vec![
        Write::create(&post),
        counted_on(origin, "quotesCount"),
        engagements::update(author.id, origin).add("quotes", 1),
        Action::on_post(author.id, ActionType::QuoteCreated, origin, post.created_at).log(),
        timeline::own(app, &post),
        statistics::count(post.id.random(), Count::Posts, 1),
    ];
    let told = told(app, notices::mentions(app, &post)).await?;
    Ok((writes.into_iter().chain(told).collect(), post))
}

/// Passes a post on, or finds the repost that already does. 5 calls, 3 RRU, 18 WRU.
///
/// # Errors
/// [`Error::NotFound`] when the original does not exist.
pub async fn repost(app: &App, author: UserId, passed_on: PostId) -> Result<Post> {
    let post = repost_once(app, author, passed_on).await?;
    fan_out(app, &post).await?;
    Ok(post)
}

/// The author's followers are to find it. A message.
async fn fan_out(app: &App, post: &Post) -> Result<()> {
    app.queues.send(&TimelineJob::FanOut { post: post.id, after: None }).await
}

async fn repost_once(app: &App, author: UserId, passed_on: PostId) -> Result<Post> {
    let (author, passed_on) = futures::try_join!(author_of(app, author, &None), find(app, passed_on))?;
    let origin = passed_on.root();
    if let Some(existing) = existing_repost(app, author.id, origin).await? {
        return Ok(existing);
    }
    let post = reposted(app, &author, &passed_on);
    let writes = vec![
        engagements::update(author.id, origin).set("repost", post.id).lacks("repost").or(ALREADY),
        Write::create(&post),
        counted_on(origin, "repostsCount"),
        Action::on_post(author.id, ActionType::ShareCreated, origin, post.created_at).log(),
        timeline::own(app, &post),
        statistics::count(post.id.random(), Count::Posts, 1),
    ];
    match app.table.transact(writes).await {
        Ok(()) => Ok(post),
        // Two at once: the other one's is the repost.
        Err(refusal @ Error::Conflict(_)) => existing_repost(app, author.id, origin).await?.ok_or(refusal),
        Err(error) => Err(error),
    }
}

const ALREADY: Error = Error::Conflict("this post is being reposted");

async fn existing_repost(app: &App, author: UserId, origin: PostId) -> Result<Option<Post>> {
    let engagement = engagements::find(app, author, origin).await?;
    let Some(repost) = engagement.and_then(|it| it.repost) else { return Ok(None) };
    app.table.get(&key(repost)).await
}

/// The author, when everybody that is mentioned exists too and no block stands between. 1 call; with
/// mentions 2, and 1 RRU for each.
async fn author_of(app: &App, author: UserId, mentions: &Option<Mentions>) -> Result<User> {
    let mentioned = mentions.as_ref().map_or(&[][..], Mentions::users);
    let missing = Error::NotFound("author");
    if mentioned.is_empty() {
        return users::find(app, author).await?.ok_or(missing);
    }
    let mut wanted: Vec<_> = mentioned.iter().copied().chain([author]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let found = users::find_all(app, &wanted);
    let (found, ()) = futures::try_join!(found, relationships::refuse_any(app, author, mentioned))?;
    if mentioned.iter().any(|it| !found.iter().any(|user| user.id == *it)) {
        return Err(Error::invalid("mentions", "must be users that exist"));
    }
    found.into_iter().find(|it| it.id == author).ok_or(missing)
}

/// 1 call; with a permission to look up 2.
async fn may_reply(app: &App, author: &User, parent: &Post) -> Result<()> {
    if parent.author == author.id {
        return Ok(());
    }
    let allowed = permits(app, author, parent);
    let (allowed, ()) = futures::try_join!(allowed, relationships::refuse(app, author.id, parent.author))?;
    allowed.then_some(()).ok_or(Error::Forbidden("the author does not take replies from you".into()))
}

async fn permits(app: &App, author: &User, parent: &Post) -> Result<bool> {
    Ok(match parent.reply_permission {
        ReplyPermission::Everyone => true,
        ReplyPermission::Followers => follows::is_following(app, author.id, parent.author).await?,
        ReplyPermission::Nobody => false,
    })
}

/// Those who want to hear of it are told. 1 call and 1 RRU at the same time, 5 WRU for each.
async fn told(app: &App, events: Vec<NotificationEvent>) -> Result<Vec<Write>> {
    let unmuted = NotificationEvent::unmuted(app, events).await?;
    Ok(unmuted.iter().flat_map(|it| it.writes(app)).collect())
}

/// One more on a post that must still be there.
fn counted_on(post: PostId, count: &str) -> Write {
    Write::update(key(post)).add(count, 1).equals("isDeleted", false).or(GONE)
}

fn written(app: &App, author: &User, kind: PostType, draft: Draft) -> Post {
    let topic = draft.topic.or_else(|| draft.content.first_topic());
    Post {
        kind,
        media: draft.media.unwrap_or_default(),
        mentions: draft.mentions.unwrap_or_default(),
        topic,
        visibility: draft.visibility.unwrap_or_default(),
        reply_permission: draft.reply_permission.unwrap_or_default(),
        content: Some(draft.content),
        ..blank(app, author)
    }
}

fn reposted(app: &App, author: &User, passed_on: &Post) -> Post {
    let (origin, origin_author) = (Some(passed_on.root()), Some(passed_on.root_author()));
    Post { kind: PostType::Repost, origin, origin_author, ..blank(app, author) }
}

/// A post of which nothing is said yet.
fn blank(app: &App, author: &User) -> Post {
    let now = app.now();
    let id: PostId = app.ids.next(now);
    Post {
        id,
        kind: PostType::Post,
        author: author.id,
        user: author.card(),
        content: None,
        media: MediaList::default(),
        mentions: Mentions::default(),
        topic: None,
        visibility: Visibility::default(),
        reply_permission: ReplyPermission::default(),
        parent: None,
        head: None,
        head_author: None,
        origin: None,
        origin_author: None,
        shard: feed_index::shard_of(app, id),
        is_ghost: false,
        is_hidden: false,
        is_deleted: false,
        deleted_at: None,
        moderated_at: None,
        created_at: now,
        updated_at: now,
        edits: 0,
        likes_count: 0,
        likes_seq: 0,
        replies_count: 0,
        reposts_count: 0,
        quotes_count: 0,
    }
}
