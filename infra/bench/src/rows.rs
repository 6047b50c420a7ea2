//! Writes rows directly to the table. The rows are copies of template rows with different IDs and times.

use anyhow::{Context, Result};
use domain::{
    ids::{PostId, UserId},
    people::users::{self, User},
    posts::{self, Post},
};
use jiff::Timestamp;
use local::Stack;
use platform::{App, table::Row, time::Time};
use serde_json::json;
use ulid::Ulid;

use crate::people::{Person, answer, http, id_of};

/// Number of rows per batch, which limits the memory for requests.
const BATCH_ROWS: usize = 10_000;

/// Template rows: a user and a post that the API created.
pub(crate) struct Originals {
    pub(crate) app: App,
    user: User,
    post: Post,
}

impl Originals {
    /// Creates a user and a post over the API.
    pub(crate) async fn of(stack: &Stack) -> Result<Self> {
        let app = stack.accounts().context("the template has no accounts function")?;
        let person = Person::sign_up(&http()?, stack.url(), "original").await?;
        let id = id_of(&answer(person.get("/auth/me")).await?)?;
        let user = users::find(&app, id.parse()?).await?.context("no user")?;
        let id = person.create("/posts", json!({ "content": "original" })).await?;
        let post = app.table.get(&posts::key(id.parse()?)).await?.context("no post")?;
        Ok(Self { app, user, post })
    }

    /// Returns a user who signed up at the timestamp in `id`. All users have the same password.
    pub(crate) fn user(&self, id: UserId, name: &str) -> Result<User> {
        let email = serde_json::from_value(json!(format!("{name}@example.com")))?;
        let (username, name) = (serde_json::from_value(json!(name))?, serde_json::from_value(json!(name))?);
        Ok(User { id, name, username, email, created_at: time_of(id)?, ..self.user.clone() })
    }

    /// Returns a post that was created at the timestamp in `id`.
    pub(crate) fn post(&self, id: PostId, author: &User, content: &str) -> Result<Post> {
        let content = Some(serde_json::from_value(json!(content))?);
        let (at, shards) = (time_of(id)?, u128::from(*self.app.settings.feed_shards));
        let shard = (id.random() % shards) as u8;
        let (author, user) = (author.id, author.card());
        let original = self.post.clone();
        Ok(Post { id, author, user, content, shard, created_at: at, updated_at: at, ..original })
    }

    /// Writes rows and returns their number.
    pub(crate) async fn write<R: Row>(&self, rows: &[R]) -> Result<usize> {
        for batch in rows.chunks(BATCH_ROWS) {
            self.app.table.batch_write(batch, &[]).await?;
        }
        Ok(rows.len())
    }
}

/// Returns the timestamp in an ID.
pub(crate) fn time_of(id: impl Into<Ulid>) -> Result<Time> {
    Ok(Timestamp::from_millisecond(id.into().timestamp_ms().try_into()?)?.into())
}
