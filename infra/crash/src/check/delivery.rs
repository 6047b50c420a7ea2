//! Checks that every stored post is in its readers' feeds and in the search index, even if its response was lost.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Context, Result};
use futures::future::try_join_all;

use super::{each, texts::word};
use crate::{
    api::Api,
    crowd::{Crowd, Person},
    journal::{Journal, Text},
    report::Finding,
};

/// Index of the author, and the post.
type Written = (usize, Text);

pub(super) async fn all(api: &Api, crowd: &Crowd, journals: &[Journal]) -> Result<Vec<Finding>> {
    let acknowledged: Vec<Written> = journals
        .iter()
        .enumerate()
        .flat_map(|(author, journal)| journal.posts.iter().map(move |post| (author, post.clone())))
        .collect();
    let known: HashSet<_> = acknowledged.iter().map(|(_, post)| post.id.clone()).collect();
    let mut others = stored(api, crowd).await?;
    others.retain(|(_, post)| !known.contains(&post.id));
    let feeds = Feeds::read(api, crowd).await?;
    let in_feeds = async |(author, post): &Written| feeds.missing(crowd, *author, post);
    let found = search(api, crowd).await?;
    let is_found = async |(_, post): &Written| {
        (!found.contains(&post.id)).then(|| format!("{} is not found", post.word))
    };
    Ok(vec![
        each("an acknowledged post is in its readers' FOLLOWING feeds", &acknowledged, in_feeds).await,
        each("a stored post without a response is also in those feeds", &others, in_feeds).await,
        each("search finds an acknowledged post", &acknowledged, is_found).await,
        each("search also finds a stored post without a response", &others, is_found).await,
    ])
}

/// Returns all stored posts of all writers.
async fn stored(api: &Api, crowd: &Crowd) -> Result<Vec<Written>> {
    let posts_of = async |(author, writer): (usize, &Person)| {
        let rows = api.list(&writer.token, &format!("/user/{}/posts", writer.name)).await?;
        let id = |row: &serde_json::Value| row["publicId"].as_str().unwrap_or_default().to_owned();
        let text = |row: &serde_json::Value| (author, Text { id: id(row), word: word(row).to_owned() });
        anyhow::Ok(rows.iter().map(text).collect::<Vec<_>>())
    };
    Ok(try_join_all(crowd.writers.iter().enumerate().map(posts_of)).await?.concat())
}

/// Post IDs in each reader's FOLLOWING feed, by username.
struct Feeds<'a>(BTreeMap<&'a str, HashSet<String>>);

impl<'a> Feeds<'a> {
    async fn read(api: &Api, crowd: &'a Crowd) -> Result<Self> {
        let feed_of = async |reader: &'a Person| {
            let rows = api.list(&reader.token, "/posts/news-feed?type=FOLLOWING").await?;
            let ids = rows.iter().filter_map(|row| Some(row["publicId"].as_str()?.to_owned()));
            anyhow::Ok((reader.name.as_str(), ids.collect()))
        };
        Ok(Self(try_join_all(crowd.writers.iter().map(feed_of)).await?.into_iter().collect()))
    }

    /// Returns an error text if the post is missing in a reader's feed, otherwise `None`.
    fn missing(&self, crowd: &Crowd, author: usize, post: &Text) -> Option<String> {
        let has =
            |reader: &&Person| self.0.get(reader.name.as_str()).is_some_and(|feed| feed.contains(&post.id));
        let without: Vec<_> =
            crowd.readers(author).filter(|reader| !has(reader)).map(|reader| reader.name.as_str()).collect();
        (!without.is_empty()).then(|| format!("{} is missing for {}", post.word, without.join(", ")))
    }
}

/// Returns the IDs of all posts that a search finds. Searches only once per author, because searches are rate-limited.
async fn search(api: &Api, crowd: &Crowd) -> Result<HashSet<String>> {
    let found_of = async |(author, writer): (usize, &Person)| {
        let reader = crowd.readers(author).next().context("a writer has no reader")?;
        api.list(&reader.token, &format!("/search?q={}", writer.name)).await
    };
    let rows = try_join_all(crowd.writers.iter().enumerate().map(found_of)).await?.concat();
    Ok(rows.iter().filter_map(|row| Some(row["publicId"].as_str()?.to_owned())).collect())
}
