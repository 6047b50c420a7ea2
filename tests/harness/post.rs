//! A post that a user of a test wrote.

use serde_json::Value;

use crate::{answer::Answer, person::Person, world::World};

/// A post.
#[derive(Clone, Debug)]
pub struct Post {
    /// Public ID.
    pub id: String,
    /// The post as JSON.
    pub json: Value,
}

impl World {
    /// Starts a world with the default options, and creates users with these names. The first user writes the post
    /// "hello".
    pub async fn with_post<const N: usize>(names: [&str; N]) -> (Self, [Person; N], Post) {
        let (world, people) = Self::with(names).await;
        let post = people[0].writes("hello").await;
        (world, people, post)
    }
}

impl Post {
    /// Returns the post in a response.
    #[track_caller]
    pub fn of(answer: &Answer) -> Self {
        let json = answer.data().clone();
        let id = json["publicId"].as_str().unwrap_or_else(|| panic!("not a post: {answer}")).to_owned();
        Self { id, json }
    }

    /// Returns `/posts/{id}` followed by `below`.
    pub fn path(&self, below: &str) -> String {
        format!("/posts/{}{below}", self.id)
    }
}
