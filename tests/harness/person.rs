//! A signed-in user of a test.

use std::ops::Deref;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{
    accounts::{self, Device, passwords::NewPassword},
    ids::UserId,
};
use platform::App;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::{
    PASSWORD,
    answer::Answer,
    client::{Client, send},
    post::Post,
    world::World,
};

/// Hash of [`PASSWORD`], computed once.
static PASSWORD_HASH: OnceCell<String> = OnceCell::const_new();

async fn hash_password() -> String {
    NewPassword::try_from(PASSWORD.to_owned()).expect("a password").hash().await.expect("a hash")
}

/// A signed-in user. The methods of [`Client`] send requests with the user's token.
#[derive(Clone, Debug)]
pub struct Person {
    /// Username. The email address and the display name contain it.
    pub name: String,
    /// Email address.
    pub email: String,
    /// Internal user ID, which tokens contain.
    pub id: String,
    /// Public user ID, which responses contain.
    pub public_id: String,
    /// Refresh token of this session.
    pub refresh_token: String,
    client: Client,
}

impl Person {
    pub(crate) async fn signs_up(client: &Client, name: &str) -> Self {
        let answer = client.post("/auth/register", registration(name)).await.ok();
        Self::of_tokens(client, name, answer.data())
    }

    /// Creates an account without a request, because each request would hash the password.
    pub(crate) async fn create(app: &App, client: &Client, name: &str) -> Self {
        let registration = serde_json::from_value(registration(name)).expect("a registration");
        let device = Device { address: "127.0.0.1".to_owned(), user_agent: None };
        let hash = PASSWORD_HASH.get_or_init(hash_password).await.clone();
        // Boxes the large future, because the thread of a test has only 2 MB of stack.
        let grant = Box::pin(accounts::register_hashed(app, registration, hash, &device)).await;
        let grant = grant.expect("a new name");
        let pair = grant.tokens(app).await.expect("a secret");
        Self::of_tokens(client, name, &serde_json::to_value(pair).expect("JSON"))
    }

    /// Signs in again, and returns the user with the new session.
    pub async fn signs_in(&self) -> Self {
        let body = json!({ "identifier": self.name, "password": PASSWORD });
        let answer = self.client.post("/auth/login", body).await.ok();
        Self::of_tokens(&self.client, &self.name, answer.data())
    }

    /// Refreshes the tokens, and returns the user with the new pair.
    pub async fn refreshes(&self) -> Self {
        let answer = self.with_refresh("/auth/refresh-token").await.ok();
        Self::of_tokens(&self.client, &self.name, answer.data())
    }

    /// Sends a POST request with the refresh token in its header.
    pub async fn with_refresh(&self, path: &str) -> Answer {
        send(self.request(Method::POST, path).header("x-refresh-token", &self.refresh_token)).await
    }

    /// Deletes the user's account.
    pub async fn leaves(&self) -> Answer {
        self.call(Method::DELETE, "/auth/me", &json!({ "password": PASSWORD })).await.ok()
    }

    /// Publishes a text post.
    pub async fn writes(&self, content: &str) -> Post {
        self.posts(json!({ "content": content })).await
    }

    /// Publishes a post with this body.
    pub async fn posts(&self, body: Value) -> Post {
        Post::of(&self.post("/posts", body).await.ok())
    }

    /// Replies to a post.
    pub async fn replies(&self, to: &Post, content: &str) -> Post {
        Post::of(&self.post(&to.path("/reply"), json!({ "content": content })).await.ok())
    }

    /// Quotes a post.
    pub async fn quotes(&self, origin: &Post, content: &str) -> Post {
        Post::of(&self.post(&origin.path("/quote"), json!({ "content": content })).await.ok())
    }

    /// Reposts a post.
    pub async fn reposts(&self, origin: &Post) -> Post {
        Post::of(&self.post(&origin.path("/repost"), Value::Null).await.ok())
    }

    /// Likes a post.
    pub async fn likes(&self, post: &Post) -> Answer {
        self.post(&post.path("/like"), json!({ "isLiked": true })).await.ok()
    }

    /// Removes a like.
    pub async fn unlikes(&self, post: &Post) -> Answer {
        self.post(&post.path("/like"), json!({ "isLiked": false })).await.ok()
    }

    /// Deletes a post.
    pub async fn deletes(&self, post: &Post) -> Answer {
        self.delete(&post.path("")).await.ok()
    }

    /// Follows a user.
    pub async fn follows(&self, other: &Person) -> Answer {
        self.post(&other.path("/follower"), json!({ "isFollowing": true })).await.ok()
    }

    /// Unfollows a user.
    pub async fn unfollows(&self, other: &Person) -> Answer {
        self.post(&other.path("/follower"), json!({ "isFollowing": false })).await.ok()
    }

    /// Creates a private group with a user, and returns the group's ID.
    pub async fn chats_with(&self, username: &str) -> String {
        let body = json!({ "type": "private", "members": [username] });
        let group = self.post("/message-group", body).await.ok();
        group.data()["publicId"].as_str().expect("an id").to_owned()
    }

    /// Sends a friend request.
    pub async fn befriends(&self, other: &Person) -> Answer {
        self.post(&other.path("/friend-request"), Value::Null).await.ok()
    }

    /// Blocks a user.
    pub async fn blocks(&self, other: &Person) -> Answer {
        self.post(&other.path("/block"), json!({ "isBlocked": true })).await.ok()
    }

    /// Reads the profile of `other` as this user.
    pub async fn meets(&self, other: &Person) -> Value {
        self.get(&other.path("")).await.ok().data().clone()
    }

    /// Returns `/user/{username}` followed by `below`.
    pub fn path(&self, below: &str) -> String {
        format!("/user/{}{below}", self.name)
    }

    /// Reads the post as this user.
    pub async fn sees(&self, post: &Post) -> Value {
        self.get(&post.path("")).await.ok().data().clone()
    }

    /// Returns this user with the same tokens, whose requests go to `world`.
    pub fn moves_to(&self, world: &World) -> Self {
        let token = self.client.token().expect("a signed-in person");
        Self { client: world.anyone.with_token(token), ..self.clone() }
    }

    /// Returns the token pair as JSON, which [`Person::of_tokens`] accepts.
    pub fn tokens(&self) -> Value {
        json!({ "accessToken": self.client.token(), "refreshToken": self.refresh_token })
    }

    /// Returns the user with this token pair, which can be from an earlier release.
    #[track_caller]
    pub fn of_tokens(client: &Client, name: &str, pair: &Value) -> Self {
        let token = |field: &str| pair[field].as_str().unwrap_or_else(|| panic!("no {field} in {pair}"));
        let access = token("accessToken");
        let id = claims(access)["sub"].as_str().expect("a sub in the token").to_owned();
        Self {
            name: name.to_owned(),
            email: format!("{name}@example.com"),
            public_id: id.parse::<UserId>().expect("an ID").public().to_string(),
            id,
            refresh_token: token("refreshToken").to_owned(),
            client: client.with_token(access),
        }
    }
}

impl Deref for Person {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

fn registration(name: &str) -> Value {
    json!({ "name": name, "username": name, "email": format!("{name}@example.com"), "password": PASSWORD })
}

/// Returns the claims of a token without verifying it.
pub fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).expect("a token has three parts");
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(payload).expect("base64");
    serde_json::from_slice(&bytes).expect("JSON")
}
