//! Posts, replies and messages that were answered are there, and once.

use std::collections::HashSet;

use anyhow::Result;
use serde_json::Value;

use super::each;
use crate::{
    api::Api,
    books::{Books, Text},
    crowd::{Crowd, Person},
    report::Finding,
};

pub(super) async fn all(api: &Api, crowd: &Crowd, books: &[Books]) -> Result<Vec<Finding>> {
    let posts = books.iter().flat_map(|it| &it.posts);
    let replies = books.iter().flat_map(|it| &it.replies);
    let is_there = async |text: &Text| match api.get(None, &format!("/posts/{}", text.id)).await {
        Ok(post) => (word(&post) != text.word).then(|| format!("{} is {post}", text.word)),
        Err(error) => Some(format!("{}: {error}", text.word)),
    };
    Ok(vec![
        each("an answered post is there", posts, is_there).await,
        each("an answered reply is there", replies, is_there).await,
        messages(api, crowd, books).await?,
        each("no post is there twice", &crowd.writers, async |writer| twice(api, writer).await).await,
    ])
}

async fn messages(api: &Api, crowd: &Crowd, books: &[Books]) -> Result<Finding> {
    let path = format!("/message-group/{}/messages", crowd.group);
    let rows = api.list(&crowd.writers[0].token, &path).await?;
    let there: HashSet<_> = rows.iter().map(word).collect();
    let answered = books.iter().flat_map(|it| &it.messages);
    let is_there = async |text: &Text| (!there.contains(text.word.as_str())).then(|| text.word.clone());
    Ok(each("an answered message is there", answered, is_there).await)
}

async fn twice(api: &Api, writer: &Person) -> Option<String> {
    match api.list(&writer.token, &format!("/user/{}/posts", writer.name)).await {
        Ok(posts) => {
            let mut seen = HashSet::new();
            posts.iter().map(word).find(|word| !seen.insert(*word)).map(str::to_owned)
        }
        Err(error) => Some(error.to_string()),
    }
}

/// The word that makes a text known.
pub(super) fn word(text: &Value) -> &str {
    text["content"].as_str().and_then(|it| it.rsplit(' ').next()).unwrap_or_default()
}
