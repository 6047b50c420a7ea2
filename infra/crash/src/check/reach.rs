//! A post that is there has reached its readers and the search, whether it was answered or not.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Context, Result};
use futures::future::try_join_all;

use super::{each, texts::word};
use crate::{
    api::Api,
    books::{Books, Text},
    crowd::{Crowd, Person},
    report::Finding,
};

/// A post and who wrote it.
type Written = (usize, Text);

pub(super) async fn all(api: &Api, crowd: &Crowd, books: &[Books]) -> Result<Vec<Finding>> {
    let answered: Vec<Written> = books
        .iter()
        .enumerate()
        .flat_map(|(author, it)| it.posts.iter().map(move |post| (author, post.clone())))
        .collect();
    let known: HashSet<_> = answered.iter().map(|(_, post)| post.id.clone()).collect();
    let mut others = written(api, crowd).await?;
    others.retain(|(_, post)| !known.contains(&post.id));
    let feeds = Feeds::read(api, crowd).await?;
    let in_feeds = async |(author, post): &Written| feeds.lack(crowd, *author, post);
    let found = found(api, crowd).await?;
    let is_found =
        async |(_, post): &Written| (!found.contains(&post.id)).then(|| format!("{} is not", post.word));
    Ok(vec![
        each("an answered post is in its readers' FOLLOWING", &answered, in_feeds).await,
        each("a post that is there without an answer is in them, too", &others, in_feeds).await,
        each("an answered post is found", &answered, is_found).await,
        each("a post that is there without an answer is found, too", &others, is_found).await,
    ])
}

/// Every post that is there.
async fn written(api: &Api, crowd: &Crowd) -> Result<Vec<Written>> {
    let of = async |(author, writer): (usize, &Person)| {
        let rows = api.list(&writer.token, &format!("/user/{}/posts", writer.name)).await?;
        let id = |row: &serde_json::Value| row["publicId"].as_str().unwrap_or_default().to_owned();
        let text = |row: &serde_json::Value| (author, Text { id: id(row), word: word(row).to_owned() });
        anyhow::Ok(rows.iter().map(text).collect::<Vec<_>>())
    };
    Ok(try_join_all(crowd.writers.iter().enumerate().map(of)).await?.concat())
}

/// What is in everybody's FOLLOWING, by their names.
struct Feeds<'a>(BTreeMap<&'a str, HashSet<String>>);

impl<'a> Feeds<'a> {
    async fn read(api: &Api, crowd: &'a Crowd) -> Result<Self> {
        let of = async |reader: &'a Person| {
            let rows = api.list(&reader.token, "/posts/news-feed?type=FOLLOWING").await?;
            let ids = rows.iter().filter_map(|row| Some(row["publicId"].as_str()?.to_owned()));
            anyhow::Ok((reader.name.as_str(), ids.collect()))
        };
        Ok(Self(try_join_all(crowd.writers.iter().map(of)).await?.into_iter().collect()))
    }

    /// Says who lacks a post.
    fn lack(&self, crowd: &Crowd, author: usize, post: &Text) -> Option<String> {
        let has = |reader: &&Person| self.0.get(reader.name.as_str()).is_some_and(|it| it.contains(&post.id));
        let without: Vec<_> =
            crowd.readers(author).filter(|it| !has(it)).map(|it| it.name.as_str()).collect();
        (!without.is_empty()).then(|| format!("{} is missing for {}", post.word, without.join(", ")))
    }
}

/// Every post that the search finds. A reader may not search as often as there are posts.
async fn found(api: &Api, crowd: &Crowd) -> Result<HashSet<String>> {
    let of = async |(author, writer): (usize, &Person)| {
        let reader = crowd.readers(author).next().context("a writer has no reader")?;
        api.list(&reader.token, &format!("/search?q={}", writer.name)).await
    };
    let rows = try_join_all(crowd.writers.iter().enumerate().map(of)).await?.concat();
    Ok(rows.iter().filter_map(|row| Some(row["publicId"].as_str()?.to_owned())).collect())
}
