//! Likes and follows stand as they were answered, and the counts are those of what stands.

use anyhow::{Context, Result};
use futures::future::try_join_all;

use super::{AT_ONCE, each};
use crate::{
    api::Api,
    books::{Books, Stands, Text},
    crowd::{Crowd, Person},
    report::Finding,
};

/// Somebody's like of a post, or their follow of an idol, as it was answered and as it stands.
struct Tie<'a> {
    who: &'a Person,
    /// The path of the post or the idol.
    of: String,
    answered: Stands,
    stands: bool,
}

pub(super) async fn all(api: &Api, crowd: &Crowd, books: &[Books]) -> Result<Vec<Finding>> {
    let mut likes = likes(crowd, books);
    let mut follows = follows(crowd, books);
    read_back(api, &mut likes, "isLiked").await?;
    read_back(api, &mut follows, "isFollowing").await?;
    let posts = books.iter().flat_map(|it| &it.posts);
    let as_answered = async |tie: &Tie<'_>| tie.difference();
    Ok(vec![
        each("an answered like, or its end, stands", &likes, as_answered).await,
        each("likesCount is the people who like", posts, async |it: &Text| {
            count(api, &post(&it.id), "likesCount", &likes).await
        })
        .await,
        each("an answered follow, or its end, stands", &follows, as_answered).await,
        each("followersCount is the people who follow", &crowd.idols, async |it: &Person| {
            count(api, &user(it), "followersCount", &follows).await
        })
        .await,
        each("the list of followers is the people who follow", &crowd.idols, async |it: &Person| {
            list(api, it, &follows).await
        })
        .await,
    ])
}

fn likes<'a>(crowd: &'a Crowd, books: &[Books]) -> Vec<Tie<'a>> {
    let each = crowd.writers.iter().zip(books);
    each.flat_map(|(who, it)| it.likes.iter().map(|(id, answered)| Tie::new(who, post(id), *answered)))
        .collect()
}

fn follows<'a>(crowd: &'a Crowd, books: &[Books]) -> Vec<Tie<'a>> {
    let idol = |number: &usize| user(&crowd.idols[*number]);
    let each = crowd.writers.iter().zip(books);
    each.flat_map(|(who, it)| it.follows.iter().map(|(of, answered)| Tie::new(who, idol(of), *answered)))
        .collect()
}

/// Asks those whose ties they are what stands.
async fn read_back(api: &Api, ties: &mut [Tie<'_>], field: &str) -> Result<()> {
    for some in ties.chunks_mut(AT_ONCE) {
        let reads = some.iter_mut().map(async |tie| {
            let seen = api.get(Some(&tie.who.token), &tie.of).await?;
            tie.stands = seen[field].as_bool().with_context(|| format!("{} has no {field}", tie.of))?;
            anyhow::Ok(())
        });
        try_join_all(reads).await?;
    }
    Ok(())
}

/// Compares a count with the ties that stand.
async fn count(api: &Api, of: &str, field: &str, ties: &[Tie<'_>]) -> Option<String> {
    let standing: Vec<_> = ties.iter().filter(|tie| tie.of == of && tie.stands).collect();
    let unknown = ties.iter().filter(|tie| tie.of == of && tie.answered == Stands::Unknown).count();
    match api.get(None, of).await {
        Ok(it) if it[field] == standing.len() => None,
        Ok(it) => Some(format!("{of} has {}, not {}; {unknown} had no answer", it[field], standing.len())),
        Err(error) => Some(format!("{of}: {error}")),
    }
}

async fn list(api: &Api, idol: &Person, ties: &[Tie<'_>]) -> Option<String> {
    let mut standing: Vec<_> = ties.iter().filter(|tie| tie.of == user(idol) && tie.stands).collect();
    standing.sort_by_key(|tie| &tie.who.name);
    match api.list(&idol.token, &format!("{}/followers", user(idol))).await {
        Ok(mut rows) => {
            rows.sort_by_key(|row| row["username"].as_str().map(str::to_owned));
            let same = rows.iter().map(|row| &row["username"]).eq(standing.iter().map(|tie| &tie.who.name));
            (!same).then(|| format!("{} has {} of {}", idol.name, rows.len(), standing.len()))
        }
        Err(error) => Some(format!("{}: {error}", idol.name)),
    }
}

fn post(id: &str) -> String {
    format!("/posts/{id}")
}

fn user(person: &Person) -> String {
    format!("/user/{}", person.name)
}

impl<'a> Tie<'a> {
    fn new(who: &'a Person, of: String, answered: Stands) -> Self {
        Self { who, of, answered, stands: false }
    }

    fn difference(&self) -> Option<String> {
        let differs = self.answered != Stands::Unknown && self.answered != self.stands.into();
        differs.then(|| format!("{} and {}: it stands: {}", self.who.name, self.of, self.stands))
    }
}
