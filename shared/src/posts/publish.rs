//! Writing: a post, a reply, a quote, a repost. Each is one transaction, then its messages.

use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Content, GONE, MediaList, Mentions, Post, PostType, ReplyPermission, Topic, Visibility, find, key,
};
use crate::{
    App, Result,
    actions::{Action, ActionType},
    engagements,
    error::Error,
    feeds, follows,
    id::{PostId, UserId},
    idempotency::Once,
    notifications::Happening,
    search_index::IndexJob,
    table::Write,
    users::{self, User},
};

/// A post to be written.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
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
/// included; each mention adds 1 RRU.
///
/// # Errors
/// [`Error::NotFound`] when the author does not exist; [`Error::Invalid`] for an unknown mention.
pub async fn create(app: &App, author: UserId, draft: Draft, once: &Once) -> Result<Post> {
    let owner = author.to_string();
    let post = match once.earlier(app, &owner).await? {
        Some(earlier) => earlier,
        None => {
            let author = author_of(app, author, &draft.mentions).await?;
            let post = written(app, &author, PostType::Post, draft);
            let log = Action::on_post(post.author, ActionType::PostCreated, post.id, post.created_at);
            once.commit(app, &owner, vec![Write::create(&post), log.log()], post).await?
        }
    };
    app.queues.send(app, &IndexJob::Post { post: post.id }).await?;
    feeds::bump(app, &post).await;
    Ok(post)
}

/// Writes a reply. 4 calls, 2 RRU and 19 WRU for 1 KB with a topic; to one's own post 14.
///
/// # Errors
/// [`Error::NotFound`] when the parent does not exist, [`Error::Forbidden`] when it takes no
/// replies from this author, and those of [`create`].
pub async fn reply(
    app: &App,
    author: UserId,
    parent: PostId,
    draft: ReplyDraft,
    once: &Once,
) -> Result<Post> {
    let owner = author.to_string();
    if let Some(earlier) = once.earlier(app, &owner).await? {
        return Ok(earlier);
    }
    let (author, parent) = futures::try_join!(author_of(app, author, &draft.mentions), find(app, parent))?;
    may_reply(app, &author, &parent).await?;
    let post = Post { parent: Some(parent.id), ..written(app, &author, PostType::Reply, draft) };
    let count = counted_on(parent.id, "repliesCount");
    let told = Happening::reply(&post, &parent).writes();
    let writes = [Write::create(&post), count].into_iter().chain(told).collect();
    once.commit(app, &owner, writes, post).await
}

/// Writes a quote of a post; quoting a repost quotes its original. 4 calls, 2 RRU, 18 WRU.
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
    let owner = author.to_string();
    if let Some(earlier) = once.earlier(app, &owner).await? {
        return Ok(earlier);
    }
    let (author, quoted) = futures::try_join!(author_of(app, author, &draft.mentions), find(app, quoted))?;
    let origin = quoted.root();
    let post = Post { origin: Some(origin), ..written(app, &author, PostType::Quote, draft) };
    let writes = vec![
        Write::create(&post),
        counted_on(origin, "quotesCount"),
        engagements::update(author.id, origin).add("quotes", 1),
        Action::on_post(author.id, ActionType::QuoteCreated, origin, post.created_at).log(),
    ];
    once.commit(app, &owner, writes, post).await
}

/// Passes a post on, or finds the repost that already does. 5 calls, 3 RRU, 16 WRU.
///
/// # Errors
/// [`Error::NotFound`] when the original does not exist.
pub async fn repost(app: &App, author: UserId, passed_on: PostId) -> Result<Post> {
    let (author, passed_on) = futures::try_join!(author_of(app, author, &None), find(app, passed_on))?;
    let origin = passed_on.root();
    if let Some(existing) = existing_repost(app, author.id, origin).await? {
        return Ok(existing);
    }
    let post = reposted(app, &author, origin);
    let writes = vec![
        engagements::update(author.id, origin).set("repost", post.id).lacks("repost").or(ALREADY),
        Write::create(&post),
        counted_on(origin, "repostsCount"),
        Action::on_post(author.id, ActionType::ShareCreated, origin, post.created_at).log(),
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

/// The author, when everybody that is mentioned exists too. 1 call for both.
async fn author_of(app: &App, author: UserId, mentions: &Option<Mentions>) -> Result<User> {
    let mentioned = mentions.as_ref().map_or(&[][..], Mentions::users);
    let missing = Error::NotFound("author");
    if mentioned.is_empty() {
        return users::find(app, author).await?.ok_or(missing);
    }
    let mut wanted: Vec<_> = mentioned.iter().copied().chain([author]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let found = users::find_all(app, &wanted).await?;
    if mentioned.iter().any(|it| !found.iter().any(|user| user.id == *it)) {
        return Err(Error::invalid("mentions", "must be users that exist"));
    }
    found.into_iter().find(|it| it.id == author).ok_or(missing)
}

async fn may_reply(app: &App, author: &User, parent: &Post) -> Result<()> {
    let allowed = match parent.reply_permission {
        _ if parent.author == author.id => true,
        ReplyPermission::Everyone => true,
        ReplyPermission::Followers => follows::is_following(app, author.id, parent.author).await?,
        ReplyPermission::Nobody => false,
    };
    allowed.then_some(()).ok_or(Error::Forbidden("the author does not take replies from you".into()))
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

fn reposted(app: &App, author: &User, origin: PostId) -> Post {
    Post { kind: PostType::Repost, origin: Some(origin), ..blank(app, author) }
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
        origin: None,
        shard: feeds::shard_of(app, id),
        is_ghost: false,
        is_hidden: false,
        is_deleted: false,
        deleted_at: None,
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
