//! Checks that likes and follows have their acknowledged state. Also checks their counters and the lists of followers.

use anyhow::{Context, Result};
use futures::future::try_join_all;

use super::{CONCURRENCY, each};
use crate::{
    api::Api,
    crowd::{Crowd, Person},
    journal::{Journal, State, Text},
    report::Finding,
};

/// A like or a follow by a writer, which can be on or off.
struct Toggle<'a> {
    writer: &'a Person,
    /// API path of the liked post or the followed user.
    path: String,
    acknowledged: State,
    /// Whether the like or follow exists in the data.
    is_on: bool,
}

pub(super) async fn all(api: &Api, crowd: &Crowd, journals: &[Journal]) -> Result<Vec<Finding>> {
    let mut likes = likes(crowd, journals);
    let mut follows = follows(crowd, journals);
    read_back(api, &mut likes, "isLiked").await?;
    read_back(api, &mut follows, "isFollowing").await?;
    let posts = journals.iter().flat_map(|journal| &journal.posts);
    let as_acknowledged = async |toggle: &Toggle<'_>| toggle.difference();
    Ok(vec![
        each("a like has its acknowledged state", &likes, as_acknowledged).await,
        each("likesCount matches the likes", posts, async |text: &Text| {
            count(api, &post(&text.id), "likesCount", &likes).await
        })
        .await,
        each("a follow has its acknowledged state", &follows, as_acknowledged).await,
        each("followersCount matches the follows", &crowd.idols, async |idol: &Person| {
            count(api, &user(idol), "followersCount", &follows).await
        })
        .await,
        each("the list of followers matches the follows", &crowd.idols, async |idol: &Person| {
            list(api, idol, &follows).await
        })
        .await,
    ])
}

fn likes<'a>(crowd: &'a Crowd, journals: &[Journal]) -> Vec<Toggle<'a>> {
    let each = crowd.writers.iter().zip(journals);
    let toggles = each.flat_map(|(writer, journal)| {
        journal.likes.iter().map(|(id, state)| Toggle::new(writer, post(id), *state))
    });
    toggles.collect()
}

fn follows<'a>(crowd: &'a Crowd, journals: &[Journal]) -> Vec<Toggle<'a>> {
    let idol = |number: &usize| user(&crowd.idols[*number]);
    let each = crowd.writers.iter().zip(journals);
    let toggles = each.flat_map(|(writer, journal)| {
        journal.follows.iter().map(|(number, state)| Toggle::new(writer, idol(number), *state))
    });
    toggles.collect()
}

/// Reads `field` of each toggle on behalf of its writer, and stores the value in `is_on`.
async fn read_back(api: &Api, toggles: &mut [Toggle<'_>], field: &str) -> Result<()> {
    for chunk in toggles.chunks_mut(CONCURRENCY) {
        let reads = chunk.iter_mut().map(async |toggle| {
            let view = api.get(Some(&toggle.writer.token), &toggle.path).await?;
            toggle.is_on =
                view[field].as_bool().with_context(|| format!("{} has no {field}", toggle.path))?;
            anyhow::Ok(())
        });
        try_join_all(reads).await?;
    }
    Ok(())
}

/// Returns an error text if the counter differs from the number of toggles that are on, otherwise `None`.
async fn count(api: &Api, path: &str, field: &str, toggles: &[Toggle<'_>]) -> Option<String> {
    let toggles: Vec<_> = toggles.iter().filter(|toggle| toggle.path == path).collect();
    let on = toggles.iter().filter(|toggle| toggle.is_on).count();
    let unknown = toggles.iter().filter(|toggle| toggle.acknowledged == State::Unknown).count();
    match api.get(None, path).await {
        Ok(view) if view[field] == on => None,
        Ok(view) => Some(format!("{path} has {}, not {on}. {unknown} requests had no response", view[field])),
        Err(error) => Some(format!("{path}: {error}")),
    }
}

async fn list(api: &Api, idol: &Person, toggles: &[Toggle<'_>]) -> Option<String> {
    let is_follow = |toggle: &&Toggle<'_>| toggle.path == user(idol) && toggle.is_on;
    let mut follows: Vec<_> = toggles.iter().filter(is_follow).collect();
    follows.sort_by_key(|toggle| &toggle.writer.name);
    match api.list(&idol.token, &format!("{}/followers", user(idol))).await {
        Ok(mut rows) => {
            rows.sort_by_key(|row| row["username"].as_str().map(str::to_owned));
            let same =
                rows.iter().map(|row| &row["username"]).eq(follows.iter().map(|toggle| &toggle.writer.name));
            (!same).then(|| format!("{} has {} followers, not {}", idol.name, rows.len(), follows.len()))
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

impl<'a> Toggle<'a> {
    fn new(writer: &'a Person, path: String, acknowledged: State) -> Self {
        Self { writer, path, acknowledged, is_on: false }
    }

    fn difference(&self) -> Option<String> {
        let differs = self.acknowledged != State::Unknown && self.acknowledged != self.is_on.into();
        differs.then(|| {
            format!("{} of {} is {}", self.path, self.writer.name, if self.is_on { "on" } else { "off" })
        })
    }
}
