//! Checks that acknowledged posts, replies and messages exist, and that no post exists twice.

use std::collections::HashSet;

use anyhow::Result;
use serde_json::Value;

use super::each;
use crate::{
    api::Api,
    crowd::{Crowd, Person},
    journal::{Journal, Text},
    report::Finding,
};

pub(super) async fn all(api: &Api, crowd: &Crowd, journals: &[Journal]) -> Result<Vec<Finding>> {
    let posts = journals.iter().flat_map(|journal| &journal.posts);
    let replies = journals.iter().flat_map(|journal| &journal.replies);
    let exists = async |text: &Text| match api.get(None, &format!("/posts/{}", text.id)).await {
        Ok(post) => (word(&post) != text.word).then(|| format!("{} is {post}", text.word)),
        Err(error) => Some(format!("{}: {error}", text.word)),
    };
    Ok(vec![
        each("an acknowledged post exists", posts, exists).await,
        each("an acknowledged reply exists", replies, exists).await,
        messages(api, crowd, journals).await?,
        each("no post exists twice", &crowd.writers, async |writer| duplicate(api, writer).await).await,
    ])
}

async fn messages(api: &Api, crowd: &Crowd, journals: &[Journal]) -> Result<Finding> {
    let path = format!("/message-group/{}/messages", crowd.group);
    let rows = api.list(&crowd.writers[0].token, &path).await?;
    let words: HashSet<_> = rows.iter().map(word).collect();
    let acknowledged = journals.iter().flat_map(|journal| &journal.messages);
    let exists = async |text: &Text| (!words.contains(text.word.as_str())).then(|| text.word.clone());
    Ok(each("an acknowledged message exists", acknowledged, exists).await)
}

async fn duplicate(api: &Api, writer: &Person) -> Option<String> {
    match api.list(&writer.token, &format!("/user/{}/posts", writer.name)).await {
        Ok(posts) => {
            let mut seen = HashSet::new();
            posts.iter().map(word).find(|word| !seen.insert(*word)).map(str::to_owned)
        }
        Err(error) => Some(error.to_string()),
    }
}

/// Returns the last word of a text, which identifies the text.
pub(super) fn word(text: &Value) -> &str {
    text["content"].as_str().and_then(|content| content.rsplit(' ').next()).unwrap_or_default()
}
