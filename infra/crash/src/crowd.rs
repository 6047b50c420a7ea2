//! The simulated users. Writers follow each other. Writers also follow and unfollow idols, who write nothing.

use anyhow::{Context, Result};
use futures::future::try_join_all;
use serde_json::json;

use crate::api::{Api, Outcome};

const WRITERS: usize = 12;
const IDOLS: usize = 3;
/// Number of other writers who follow each writer.
const READERS: usize = 4;

pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) token: String,
}

pub(crate) struct Crowd {
    pub(crate) writers: Vec<Person>,
    pub(crate) idols: Vec<Person>,
    /// ID of the group chat of all writers.
    pub(crate) group: String,
}

impl Crowd {
    /// Registers the users, and creates their follows and their message group.
    pub(crate) async fn create(api: &Api) -> Result<Self> {
        let writers =
            try_join_all((0..WRITERS).map(|number| Person::register(api, format!("writer{number}")))).await?;
        let idols =
            try_join_all((0..IDOLS).map(|number| Person::register(api, format!("idol{number}")))).await?;
        let mut crowd = Self { writers, idols, group: String::new() };
        for author in 0..WRITERS {
            let path = format!("/user/{}/follower", crowd.writers[author].name);
            for reader in crowd.readers(author) {
                done(api.post(&reader.token, &path, &json!({ "isFollowing": true }), None).await)?;
            }
        }
        let names: Vec<_> = crowd.writers.iter().skip(1).map(|writer| &writer.name).collect();
        let body = json!({ "type": "crowd", "members": names });
        let group = done(api.post(&crowd.writers[0].token, "/message-group", &body, None).await)?;
        crowd.group = group["publicId"].as_str().context("the group has no ID")?.to_owned();
        Ok(crowd)
    }

    /// Returns the followers of the writer with the index `author`.
    pub(crate) fn readers(&self, author: usize) -> impl Iterator<Item = &Person> {
        (1..=READERS).map(move |step| &self.writers[(author + step) % self.writers.len()])
    }
}

impl Person {
    async fn register(api: &Api, name: String) -> Result<Self> {
        let email = format!("{name}@example.com");
        let body = json!({ "name": name, "username": name, "email": email, "password": "correct horse" });
        Ok(Self { token: api.register(&body).await?, name })
    }
}

fn done(outcome: Outcome) -> Result<serde_json::Value> {
    match outcome {
        Outcome::Done(data) => Ok(data),
        Outcome::Failed | Outcome::Lost => anyhow::bail!("failed to create the users"),
    }
}
