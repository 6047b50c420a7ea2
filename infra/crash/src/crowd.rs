//! The people: writers who follow one another, and idols whom they follow and leave.

use anyhow::{Context, Result};
use futures::future::try_join_all;
use serde_json::json;

use crate::api::{Answer, Api};

const WRITERS: usize = 12;
const IDOLS: usize = 3;
/// Each writer has as many readers among the others.
const READERS: usize = 4;

pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) token: String,
}

pub(crate) struct Crowd {
    pub(crate) writers: Vec<Person>,
    pub(crate) idols: Vec<Person>,
    /// The group that all writers write to.
    pub(crate) group: String,
}

impl Crowd {
    /// Registers everybody and lets them follow one another, before anything is killed.
    pub(crate) async fn gather(api: &Api) -> Result<Self> {
        let writers =
            try_join_all((0..WRITERS).map(|it| Person::register(api, format!("writer{it}")))).await?;
        let idols = try_join_all((0..IDOLS).map(|it| Person::register(api, format!("idol{it}")))).await?;
        let mut crowd = Self { writers, idols, group: String::new() };
        for author in 0..WRITERS {
            let path = format!("/user/{}/follower", crowd.writers[author].name);
            for reader in crowd.readers(author) {
                done(api.post(&reader.token, &path, &json!({ "isFollowing": true }), None).await)?;
            }
        }
        let names: Vec<_> = crowd.writers.iter().skip(1).map(|it| &it.name).collect();
        let body = json!({ "type": "crowd", "members": names });
        let group = done(api.post(&crowd.writers[0].token, "/message-group", &body, None).await)?;
        crowd.group = group["publicId"].as_str().context("a group has no id")?.to_owned();
        Ok(crowd)
    }

    /// Who follows a writer, always.
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

fn done(answer: Answer) -> Result<serde_json::Value> {
    match answer {
        Answer::Done(data) => Ok(data),
        Answer::Failed | Answer::Nothing => anyhow::bail!("the crowd does not come together"),
    }
}
