//! Rows that are written at once, past requests: the product's own row types, with other ids and times.

use anyhow::{Context, Result};
use domain::{
    ids::{PostId, UserId},
    people::users::{self, User},
    posts::{self, Post},
};
use jiff::Timestamp;
use local::Stack;
use platform::{App, table::Row, time::Time};
use serde_json::{Value, json};
use ulid::Ulid;

use crate::people::{Person, answer, http, id_of};

/// Rows that are in memory as requests at the same time.
const TOGETHER: usize = 10_000;

/// One person and one post, as requests made them. All others are copies.
pub(crate) struct Originals {
    pub(crate) app: App,
    user: User,
    post: Post,
}

impl Originals {
    /// Registers a person who writes a post.
    pub(crate) async fn of(stack: &Stack) -> Result<Self> {
        let app = stack.accounts().context("no function knows accounts")?;
        let person = Person::sign_up(&http()?, stack.url(), "original").await?;
        let id = id_of(&answer(person.get("/auth/me")).await?)?;
        let user = users::find(&app, id.parse()?).await?.context("no user")?;
        let id = id_of(&answer(person.post("/posts", json!({ "content": "original" }))).await?)?;
        let post = app.table.get(&posts::key(id.parse()?)).await?.context("no post")?;
        Ok(Self { app, user, post })
    }

    /// Returns a user who registered at the time of the id. Everyone has the same password.
    pub(crate) fn user(&self, id: UserId, name: &str) -> Result<User> {
        let email = serde_json::from_value(json!(format!("{name}@example.com")))?;
        let (username, name) = (serde_json::from_value(json!(name))?, serde_json::from_value(json!(name))?);
        Ok(User { id, name, username, email, created_at: time_of(id)?, ..self.user.clone() })
    }

    /// Returns a post of the time of its id.
    pub(crate) fn post(&self, id: PostId, author: &User, content: &str) -> Result<Post> {
        let content = Some(serde_json::from_value(json!(content))?);
        let (at, shards) = (time_of(id)?, u128::from(*self.app.settings.feed_shards));
        let shard = (id.random() % shards) as u8;
        let (author, user) = (author.id, author.card());
        let original = self.post.clone();
        Ok(Post { id, author, user, content, shard, created_at: at, updated_at: at, ..original })
    }

    /// Writes rows, and returns how many.
    pub(crate) async fn write<R: Row>(&self, rows: &[R]) -> Result<usize> {
        for some in rows.chunks(TOGETHER) {
            self.app.table.batch_write(some, &[]).await?;
        }
        Ok(rows.len())
    }
}

/// Returns the row that has these fields.
pub(crate) fn row<R: Row>(fields: Value) -> Result<R> {
    serde_json::from_value(fields).context("a row")
}

/// Returns the time of an id.
pub(crate) fn time_of(id: impl Into<Ulid>) -> Result<Time> {
    Ok(Timestamp::from_millisecond(id.into().timestamp_ms().try_into()?)?.into())
}
