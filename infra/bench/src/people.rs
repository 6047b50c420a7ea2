//! Signed-in clients, and the posts they write before anything is measured.

use anyhow::{Context, Result, ensure};
use futures::future::try_join_all;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::texts;

/// All clients.
pub(crate) struct People {
    url: String,
    http: reqwest::Client,
    pub(crate) all: Vec<Person>,
}

/// One client.
pub(crate) struct Person {
    http: reqwest::Client,
    url: String,
    token: String,
}

impl People {
    pub(crate) async fn sign_up(url: &str, count: usize) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().build()?;
        let all = try_join_all((0..count).map(|number| Person::sign_up(&http, url, number))).await?;
        Ok(Self { url: url.to_owned(), http, all })
    }

    /// Each follows the next one.
    pub(crate) async fn follow_each_other(&self) -> Result<()> {
        for (number, person) in self.all.iter().enumerate() {
            let next = (number + 1) % self.all.len();
            answer(person.post(&format!("/user/{}/follower", name(next)))).await?;
        }
        Ok(())
    }

    /// Replies so often to a post, one person after the other.
    pub(crate) async fn reply(&self, post: &str, count: usize) -> Result<()> {
        for (number, person) in self.all.iter().cycle().take(count).enumerate() {
            let body = json!({ "content": texts::post(number) });
            answer(person.post(&format!("/posts/{post}/reply")).json(&body)).await?;
        }
        self.settle().await
    }

    /// Tells everybody what is to be told and waits until every queue is empty, so that nothing is measured together
    /// with what came before.
    pub(crate) async fn settle(&self) -> Result<()> {
        let console = async |what: &str| answer(self.http.post(format!("{}/_local/{what}", self.url))).await;
        console("schedules/notification-tick/fire").await?;
        while console("settle").await?["data"]["left"] != 0 {}
        Ok(())
    }
}

impl Person {
    async fn sign_up(http: &reqwest::Client, url: &str, number: usize) -> Result<Self> {
        let name = name(number);
        let body = json!({
            "name": name,
            "username": name,
            "email": format!("{name}@example.com"),
            "password": "correct horse battery",
        });
        let answer = answer(http.post(format!("{url}/auth/register")).json(&body)).await?;
        let token = answer["data"]["accessToken"].as_str().context("no token")?.to_owned();
        Ok(Self { http: http.clone(), url: url.to_owned(), token })
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.http.get(format!("{}{path}", self.url)).bearer_auth(&self.token)
    }

    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        self.http.post(format!("{}{path}", self.url)).bearer_auth(&self.token)
    }
}

fn name(number: usize) -> String {
    format!("bench{number}")
}

/// The body of a success.
pub(crate) async fn answer(request: RequestBuilder) -> Result<Value> {
    let response = request.send().await?;
    let (status, url) = (response.status(), response.url().clone());
    let text = response.text().await?;
    ensure!(status.is_success(), "{url} answered {status}: {text}");
    Ok(serde_json::from_str(&text)?)
}
