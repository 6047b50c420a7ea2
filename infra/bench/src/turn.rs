//! One measured request, and the targets that its number selects.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::{
    people::Person,
    scene::{Circle, ClientData, Scene},
    seed::Network,
    texts,
};

/// One request. Its number selects the client, the target and the text.
pub(crate) struct Turn<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) number: usize,
}

/// Returns the item at the index `number` modulo the number of items.
fn pick<T>(items: &[T], number: usize) -> &T {
    &items[number % items.len()]
}

impl Turn<'_> {
    pub(crate) fn me(&self) -> &Person {
        pick(&self.scene.clients, self.number)
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.me().get(path)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> RequestBuilder {
        self.me().post(path, body)
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.scene.server.http
    }

    pub(crate) fn url(&self) -> &str {
        &self.scene.server.url
    }

    pub(crate) fn network(&self) -> &Network {
        &self.scene.server.network
    }

    pub(crate) fn star(&self) -> &str {
        &self.network().people[0]
    }

    pub(crate) fn client_data(&self) -> &ClientData {
        pick(&self.scene.client_data, self.number)
    }

    /// Returns the circle that this request uses.
    pub(crate) fn circle(&self) -> &Circle {
        pick(&self.scene.circles, self.number)
    }

    pub(crate) fn get_circle(&self, below: &str) -> RequestBuilder {
        self.circle().founder.get(&format!("/circles/{}{below}", self.circle().id))
    }

    /// Returns a username that no user has.
    pub(crate) fn newcomer(&self) -> String {
        format!("newcomer{}", self.number)
    }

    pub(crate) fn email(&self) -> String {
        format!("{}@example.com", pick(&self.network().people, self.number))
    }

    pub(crate) fn text(&self) -> Value {
        json!({ "content": texts::post(self.number) })
    }

    pub(crate) fn words(&self) -> String {
        format!("{} and so on, number {}", self.word(), self.number)
    }

    pub(crate) fn word(&self) -> &'static str {
        texts::WORDS[self.number % texts::WORDS.len()]
    }

    pub(crate) fn tag(&self) -> &'static str {
        texts::TAGS[self.number % texts::TAGS.len()]
    }

    /// Returns the path of a post without likes, with the suffix `below`.
    pub(crate) fn unliked(&self, below: &str) -> String {
        format!("/posts/{}{below}", pick(&self.network().unliked, self.number))
    }

    pub(crate) fn any_post(&self) -> String {
        format!("/posts/{}", pick(&self.network().posts, self.number))
    }

    pub(crate) fn own_post(&self) -> String {
        format!("/posts/{}", self.client_data().post)
    }

    /// Returns the path of another client's post, with the suffix `below`. Consecutive requests of a client use
    /// different posts.
    pub(crate) fn others_post(&self, below: &str) -> String {
        let clients = self.scene.clients.len();
        let offset = 1 + self.number / clients % (clients - 1).max(1);
        format!("/posts/{}{below}", pick(&self.scene.client_data, self.number + offset).post)
    }

    pub(crate) fn poll(&self, below: &str) -> String {
        format!("/posts/{}{below}", pick(&self.scene.polls, self.number / self.scene.clients.len()))
    }

    pub(crate) fn reply(&self, below: &str) -> String {
        format!("/posts/{}{below}", self.client_data().reply)
    }

    pub(crate) fn group(&self, below: &str) -> String {
        format!("/message-group/{}{below}", self.client_data().group)
    }

    pub(crate) fn any_user(&self, below: &str) -> String {
        format!("/user/{}{below}", pick(&self.network().people, self.number))
    }

    /// Returns the path of a user that no client follows yet, with the suffix `below`.
    pub(crate) fn unfollowed(&self, below: &str) -> String {
        format!("/user/{}{below}", pick(&self.network().followers, self.number))
    }
}
